//===- Forward.h - a port forwards its batch ---------------------*- C++ -*-===//
//
// By the thread that is inside the domain of the port. The functions return 0, or -1: the program
// is failing, which was reported.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Sent.h"
#include "sluice/abi.h"

namespace sluice {

/// Forwards what the port holds, if anything; the port then has an empty batch again.
int32_t forward(Thread &, uint32_t port);
/// Forwards every port except those whose consumers are running. Where sources take turns, also
/// runs what waits on back edges unless a caller already does.
int32_t forwardAll(Thread &);

/// Gives a batch to the consumers of a port, which is busy meanwhile. What the port itself holds
/// stays there.
Sent sendNow(Thread &, uint32_t port, Batch *);

} // namespace sluice
