//===- Lookahead.h - keys that later rows look up ---------------*- C++ -*-===//
//
// A look-up in a set or map that is larger than the cache costs two misses, one after
// the other: the index and the entry. A batch has the keys of all its rows, so a
// segment prefetches for later rows.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"

namespace sluice {

/// A state variable of set or map type that a handler looks up by a column of
/// its input.
struct KeyedLookup {
  unsigned state;  // index of the state variable
  unsigned column; // index of the batch's column
  mlir::Type table;
};

/// The look-ups of the handler of an input port, each once.
llvm::SmallVector<KeyedLookup> keyedLookups(stream::OperatorOp op, unsigned port);

/// How many rows ahead the index and the entry are fetched. A row takes about 10 to
/// 50 ns and a miss about 100 ns.
constexpr int64_t kIndexAhead = 16, kEntryAhead = 8;

} // namespace sluice
