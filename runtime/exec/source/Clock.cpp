//===- Clock.cpp - the time that a program sees ---------------------------===//
#include "runtime/exec/source/Clock.h"
#include "runtime/exec/program/Program.h"

namespace sluice {

int64_t Clock::later(int64_t now, int64_t nanos) {
  return nanos < kNever - now ? now + nanos : kNever - 1;
}

void Clock::advance(int64_t to) { time = std::max(time, to); }

/// s that a jumping wall clock is off, by turns: what daylight saving time, a wrong date and its
/// correction bring.
static constexpr int64_t kJumps[] = {0, 3600, 86'400, -3600, -86'400};

void Clock::wall(int64_t &seconds, uint32_t &nanos) {
  if (!isVirtual())
    return os::wallClock(seconds, nanos);
  seconds = kEpoch + time / os::kNanos;
  nanos = uint32_t(time % os::kNanos);
  if (kind == ClockKind::Jumping)
    seconds += kJumps[looks++ % std::size(kJumps)];
}

} // namespace sluice

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
