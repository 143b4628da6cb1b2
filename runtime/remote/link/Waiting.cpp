//===- Waiting.cpp - what a thread does while nothing comes ---------------===//
#include "runtime/remote/link/Waiting.h"
#include <algorithm>

namespace sluice::remote {

/// A shorter sleep is not worth it: at such rates most looks find something anyway, and a sender
/// over TCP, which has less room than the ring, takes more time for each frame.
static constexpr int64_t kShortest = 500'000;
/// Waits for a frame that the interval is the mean of, about.
static constexpr uint32_t kSamples = 16;
/// A sleep that found less than this part of what was expected: the sender had to wait.
static constexpr double kShort = 0.8;
/// The least of `recover`: how soon a sleep is tried again where sleeps found little.
static constexpr double kLeastRecover = 1.0 / 32;
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
/// transport may hold fewer than the ring, and then the sender waits. While this thread blocks
/// nothing keeps the sender waiting. The first time it blocks ends at a frame and began at any
/// moment, which says nothing.
void Waiting::learn(int64_t passed) {
  double found = frames, seen = double(passed) / std::max(found, 1.0);
  if (last.kind == Step::Kind::Block) {
    if (gather < kWorth) // else sleeps say how many
      gather = std::min({gather + recover * found, kWorth, most()});
    if (++blocks == 1)
      return;
    samples = std::min(samples + 1, kSamples);
    double weight = 1.0 / samples;
    interval = (1 - weight) * interval + weight * seen;
  } else if (found == 0) {
    samples = 0; // the stream has paused
  } else if (found < kShort * double(passed) / interval) {
    gather = std::max(0.6 * found, 1.0);
    recover = std::max(recover / 2, kLeastRecover);
  } else {
    recover = std::min(2 * recover, 1.0);
    gather = std::min(gather + 0.5, most());
  }
}

/// Two steps of blocking follow each sleep.
Step Waiting::follow(int64_t now) {
  bool slept = last.kind == Step::Kind::Sleep;
  if (since >= 0 && !slept && !frames)
    return last; // woken by a part of a frame, or by nothing: it goes on
  if (since >= 0)
    learn(std::max<int64_t>(now - since, 1));
  since = now;
  frames = 0;
  double nanos = std::min(gather * interval, double(options.latencyNanos));
  bool worth = nanos >= double(kShortest) && nanos >= kWorth * interval;
  if (slept || blocks < 2 || samples < kSamples || !worth) {
    blocks = slept ? 0 : blocks;
    return last = {Step::Kind::Block};
  }
  return last = {Step::Kind::Sleep, int64_t(nanos)};
}

} // namespace sluice::remote
