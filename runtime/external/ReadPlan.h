//===- ReadPlan.h - which blocks of runs a merge reads when -----*- C++ -*-===//
//
// A merge knows from an index in which order it will use the blocks of its runs. So it can read
// several blocks of a run at once, early enough and no earlier than there is memory: the writes of
// a split of that order, played backward, are the reads (README.md).
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::external {

/// A block that will be used.
struct Use {
  uint32_t run;
  uint64_t bytes;
};
/// The next blocks of a run, which are read at once.
struct Read {
  uint32_t run, blocks;
  uint64_t bytes;
};

/// The reads for `uses`, in which the blocks of each run are in their order. If each read is made
/// as soon as there is room for it, in memory from which a block goes when it is used, then no
/// block is missing when it is used. A read is larger than `memory` only if a block is.
std::vector<Read> planReads(std::span<const Use> uses, uint32_t runs, uint64_t memory);

} // namespace sluice::external
