//===- Lookahead.h - look-ups by the block ----------------------*- C++ -*-===//
//
// Rows of a segment whose handler looks up its state by a field of its input run in blocks: before
// the handlers of a block run, what their look-ups touch is fetched, for all its rows at once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/Layout.h"
#include "passes/analyze/Lookups.h"

namespace sluice {

/// Where a ring lies in a value of a map, in bytes.
struct RingOffsets {
  uint64_t slots, head, count, stride;
};

/// What is fetched for the rows of a block.
struct Lookahead {
  unsigned state;  // index of the state variable
  unsigned column; // of the batch: the keys
  mlir::Type table;
  std::vector<RingOffsets> rings;
  // Rows try what was found: the first look-up of its state, as a table has one guess. Several
  // workers that read one table would only take its header from each other.
  bool guesses;
};

/// The code for the look-ups of a strip of rows.
struct AheadRows {
  struct Lookup {
    const Lookahead &what;
    layout::Column column; // of the keys
    mlir::Value table, desc;
    mlir::Value slots; // a ring of hashes, later of slots, each an i32
  };
  mlir::Value begin, batch; // the first row of the strip
  std::vector<Lookup> lookups;
};

/// Those look-ups of the handler of an input port whose key is one column.
std::vector<Lookahead> lookaheads(stream::OperatorOp op, unsigned port);

} // namespace sluice
