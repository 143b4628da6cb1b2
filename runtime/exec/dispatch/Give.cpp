//===- Give.cpp - a batch goes to the consumers of its port ---------------===//
#include "runtime/exec/dispatch/Give.h"
#include "runtime/exec/batch/Partition.h"
#include "runtime/exec/dispatch/Call.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Failures.h"
#include <algorithm>

namespace sluice {

/// Prefetches what the consumer's own forward will touch, in case this thread runs the consumer. In
/// a large program none of it is in the cache otherwise.
static SLUICE_INLINE void prefetchOnward(const Thread &t, const PortState &port, const InPort &in) {
  InPort *next = port.onward.only;
  if (!next || t.isSource)
    return;
  __builtin_prefetch(&t.program.ports[in.inPlaceOutput - 1]);
  __builtin_prefetch(&next->code);
  next->port.prefetch();
  __builtin_prefetch(port.onward.domain);
}

/// Queues a batch at a port of a loop. False: the loop holds more than it may, which was reported.
static bool pushIntoLoop(Thread &t, uint32_t index, InPort &in, Batch *b, uint32_t bytes) {
  Program &p = t.program;
  if (p.scheduler->pushLoop(*t.self, in.port, b, bytes))
    return true;
  sl_error(&t.ctx,
           "the feedback loop that this operator's output port %u closes multiplies tuples: the "
           "queue at operator %s "
           "has reached the memory budget",
           index - p.desc.operators[p.desc.outPorts[index].op].firstOut,
           p.desc.operators[p.desc.inPorts[p.desc.outPorts[index].consumers[0]].op].name);
  fail(t, p.desc.outPorts[index].op, 0, false);
  reportPending(t);
  return false;
}

/// Counts a batch that the thread has queued. A moment later the ring held `depth` batches; by then
/// this one may already have been taken out.
static void countPushed(Thread &t, const InPort &in, uint32_t bytes, uint64_t depth) {
  InPortCounters &counters = t.counters.in[in.id];
  counters.queued.add(1);
  counters.bytes.add(bytes);
  counters.highest.atLeast(std::max<uint64_t>(depth, 1));
}

/// give() to the only consumer of the port (PortState::only).
static Sent giveToOnly(Thread &t, uint32_t index, InPort &in, Batch *b) {
  PortState &port = t.program.ports[index];
  prefetchOnward(t, port, in);
  uint32_t bytes = bytesOf(port, b);
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, 1, __ATOMIC_RELAXED);
  countQueued(t, 1);
  int32_t status = 0;
  if (t.program.scheduler->push(*t.self, in.port, b, bytes, status) == queue::Pushed::Queued) {
    countPushed(t, in, bytes, in.port.ring.size());
    return {status, BatchFate::Queued};
  }
  countQueued(t, -1);
  return {status, in.inPlaceOutput ? BatchFate::Forwarded : BatchFate::Mine};
}

/// Gives a batch to a consumer with a boundary that the edge `loop` (it is in a loop) leads to.
static Sent giveAcross(Thread &t, uint32_t index, InPort &in, bool loop, Batch *b, uint32_t bytes) {
  const bool waits = !loop && !in.drops; // for room
  const bool inPlaceOutput = in.inPlaceOutput;
  countQueued(t, 1);
  if (in.loop)
    enterLoop(*in.loop);
  if (in.underWay)
    beginUnderWay(*in.underWay);
  int32_t status = 0;
  if (in.drops ? keepOrDrop(t, in, b)
      : loop   ? pushIntoLoop(t, index, in, b, bytes)
               : t.program.scheduler->push(*t.self, in.port, b, bytes, status) ==
                     queue::Pushed::Queued) {
    countPushed(t, in, bytes, depthOf(in));
    return {status, BatchFate::Queued};
  }
  countQueued(t, -1);
  if (in.loop)
    leaveLoop(t, *in.loop);
  if (in.underWay)
    endUnderWay(*in.underWay);
  if (waits)
    return {status, inPlaceOutput ? BatchFate::Forwarded : BatchFate::Mine};
  return {in.drops ? 0 : -1, BatchFate::Mine}; // it was dropped; or the loop is full
}

/// Calls consumer `i` of the port, which has no boundary, or no queue where sources take turns.
static Sent call(Thread &t, const OutPortDesc &port, uint32_t i, Batch *b) {
  uint32_t in = port.consumers[i];
  const InPortDesc &desc = t.program.desc.inPorts[in];
  return callSegment(t, in, desc.inPlaceOutput, t.program.instances.ofIn(in),
                     {port.segments[i], desc.rows}, b, t.counters.in[in]);
}

/// Where sources take turns: a consumer with a boundary is called, or keeps what it delays.
static Sent giveInTurn(Thread &t, const OutPortDesc &port, uint32_t i, InPort &in, Batch *b) {
  FeedbackLoop *loop = delayLoopOf(in);
  if (loop)
    enterLoop(*loop);
  if (in.runner) {
    t.program.above.keepForLater(t, in, b);
    return {0, BatchFate::Queued};
  }
  Sent sent = call(t, port, i, b);
  if (loop)
    leaveLoop(t, *loop);
  return sent;
}

__attribute__((noinline)) Sent giveToEach(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  const PortState &port = p.ports[index];
  const OutPortDesc &desc = *port.desc;
  uint32_t bytes = bytesOf(port, b), held = 0;
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, desc.segmentCount, __ATOMIC_RELAXED);
  Parcels parcels(t, index, b);
  while (parcels.next()) {
    const uint32_t i = parcels.consumer();
    Batch *given = parcels.batch();
    InPort *in = p.domains.inPorts[desc.consumers[i]].get();
    Sent sent = !in            ? call(t, desc, i, given)
                : !p.scheduler ? giveInTurn(t, desc, i, *in, given)
                               : giveAcross(t, index, *in, p.domains.inLoop[index][i], given,
                                            parcels.isWhole() ? bytes : bytesOf(port, given));
    held += sent.fate == BatchFate::Queued && parcels.isWhole() && !in->inPlaceOutput;
    parcels.note(sent);
  }
  return parcels.all(held);
}

Sent give(Thread &t, uint32_t index, Batch *b) {
  InPort *only = t.program.ports[index].only;
  return only ? giveToOnly(t, index, *only, b) : giveToEach(t, index, b);
}

} // namespace sluice
