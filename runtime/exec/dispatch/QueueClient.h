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
  using Saved = Place;

  // Behind a token. The first two are inline: a call through a boundary is one function.
  Place enter(Self &, Token &);
  void leave(Self &, Token &, const Place &);
  int32_t run(Self &, Port &, queue::Item);
  int32_t runInline(Self &, Port &, queue::Item);
  void beginSpace(Self &, Port &);
  void endSpace(Self &, uint64_t nanos);
  void beginTurn(Self &);
  void endTurn(Self &);

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

/// Makes the heap and output ports of the domain those of the thread, which runs no ticket.
SLUICE_INLINE void goTo(Thread &t, Domain &domain) {
  Place{&domain.heap, t.program.out.filled.data(), nullptr}.restore(t);
}

SLUICE_INLINE Place QueueClient::enter(Self &self, Token &token) {
  Thread &t = threadOf(self);
  auto &domain = static_cast<Domain &>(token);
  t.self = &self;
  t.entered.domains.push_back(&domain);
  Place outer = Place::of(t);
  goTo(t, domain);
  return outer;
}

SLUICE_INLINE void QueueClient::leave(Self &self, Token &, const Place &outer) {
  Thread &t = threadOf(self);
  t.entered.domains.pop_back();
  outer.restore(t);
}

/// Runs the segment of an input port for a batch that came from its ring. The batch is not the
/// caller's any more. 0, or -1: the program is failing, which was reported.
int32_t runQueued(Thread &, InPort &, Batch *);

} // namespace sluice
