//===- Lookups.h - keys that are known before their row runs ----*- C++ -*-===//
//
// A look-up in a set or map that is larger than the cache waits for memory. Where the key is a
// field of the input, a batch has the keys of all its rows, so that the look-ups of many rows can
// begin at once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"
#include <vector>

namespace sluice {

/// A ring (passes/expand/window/Ring.h) in the values of a map: the ways from such a value to the
/// list, to the position of the oldest element and to the number of elements, outermost first.
struct RingOfKey {
  llvm::SmallVector<unsigned> slots, head, count;
  spl::ListType list;
};

/// A state variable of set or map type that a handler looks up by a field of its input.
struct KeyedLookup {
  unsigned state;                  // index of the state variable
  llvm::SmallVector<unsigned> key; // the way from the tuple to the key, outermost first
  mlir::Type table;                // a SetType or MapType
  std::vector<RingOfKey> rings;    // of the values that it finds
};

/// The look-ups of the handler of an input port, each once.
std::vector<KeyedLookup> keyedLookups(stream::OperatorOp op, unsigned port);

} // namespace sluice
