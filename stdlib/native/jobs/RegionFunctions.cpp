//===- RegionFunctions.cpp - what an operator asks of its consistent region -===//
//
// Where no checkpoints are made there are no regions.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/state/Program.h"
#include "sluice/metrics.h"
#include "sluice/recovery.h"
#include "stdlib/native/Library.h"

using namespace sluice;

/// The region of the operator that calls; null: it is in none.
static const ConsistentRegion *regionOf(Ctx *ctx) {
  const Cut &cut = ctx->program->cut;
  uint32_t number = cut.makes ? sl_running(ctx)->consistent : 0;
  return number ? &cut.regions[number - 1] : nullptr;
}

static int32_t role(Ctx *ctx, RecoveryRole which, uint8_t *result) {
  *result = regionOf(ctx) && hasRole(*sl_running(ctx), which);
  return 0;
}

extern "C" int32_t sl_getConsistentRegionIndex_(Ctx *ctx, int32_t *result) {
  *result = regionOf(ctx) ? int32_t(sl_running(ctx)->consistent) - 1 : -1;
  return 0;
}
extern "C" int32_t sl_isInConsistentRegion_(Ctx *ctx, uint8_t *result) {
  *result = regionOf(ctx) != nullptr;
  return 0;
}
extern "C" int32_t sl_getSequenceId_(Ctx *ctx, int64_t *result) {
  *result = regionOf(ctx) ? int64_t(ctx->program->cut.number.load(std::memory_order_relaxed)) : -1;
  return 0;
}
extern "C" int32_t sl_getDrainTimeout_(Ctx *ctx, double *result) {
  const ConsistentRegion *region = regionOf(ctx);
  *result = region ? region->drainTimeout : -1;
  return 0;
}
extern "C" int32_t sl_getResetTimeout_(Ctx *ctx, double *result) {
  const ConsistentRegion *region = regionOf(ctx);
  *result = region ? region->resetTimeout : -1;
  return 0;
}
extern "C" int32_t sl_getResetAttempt_(Ctx *ctx, int32_t *result) {
  *result =
      regionOf(ctx) ? int32_t(ctx->program->cut.attempts.load(std::memory_order_relaxed)) : -1;
  return 0;
}
extern "C" int32_t sl_isStartOfConsistentRegion_(Ctx *ctx, uint8_t *result) {
  return role(ctx, RecoveryRole::Starts, result);
}
extern "C" int32_t sl_isEndOfConsistentRegion_(Ctx *ctx, uint8_t *result) {
  return role(ctx, RecoveryRole::Ends, result);
}
extern "C" int32_t sl_isTriggerOfConsistentRegion_(Ctx *ctx, uint8_t *result) {
  return role(ctx, RecoveryRole::Triggers, result);
}
SL(isConsistentInputPort, j)(Ctx *ctx, uint8_t *result, uint32_t port) {
  const OperatorDesc &op = *sl_running(ctx);
  *result = regionOf(ctx) && port < 32 && (op.consistentInputs >> port & 1);
  return 0;
}
extern "C" int32_t sl_resetConsistentRegion_(Ctx *ctx) {
  if (!regionOf(ctx))
    return 0;
  return sl_end_at_once(ctx, "resetConsistentRegion(): the program ends here, and goes on from its "
                             "last checkpoint with --resume");
}
extern "C" int32_t sl_getRelaunchCount_(Ctx *ctx, uint32_t *result) {
  *result = ctx->program->cut.relaunches;
  return 0;
}
