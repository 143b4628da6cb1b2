//===- HotTime.cpp - the monotonic clock, event time ------------*- C++ -*-===//
#include "stdlib/native/Library.h"

using namespace sluice;

extern "C" SLUICE_ENTRY int32_t sl_monotonicNanos_(Ctx *ctx, int64_t *result) {
  *result = ctx->clock ? ctx->clock : sl_clock(ctx);
  return 0;
}

//===--- event time ---------------------------------------------------------===//
//
// Divisors are constants where the compiler makes the calls.

static constexpr int64_t kBillion = 1000000000;
static constexpr int64_t kMaxNanos = kMostEventTime;

/// Nanoseconds of a tick; what is out of range becomes the nearest that is not.
static SLUICE_INLINE int64_t validTick(int64_t nanosPerTick) {
  return nanosPerTick < 1 ? 1 : nanosPerTick > kBillion ? kBillion : nanosPerTick;
}

SL_HOT(eventNanos, ll)(Ctx *, int64_t *result, int64_t ticks, int64_t nanosPerTick) {
  int64_t per = validTick(nanosPerTick), most = kMaxNanos / per;
  *result = ticks > most ? kMaxNanos : ticks < -most ? -kMaxNanos : ticks * per;
  return 0;
}
SL_HOT(eventNanos, ml)(Ctx *, int64_t *result, uint64_t ticks, int64_t nanosPerTick) {
  int64_t per = validTick(nanosPerTick), most = kMaxNanos / per;
  *result = ticks > uint64_t(most) ? kMaxNanos : int64_t(ticks) * per;
  return 0;
}
SL_HOT(eventNanos, T)(Ctx *, int64_t *result, const Timestamp *time) {
  // So many that no nanoseconds bring them back into the range, and still no overflow.
  int64_t most = kMaxNanos / kBillion + 2;
  int64_t seconds = time->seconds > most ? most : time->seconds < -most ? -most : time->seconds;
  int64_t nanos = seconds * kBillion + int64_t(time->nanos);
  *result = nanos > kMaxNanos ? kMaxNanos : nanos < -kMaxNanos ? -kMaxNanos : nanos;
  return 0;
}

SL_HOT(timeOfTicks, ll)(Ctx *, Timestamp *result, int64_t ticks, int64_t nanosPerTick) {
  int64_t per = validTick(nanosPerTick), perSecond = kBillion / per;
  int64_t seconds = ticks / perSecond, rest = ticks % perSecond;
  if (rest < 0) {
    rest += perSecond;
    --seconds;
  }
  *result = {seconds, uint32_t(rest * per), 0};
  return 0;
}
SL_HOT(timeOfTicks, ml)(Ctx *, Timestamp *result, uint64_t ticks, int64_t nanosPerTick) {
  uint64_t per = uint64_t(validTick(nanosPerTick)), perSecond = uint64_t(kBillion) / per;
  *result = {int64_t(ticks / perSecond), uint32_t(ticks % perSecond * per), 0};
  return 0;
}

/// Exact, of any timestamp.
static SLUICE_INLINE __int128 ticksOf(const Timestamp *time, int64_t nanosPerTick) {
  int64_t per = validTick(nanosPerTick);
  return __int128(time->seconds) * (kBillion / per) + int64_t(time->nanos) / per;
}

SL_HOT(int64TicksOfTime, Tl)(Ctx *, int64_t *result, const Timestamp *time, int64_t nanosPerTick) {
  __int128 ticks = ticksOf(time, nanosPerTick);
  *result = ticks > INT64_MAX ? INT64_MAX : ticks < INT64_MIN ? INT64_MIN : int64_t(ticks);
  return 0;
}
SL_HOT(uint64TicksOfTime, Tl)
(Ctx *, uint64_t *result, const Timestamp *time, int64_t nanosPerTick) {
  __int128 ticks = ticksOf(time, nanosPerTick);
  *result = ticks > UINT64_MAX ? UINT64_MAX : ticks < 0 ? 0 : uint64_t(ticks);
  return 0;
}
