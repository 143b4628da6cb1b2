//===- QueueClient.h - what the queues call ----------------------*- C++ -*-===//
//
// The side of the running program that the templates of runtime/queue call: runtime/queue/Flow.h
// and Tickets.h say when they call what. Self::user is the Thread, Port::user the InPort, an Item
// a Batch, and a token is a Domain. What several threads inside a domain do is in shared/.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/Inline.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/queue/Scheduler.h"

namespace sluice {

class QueueClient {
public:
  using Self = queue::Self<RealSys>;
  using Token = queue::OwnershipToken<RealSys>;
  using Port = queue::Port<RealSys>;
  using Run = queue::Run<RealSys>;
  /// What a thread had before it entered a domain.
  struct Saved {
    Heap *heap;
    OutPort *ports;
    Run *run;
  };

  // Behind a token. The first two are inline: a call through a boundary is one function.
  Saved enter(Self &, Token &);
  void leave(Self &, Token &, const Saved &);
  int32_t run(Self &, Port &, queue::Item);
  int32_t runInline(Self &, Port &, queue::Item);
  void beginWait(Self &);
  void endWait(Self &, Port &, uint64_t nanos);

  // With a ticket.
  bool isAlone(Port &, queue::Item);
  int32_t runTicket(Self &, Run &, queue::Item);
  int32_t handOut(Self &, Run &);

  // Where state is sharded by key.
  void split(Self &, Token &);
  void unite(Self &, Token &);
  void partition(Self &, Run &, queue::Item);
  int32_t runPart(Self &, Run &, uint32_t shard);
  void join(Self &, Run &);
};

inline Thread &threadOf(QueueClient::Self &self) { return *static_cast<Thread *>(self.user); }
inline InPort &inPortOf(const QueueClient::Port &port) { return *static_cast<InPort *>(port.user); }

SLUICE_INLINE QueueClient::Saved QueueClient::enter(Self &self, Token &token) {
  Thread &t = *static_cast<Thread *>(self.user);
  auto *domain = static_cast<Domain *>(&token);
  t.self = &self;
  t.domains.push_back(domain);
  Saved outer = {t.ctx.heap, t.ports, t.run};
  t.ctx.heap = &domain->heap;
  t.run = nullptr;
  usePorts(t, t.program.outPorts.data());
  return outer;
}

SLUICE_INLINE void QueueClient::leave(Self &self, Token &, const Saved &saved) {
  Thread &t = *static_cast<Thread *>(self.user);
  t.domains.pop_back();
  t.ctx.heap = saved.heap;
  t.run = saved.run;
  usePorts(t, saved.ports);
}

/// Runs the segment of an input port for a batch that came from its ring. The batch is not the
/// caller's any more. 0, or -1: the program is failing, which was reported.
int32_t runQueued(Thread &, InPort &, Batch *);

} // namespace sluice
