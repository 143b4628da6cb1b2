//===- Tickets.h - what a run of a ticket has of its own ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/dispatch/Batches.h"

namespace sluice {

using Run = queue::Run<RealSys>;

/// What a run keeps until its turn.
struct Kept {
  std::vector<std::pair<uint32_t, Batch *>> batches; // and the ports that they leave by
  std::optional<Failure> failure;                    // that came after them, not yet noted
};

inline InPort &inPortOf(const Run &run) { return *static_cast<InPort *>(run.port->user); }

/// The thread runs a ticket, or a part of one, until the end of the scope.
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

} // namespace sluice
