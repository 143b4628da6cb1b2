//===- KeyRuns.h - running rows with the state of their shard -----*- C++ -*-===//
#pragma once
#include "runtime/exec/state/InPort.h"
#include "runtime/exec/state/Sent.h"
#include "runtime/exec/state/Tickets.h"

namespace sluice {

/// Partitions the rows of a batch to the parts of the ticket. By the owner of the token.
void partitionRows(Run &, Batch *);
/// Runs the rows that shard `shard` has of the ticket. By who has the turn of the shard.
void runPartOf(Thread &, Run &, uint32_t shard);
/// All parts of the ticket have run: their outputs are joined, for the turn of the ticket.
void endParts(Thread &, Run &);
/// Keeps a batch that the thread's part has filled until the ticket ends.
Sent forwardInPart(Thread &, uint32_t port, Batch *);
/// Runs a batch while nobody else is inside, each row with the state of its shard. The batch is not
/// the caller's any more. 0, or -1: the program is failing.
int32_t runOverShards(Thread &, InPort &, Batch *);

} // namespace sluice
