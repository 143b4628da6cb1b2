//===- Ports.h - a port forwards its batch -----------------------*- C++ -*-===//
//
// All functions take the thread that is inside the domain of the port (or of the input port).
// They return 0, or -1: the program is failing, and the failure was reported.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>

namespace sluice {

struct InPort;

/// Forwards what the port holds, if anything.
int32_t forward(Thread &, uint32_t port);
/// Forwards every port except those whose consumers are running. Where sources take turns, also
/// runs what waits on back edges unless a caller already does.
int32_t forwardAll(Thread &);

/// Where sources take turns: runs the batches on back edges one after the other, in the order in
/// which they were filled. A program that fails or is told to stop drops them, as a loop may feed
/// itself for ever.
int32_t drainLoops(Thread &);

/// Gives a batch to the consumers of a port: some run it now, others queue it. Sets `gone` if the
/// batch is not the caller's any more.
int32_t sendNow(Thread &, uint32_t port, Batch *, bool &gone);
/// The same; the port then has an empty batch again.
int32_t sendAway(Thread &, uint32_t port, Batch *);
/// The same as sendNow() for a port whose consumers are all called.
int32_t callConsumers(Thread &, uint32_t port, Batch *, bool &gone);
/// Gives the port an empty batch after its batch was sent: `batch` itself unless it is `gone`. One
/// that forwards in place gets none.
void refill(Thread &, uint32_t port, Batch *batch, bool gone);

/// Runs the segment of an input port for a batch that came from its ring. The batch is not the
/// caller's any more.
int32_t runQueued(Thread &, InPort &, Batch *);

} // namespace sluice
