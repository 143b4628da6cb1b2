//===- Wire.h - tags of the messages of a link ------------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice::remote::wire {

constexpr uint64_t kExact = ~uint64_t(0);
// To the receiver. A frame or, of the size `Large`, what tells that one comes: into a posted
// buffer.
constexpr uint64_t kFrame = 0x10, kLarge = 0x11, kFrameMask = ~uint64_t(1);
constexpr uint64_t kBody = 0x20;  // a large frame
constexpr uint64_t kEnd = 0x30;   // `End`: there are no more frames
constexpr uint64_t kProbe = 0x50; // nothing: has room when what was sent before has left
// To the sender.
constexpr uint64_t kCredit = 0x40; // `Credit`
// A byte on the control socket, by the receiver: it has taken the last frame.
constexpr char kTaken = 'E';

struct Large {
  uint64_t bytes;
};
struct End {
  uint64_t frames; // that were sent
};
struct Credit {
  uint64_t buffers; // that were posted
};

} // namespace sluice::remote::wire
