//===- QueueClient.cpp - what the queues call -----------------------------===//
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Segments.h"
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/stop/EndInside.h"

namespace sluice {

static Thread &threadOf(QueueClient::Self &self) { return *static_cast<Thread *>(self.user); }
static InPort &inPortOf(QueueClient::Port &port) { return *static_cast<InPort *>(port.user); }

//===--- behind a token -----------------------------------------------------===//

namespace {
/// While it lives the thread runs what is of a queue, in the domain that it has entered last. What
/// the thread has begun before may be of other frames: a wait does not forward that with the
/// receipt of this.
class FromQueue {
public:
  explicit FromQueue(Thread &t) : t(t), outer(t.began) {
    if (t.acknowledges)
      t.began = {t.domains.size() - 1, t.linked};
  }
  ~FromQueue() { t.began = outer; }
  FromQueue(const FromQueue &) = delete;

private:
  Thread &t;
  const decltype(Thread::began) outer;
};
} // namespace

int32_t QueueClient::run(Self &self, Port &port, queue::Item item) {
  Thread &t = threadOf(self);
  InPort &in = inPortOf(port);
  auto *b = static_cast<Batch *>(item);
  const FromQueue fromQueue(t);
  if (b->pool == DropQueue::kPlaceholder)
    return runKept(t, in);
  int32_t result = in.port.token.hasTickets() && in.domain.shards ? runOverShards(t, in, b)
                                                                  : runQueued(t, in, b);
  if (in.port.loop)
    leaveLoop(t, *in.loop);
  if (in.underWay)
    in.underWay->end();
  countRan(t);
  return result;
}

int32_t QueueClient::runInline(Self &self, Port &port, queue::Item item) {
  InPort &in = inPortOf(port);
  Thread &t = threadOf(self);
  countQueued(t, -1); // it is not in flight while it runs; who pushed takes back its own count
  int32_t result = runWithBatch(t, in, static_cast<Batch *>(item), in.runs());
  countQueued(t, 1);
  return result;
}

void QueueClient::beginWait(Self &self) {
  Thread &t = threadOf(self);
  t.counters.beginWait();
  beginStill(t);
}

void QueueClient::endWait(Self &self, Port &port, uint64_t nanos) {
  Thread &t = threadOf(self);
  endStill(t);
  t.counters.endWait();
  t.counters.blocked.add(nanos);
  t.counters.in[inPortOf(port).id].blocked.add(nanos);
  t.counters.in[inPortOf(port).id].waits.add(1);
}

//===--- with a ticket ------------------------------------------------------===//

bool QueueClient::isAlone(Port &port, queue::Item item) {
  return mustRunAlone(port, *static_cast<const Batch *>(item));
}

int32_t QueueClient::runTicket(Self &self, Run &run, queue::Item item) {
  Thread &t = threadOf(self);
  t.self = &self;
  InPort &in = inPortOf(run);
  Visit visit(t, run, in.domain);
  return runQueued(t, in, static_cast<Batch *>(item));
}

int32_t QueueClient::handOut(Self &self, Run &run) { return sendKept(threadOf(self), run); }

//===--- where state is sharded by key --------------------------------------===//

void QueueClient::split(Self &self, Token &token) {
  auto &domain = static_cast<Domain &>(token);
  Thread &t = threadOf(self);
  if (!domain.shards)
    domain.shards = std::make_unique<KeyShards>(t.program, inPortOf(*token.ports));
  domain.shards->partition(t);
}

void QueueClient::unite(Self &self, Token &token) {
  static_cast<Domain &>(token).shards->unite(threadOf(self));
}

void QueueClient::partition(Self &, Run &run, queue::Item item) {
  partitionRows(run, static_cast<Batch *>(item));
}

int32_t QueueClient::runPart(Self &self, Run &run, uint32_t shard) {
  Thread &t = threadOf(self);
  t.self = &self;
  runPartOf(t, run, shard);
  return 0; // a failure waits for the end of the ticket
}

void QueueClient::join(Self &self, Run &run) {
  Thread &t = threadOf(self);
  t.self = &self;
  endParts(t, run);
}

} // namespace sluice
