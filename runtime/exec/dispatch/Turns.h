//===- Turns.h - loops where sources take turns ------------------*- C++ -*-===//
//
// By the holder of the baton. No program with a scheduler needs any of this.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Sent.h"
#include "sluice/abi.h"

namespace sluice {

/// Keeps a batch of a port that is a back edge until drainLoops().
Sent keepOnBackEdge(Thread &, uint32_t port, Batch *);
/// Runs the batches on back edges one after the other, in the order in which they were filled,
/// unless a caller already does. A program that fails or is told to stop drops them, as a loop may
/// feed itself for ever. 0, or -1: the program is failing.
int32_t drainLoops(Thread &);

} // namespace sluice
