//===- Tickets.h - several workers inside one domain ------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Sent.h"
#include "runtime/exec/state/Thread.h"
#include "runtime/exec/state/Tickets.h"
#include "sluice/abi.h"

namespace sluice {

/// While it lives the thread runs a ticket, or a part of one: it has output ports and a heap of
/// its own.
class Visit {
public:
  Visit(Thread &, Run &, const Domain &);
  ~Visit() {
    t.run = outer;
    t.ctx.heap = heap;
    usePorts(t, ports);
  }
  Visit(const Visit &) = delete;

private:
  Thread &t;
  Heap *heap;
  OutPort *ports;
  Run *outer;
};

/// True if the batch must not run beside others: by the owner of the token, without a ticket.
bool mustRunAlone(const queue::Port<RealSys> &, const Batch &);
/// Forwards a batch of the thread's ticket: sends it if the turn has come, else keeps it for that.
Sent forwardInRun(Thread &, uint32_t port, Batch *);
/// The turn of the run has come: sends what it has kept and records its failure. By who has the
/// turn. 0, or -1: the program is failing.
int32_t sendKept(Thread &, Run &);

} // namespace sluice
