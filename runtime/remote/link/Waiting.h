//===- Waiting.h - what a thread does while nothing comes -------*- C++ -*-===//
//
// Pure: times are given, and what to do is returned. `Patience` does it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice::remote {

enum class Wait {
  Poll,      // look all the time
  Interrupt, // block until the transport says that there is something
  Sleep,     // look, and sleep for a fixed time
  Auto       // sleep as long as half of the ring takes to fill; block when little comes
};

struct WaitOptions {
  Wait wait = Wait::Auto;
  int64_t sleepNanos = 10'000'000;   // of Sleep
  int64_t latencyNanos = 10'000'000; // Auto sleeps for no longer
  uint32_t ring = 100;               // frames that can come while nobody looks
};

/// What to do before the next look.
struct Step {
  enum class Kind { Spin, Block, Sleep } kind;
  int64_t nanos = 0; // of Sleep

  bool operator==(const Step &) const = default;
};

class Waiting {
public:
  explicit Waiting(const WaitOptions &options) : options(options), gather(most()) {}
  /// A look found a frame.
  void found() { ++frames; }
  /// A look found nothing at `now`.
  Step idle(int64_t now);

private:
  double most() const { return options.ring > 2 ? options.ring / 2 : 1; }
  Step follow(int64_t now);
  void learn(int64_t passed);

  WaitOptions options;
  uint32_t frames = 0; // found since the last step
  uint32_t blocks = 0; // steps of blocking that have found something since the last sleep
  int64_t since = -1;  // when the last step began; -1: there was none
  Step last{Step::Kind::Block};
  double interval = 0;  // ns between frames, smoothed
  uint32_t samples = 0; // since the last pause
  double gather;        // frames that a sleep is to gather
  double recover = 1;   // what is added to it for each frame that comes while it blocks
};

} // namespace sluice::remote
