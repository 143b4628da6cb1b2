//===- Stream.h - bytes between two processes -------------------*- C++ -*-===//
//
// One end of a stream of bytes that goes both ways. No call waits.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/Piece.h"
#include <cstddef>
#include <span>

namespace sluice::remote {

class Stream {
public:
  virtual ~Stream() = default;

  /// Writes as much as there is room for; how many bytes.
  virtual size_t write(std::span<const Piece>) = 0;
  /// Reads up to `bytes` bytes of what has come; how many.
  virtual size_t read(void *to, size_t bytes) = 0;
  /// The other end has closed, and all that has come was read.
  virtual bool isGone() const = 0;

  /// Has one of `events` when more has come or, if `writing`, when there is room, after arm()
  /// returned true.
  virtual int descriptor() const = 0;
  virtual short events(bool writing) const = 0;
  /// For who waits for more, for room, or for both. False: that is there.
  virtual bool arm(bool reading, bool writing) = 0;
};

} // namespace sluice::remote
