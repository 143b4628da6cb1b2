//===- Tickets.h - several workers inside one domain ------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Sent.h"
#include "runtime/exec/state/Thread.h"
#include "runtime/exec/state/Tickets.h"
#include "sluice/abi.h"

namespace sluice {

/// The thread goes to a ticket of the domain, or to a part of one: it has output ports and a heap
/// of its own. The caller keeps its Place.
void enterTicket(Thread &, Run &, const Domain &);

/// True if the batch must not run beside others: by the owner of the token, without a ticket.
bool mustRunAlone(const queue::Port<RealSys> &, const Batch &);
/// Forwards a batch of the thread's ticket: sends it if the turn has come, else keeps it for that.
Sent forwardInRun(Thread &, uint32_t port, Batch *);
/// The turn of the run has come: sends what it has kept and records its failure. By who has the
/// turn. 0, or -1: the program is failing.
int32_t sendKept(Thread &, Run &);

} // namespace sluice
