//===- Credits.h - how many frames may be on their way ----------*- C++ -*-===//
//
// A credit is room for a frame at the receiver, or in what carries it, that the sender has not
// used: a frame that was consumed makes room for another one. The receiver says how many it has
// made `grant` at a time. A sender sends while it has credits. Both sides are pure: they hold
// numbers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <algorithm>
#include <cstdint>

namespace sluice::remote {

struct CreditOptions {
  uint32_t ring = 100;  // frames that may be on their way
  uint32_t grant = 10;  // frames that the receiver consumes before it says so
  uint32_t window = 10; // frames that the sender has begun to send and not sent; and the receives
                        // for credits that it posts
  uint32_t low = 5;     // it posts such receives again when so many are left

  /// The numbers with which the two sides never wait for each other: 1 <= grant <= ring, and so on.
  CreditOptions sound() const {
    CreditOptions o;
    o.ring = std::max(ring, 1u);
    o.grant = std::clamp(grant, 1u, o.ring);
    o.window = std::clamp(window, 1u, o.ring);
    o.low = std::min(low, o.window - 1);
    return o;
  }
};

/// The sender's side.
class SenderCredits {
public:
  explicit SenderCredits(CreditOptions options) : options(options.sound()) {}

  bool maySend() const { return left > 0 && inFlight < options.window; }
  void begin() { --left, ++inFlight; }
  void complete() { --inFlight; }
  /// A message said that `count` buffers were posted. False: that are more than the receiver can
  /// have.
  bool granted(uint32_t count) {
    if (count == 0 || count > options.ring - std::min(options.ring, left))
      return false;
    left += count;
    --receives;
    return true;
  }
  /// How many receives for credits are to be posted now.
  uint32_t refill() {
    if (receives > options.low)
      return 0;
    uint32_t missing = options.window - receives;
    receives = options.window;
    return missing;
  }
  uint32_t credits() const { return left; }
  /// The receiver has taken all frames but fewer than it grants at a time.
  bool caughtUp() const { return left + options.grant > options.ring; }
  uint32_t sending() const { return inFlight; }

private:
  CreditOptions options;
  uint32_t left = 0;     // credits
  uint32_t inFlight = 0; // frames that were begun
  uint32_t receives = 0; // receives for credits that are posted
};

/// The receiver's side.
class ReceiverCredits {
public:
  /// `ready`: buffers for which there is room without a post.
  explicit ReceiverCredits(CreditOptions options, uint32_t ready = 0)
      : options(options.sound()), unsaid(ready) {}

  void posted() { ++unsaid; }
  /// How many buffers the sender is to be told of now; 0: not yet. The first time it is told of
  /// all, as soon as it is there.
  uint32_t due() const { return unsaid >= (told ? options.grant : options.ring) ? unsaid : 0; }
  void say(uint32_t count) { unsaid -= count, told = true; }

private:
  CreditOptions options;
  uint32_t unsaid = 0; // buffers that were posted and the sender does not know of
  bool told = false;
};

} // namespace sluice::remote
