//===- Tickets.h - several workers inside one domain --------------*- C++ -*-===//
#pragma once
#include "runtime/exec/dispatch/Sent.h"
#include "runtime/exec/program/Thread.h"
#include "sluice/abi.h"
#include <optional>
#include <utility>
#include <vector>

namespace sluice {

using Run = queue::Run<RealSys>;

/// What the run of a ticket keeps until its turn. By the thread that runs the ticket, then by the
/// one that releases it.
struct Kept {
  std::vector<std::pair<uint32_t, Batch *>> batches; // with the output ports that they leave by
  std::optional<Failure> failure;                    // that came after them, not yet recorded
};

inline InPort &inPortOf(const Run &run) { return *static_cast<InPort *>(run.port->user); }

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
