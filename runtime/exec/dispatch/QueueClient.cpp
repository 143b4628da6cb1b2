//===- QueueClient.cpp - what the queues call ----------------------------===//
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/ending/Still.h"
#include "runtime/exec/state/Tickets.h"

namespace sluice {

//===--- behind a token -----------------------------------------------------===//

/// A batch of the port is about to run: prefetches what its own forward to a queue will touch.
static SLUICE_INLINE void prefetchPush(const Thread &t, const InPort &in) {
  const InPort *next = in.inPlaceOutput ? t.program.out.ports[in.inPlaceOutput - 1].only : nullptr;
  if (!next)
    return;
  next->port.ring.prefetchSlot();
  __builtin_prefetch(&t.counters.in[next->id], 1);
}

int32_t runQueued(Thread &t, InPort &in, Batch *b) {
  uint32_t inPlaceOutput = in.inPlaceOutput;
  prefetchPush(t, in);
  bool isFinal = b == &in.finalBatch;
  if (isFinal && inPlaceOutput) { // the segment may keep its batch, but finalBatch is the port's
    b = takeBatch(t, inPlaceOutput - 1);
    addPunct(b, {0, PunctuationKind::Final});
    b->birth = 0;
    isFinal = false;
  }
  if (inPlaceOutput)
    return runWithBatch(t, in, b, t.counters.in[in.id]);
  Sent sent = runSegment(t, in, b, t.counters.in[in.id]);
  if (!isFinal)
    releaseBatch(t, b);
  return sent.status;
}

int32_t QueueClient::run(Self &self, Port &port, queue::Item item) {
  Thread &t = threadOf(self);
  InPort &in = inPortOf(port);
  auto *b = static_cast<Batch *>(item);
  // What the thread has begun before may be of other frames: a wait does not forward that with the
  // receipt of this.
  const At<Begun> begun(t);
  if (t.acknowledges)
    t.at.began = {t.entered.domains.size() - 1, t.entered.linked};
  if (b->pool == DropQueue::kPlaceholder)
    return runKept(t, in);
  int32_t result = in.port.token.hasTickets() && in.domain.shards
                       ? t.program.above.overShards(t, in, b)
                       : runQueued(t, in, b);
  if (in.port.loop)
    leaveLoop(t, *in.loop);
  if (in.underWay)
    endUnderWay(*in.underWay);
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

void QueueClient::beginSpace(Self &self, Port &port) {
  Thread &t = threadOf(self);
  t.counters.beginBlocked(ThreadCounters::AtPort + inPortOf(port).id, os::now());
  beginStill(t);
}

void QueueClient::endSpace(Self &self, uint64_t nanos) {
  Thread &t = threadOf(self);
  endStill(t);
  t.counters.endBlocked(nanos);
}

void QueueClient::beginTurn(Self &self) {
  Thread &t = threadOf(self);
  t.counters.beginWait();
  beginStill(t);
}

void QueueClient::endTurn(Self &self) {
  Thread &t = threadOf(self);
  endStill(t);
  t.counters.endWait();
}

} // namespace sluice
