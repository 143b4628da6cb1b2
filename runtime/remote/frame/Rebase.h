//===- Rebase.h - offsets of a frame become pointers --------------*- C++ -*-===//
#pragma once
#include "runtime/remote/frame/Schema.h"

namespace sluice::remote {

/// The payload of one column: goes through it as it goes through the values, in the same order.
class Rebase {
public:
  /// Payload from `at` to `end`, bytes of the frame. Indexes are made in `arena`.
  Rebase(char *frame, uint64_t at, uint64_t end, Arena *arena)
      : frame(frame), at(at), end(end), arena(arena) {}

  /// Checks values and makes them usable. Returns what is wrong, or null.
  const char *values(const TypeDesc *, char *first, uint64_t count, uint64_t stride);
  bool isAtEnd() const { return at == end; }

private:
  const char *text(char *);
  const char *sequence(const TypeDesc *, char *);

  char *frame;
  uint64_t at, end;
  Arena *arena;
  uint64_t lastText = 0; // where the last text is, and its length
  uint32_t lastLength = 0;
};

} // namespace sluice::remote
