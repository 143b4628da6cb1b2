//===- Time.cpp - the time that operators ask for ------------------------===//
#include "runtime/exec/state/Program.h"

using namespace sluice;

//===--- ABI ----------------------------------------------------------------===//

extern "C" int64_t sl_now(Ctx *ctx) {
  return ctx->program ? ctx->program->clock.now() : os::now(); // some tests run no program
}

extern "C" int64_t sl_clock(Ctx *ctx) {
  if (!ctx->clock)
    ctx->clock = sl_now(ctx);
  return ctx->clock;
}

extern "C" void sl_wall_clock(Ctx *ctx, int64_t *seconds, uint32_t *nanos) {
  if (ctx->program)
    ctx->program->clock.wall(*seconds, *nanos);
  else
    os::wallClock(*seconds, *nanos);
}
