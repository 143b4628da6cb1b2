//===- Clock.cpp - the time that a program sees --------------------------===//
#include "runtime/exec/state/Clock.h"

namespace sluice {

int64_t Clock::later(int64_t now, int64_t nanos) {
  return nanos < kNever - now ? now + nanos : kNever - 1;
}

void Clock::advance(int64_t to) { time = std::max(time, to); }

void Clock::set(int64_t to) {
  time = to;
  shift = to - os::now();
}

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
