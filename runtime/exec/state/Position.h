//===- Position.h - where a thread is ---------------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Thread.h"
#include "runtime/memory/Arena.h"
#include "runtime/queue/Ready.h"
#include "runtime/queue/Turn.h"
#include "sluice/abi.h"

namespace sluice {

/// Makes the output ports those that generated code finds in the thread's context.
inline void usePorts(Thread &t, OutPort *ports) {
  t.ports = ports;
  t.ctx.ports = ports + t.ctx.replica->out;
}

/// While it lives the thread runs code of a replica.
class Inside {
public:
  Inside(Thread &t, const Replica &replica) : t(t), before(*t.ctx.replica) {
    if (&replica != &before)
      enter(t, replica);
  }
  ~Inside() {
    if (t.ctx.replica != &before)
      enter(t, before);
  }
  Inside(const Inside &) = delete;

  /// Makes the context of the thread that of the replica, for good.
  static void enter(Thread &, const Replica &);

private:
  Thread &t;
  const Replica &before;
};

} // namespace sluice
