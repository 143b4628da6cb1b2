//===- Waiting.cpp - what a thread does while nothing comes ---------------===//
#include "runtime/remote/link/Waiting.h"
#include <algorithm>

namespace sluice::remote {

/// A sleep that is shorter takes as much of the processor as blocking does.
static constexpr int64_t kShortest = 100'000;
/// Frames that a sleep must be expected to gather: otherwise blocking takes fewer wake-ups.
static constexpr double kWorth = 4;

Step Waiting::idle(int64_t now) {
  switch (options.wait) {
  case Wait::Poll:
    return {Step::Kind::Spin};
  case Wait::Interrupt:
    return {Step::Kind::Block};
  case Wait::Sleep:
    return {Step::Kind::Sleep, options.sleepNanos};
  case Wait::Auto:
    return follow(now);
  }
  __builtin_unreachable();
}

/// From what the last step found in `passed` ns. A sleep tells how many frames can be gathered: a
/// transport may hold fewer than the ring. The rate is seen while nothing keeps the sender waiting,
/// which is while this thread blocks.
void Waiting::learn(int64_t passed) {
  double found = frames;
  if (found == 0) {
    interval = 0; // the stream has paused
  } else if (last.kind == Step::Kind::Block) {
    double seen = double(passed) / found;
    interval = interval == 0 ? seen : 0.75 * interval + 0.25 * seen;
  } else if (found < 0.8 * double(last.nanos) / interval) {
    gather = std::max(0.6 * found, 1.0);
  } else {
    gather = std::min(gather + 1, most());
  }
}

/// A step of sleep and a step of blocking take turns.
Step Waiting::follow(int64_t now) {
  bool slept = last.kind == Step::Kind::Sleep;
  if (since >= 0)
    learn(std::max<int64_t>(now - since, 1));
  since = now;
  frames = 0;
  double nanos = std::min(gather * interval, double(options.latencyNanos));
  bool worth = nanos >= double(kShortest) && nanos >= kWorth * interval;
  if (slept || interval == 0 || !worth)
    last = {Step::Kind::Block};
  else
    last = {Step::Kind::Sleep, int64_t(nanos)};
  return last;
}

} // namespace sluice::remote
