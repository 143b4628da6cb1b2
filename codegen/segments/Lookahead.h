//===- Lookahead.h - keys that a batch will be asked for --------*- C++ -*-===//
//
// A table that does not fit the cache costs a row two misses, one after the
// other: the index and the entry. All keys of a batch are known when its first
// row runs, so a segment asks for those of later rows ahead of time.
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

/// Those of the handler of an input port, each once.
llvm::SmallVector<KeyedLookup> keyedLookups(stream::OperatorOp op, unsigned port);

/// How many rows ahead the index and the entry are asked for. A row costs about
/// 10 to 50 ns and a miss about 100.
constexpr int64_t kIndexAhead = 16, kEntryAhead = 8;

} // namespace sluice
