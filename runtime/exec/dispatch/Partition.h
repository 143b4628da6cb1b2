//===- Partition.h - the rows of a stream go to channels ---------*- C++ -*-===//
//
// All functions are called by whoever is inside the domain of the output port, which the
// partitioner belongs to.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/program/Instances.h"
#include "sluice/abi.h"

namespace sluice {

/// Finds out which rows of a batch each consumer of the partitioner gets. Returns the consumer that
/// gets all of them, if there is one and the batch has no punctuation; else -1.
int32_t partition(const OutPortDesc &, Partitioner &, const Batch *);
/// True if each of its consumers may get the batch as it is: it holds nothing but punctuation.
bool isForAll(const Partitioner &, const Batch *);
/// Fills the empty batch `part` with what consumer `i` of the partitioner gets. False: nothing.
bool fillPart(const OutPortDesc &, const Partitioner &, uint32_t i, const Batch *from, Batch *part);
/// Consumer `i` has failed at row `row` of its part: the consumers behind it get only what comes
/// before that row in the whole batch.
void cutBehind(Partitioner &, uint32_t i, uint32_t row, Batch *whole);

} // namespace sluice
