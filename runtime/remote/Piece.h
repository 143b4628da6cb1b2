//===- Piece.h - a part of a message ----------------------------*- C++ -*-===//
#pragma once
#include <cstddef>

namespace sluice::remote {

/// Bytes that belong to somebody else.
struct Piece {
  const void *data;
  size_t bytes;
};

} // namespace sluice::remote
