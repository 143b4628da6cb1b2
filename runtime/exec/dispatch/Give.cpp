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
  __builtin_prefetch(&t.program.out.ports[in.inPlaceOutput - 1]);
  __builtin_prefetch(&next->code);
  next->port.prefetch();
  __builtin_prefetch(port.onward.domain);
}

/// Queues a batch at a port of a loop. False: the loop holds more than it may, which was reported.
static bool pushIntoLoop(Thread &t, uint32_t index, InPort &in, Batch *b, uint32_t bytes) {
  Program &p = t.program;
  if (p.queues.scheduler->pushLoop(*t.self, in.port, b, bytes))
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
  PortState &port = t.program.out.ports[index];
  prefetchOnward(t, port, in);
  uint32_t bytes = bytesOf(port, b);
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, 1, __ATOMIC_RELAXED);
  countQueued(t, 1);
  int32_t status = 0;
  if (t.program.queues.scheduler->push(*t.self, in.port, b, bytes, status) ==
      queue::Pushed::Queued) {
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
               : t.program.queues.scheduler->push(*t.self, in.port, b, bytes, status) ==
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
  return callSegment(t, in, desc.inPlaceOutput, t.program.table.instances.ofIn(in),
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

//===--- one channel runs a batch for all ----------------------------------------===//

/// How one channel may run a batch of the port for all, or null. Nobody can tell which one does,
/// and the thread is alone with all channels, which are called. So all that was dealt before has
/// left the region, and tuples of a channel keep their order. Who looks at a port sees its own
/// tuples.
static WholeBatches *whoRunsWhole(Thread &t, uint32_t index, const Batch *b) {
  Program &p = t.program;
  auto &all = p.table.instances.partitioners[index];
  if (all.empty() || !all.front().whole || b->rows < 2 || b->punctCount || !p.queues.scheduler ||
      (p.taps && p.taps->any()))
    return nullptr;
  WholeBatches &whole = *all.front().whole;
  for (uint32_t port : whole.inPorts) {
    InPort *in = p.queues.domains.inPorts[port].get();
    // relaxed: as Port::setMode() says. The batch is run at once also if the mode changes now.
    if (!in || in->port.mode.load(std::memory_order_relaxed) != queue::Mode::Direct ||
        !Scheduler::isAlone(in->port))
      return nullptr;
  }
  return &whole;
}

namespace {
/// The way of one batch through the segments of the channel that runs it for all.
class ForAll {
public:
  /// Deals `rows` rows by turns.
  ForAll(Thread &t, WholeBatches &whole, Split &split, uint32_t rows)
      : t(t), whole(whole), by(whole.next), first(split.next[0]) {
    split.next[0] = (first + rows) % split.width;
    whole.next = by + 1 == split.width ? 0 : by + 1;
  }
  /// Runs a batch, which is the segment's for good, at a segment of the channel.
  int32_t run(uint32_t at, Batch *b);

private:
  int32_t runRows(uint32_t at, const InPort &in, Batch *b);
  int32_t pass(uint32_t at, uint32_t outPort);
  void nameChannel();

  Thread &t;
  WholeBatches &whole;
  const uint32_t by, first; // the channel, and the one to which the first row was dealt
};
} // namespace

int32_t ForAll::run(uint32_t at, Batch *b) {
  InPort &in = *t.program.queues.domains.inPorts[whole.inPorts[by * whole.segments() + at]];
  if (takesNoMore(t, in)) {
    giveBack(t, b);
    return 0;
  }
  const uint32_t rows = b->rows;
  DealtCounts &counts = whole.counts[at];
  counts.add(by, first, rows);
  const Place before = t.program.queues.client->enter(*t.self, in.port.token);
  int32_t status =
      callWith(t, in.id, *domainOf(in).replica, b, in.runs(), [&] { return runRows(at, in, b); });
  noteFailure(t, in, status);
  t.program.queues.client->leave(*t.self, in.port.token, before);
  if (t.rowsRun < rows) {
    counts.takeBack(by, first, rows);
    counts.add(by, first, t.rowsRun);
  }
  return status;
}

int32_t ForAll::runRows(uint32_t at, const InPort &in, Batch *b) {
  const uint32_t out = in.inPlaceOutput - 1;
  t.ctx.channels = whole.channels.data() + first;
  t.ctx.channel -= by;
  auto [status, forwards] = fillAnew(t, in.code, b, out);
  t.ctx.channels = kOwnChannel;
  t.ctx.channel += by;
  if (status < 0) {
    nameChannel();
    status = unwind(t, [&] { pass(at, out); });
  } else if (forwards) {
    status = pass(at, out);
  }
  dropRest(t, out);
  return status;
}

/// Hands on what the segment has made: to the next one of the channel, or to whoever is behind.
int32_t ForAll::pass(uint32_t at, uint32_t outPort) {
  Batch *b = t.at.ports[outPort].batch;
  if (!b->rows || at + 1 == whole.segments())
    return forward(t, outPort);
  PortState &port = begin(t, outPort, b);
  t.counted.forwarded += t.stamps;
  setBatch(t.at.ports, outPort, nullptr);
  int32_t status = run(at + 1, b);
  port.busy = false;
  return status;
}

/// The failure is that of the channel to which the row was dealt.
void ForAll::nameChannel() {
  const Replica &one = *t.ctx.replica;
  const int32_t channel = one.channel - int32_t(by) + whole.channels[first + t.ctx.failedRow];
  if (t.trouble.pending)
    t.trouble.pending->op += t.program.table.instances.channelOf(one, channel).op - one.op;
}

__attribute__((noinline)) Sent giveToEach(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  const PortState &port = p.out.ports[index];
  if (WholeBatches *whole = whoRunsWhole(t, index, b)) {
    Split &split = p.table.instances.partitioners[index].front().levels.front();
    return {ForAll(t, *whole, split, b->rows).run(0, b), BatchFate::Forwarded};
  }
  const OutPortDesc &desc = *port.desc;
  uint32_t bytes = bytesOf(port, b), held = 0;
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, desc.segmentCount, __ATOMIC_RELAXED);
  Parcels parcels(t, index, b);
  while (parcels.next()) {
    const uint32_t i = parcels.consumer();
    Batch *given = parcels.batch();
    InPort *in = p.queues.domains.inPorts[desc.consumers[i]].get();
    Sent sent = !in ? call(t, desc, i, given)
                : !p.queues.scheduler
                    ? giveInTurn(t, desc, i, *in, given)
                    : giveAcross(t, index, *in, p.queues.domains.inLoop[index][i], given,
                                 parcels.isWhole() ? bytes : bytesOf(port, given));
    held += sent.fate == BatchFate::Queued && parcels.isWhole() && !in->inPlaceOutput;
    parcels.note(sent);
  }
  return parcels.all(held);
}

Sent give(Thread &t, uint32_t index, Batch *b) {
  InPort *only = t.program.out.ports[index].only;
  return only ? giveToOnly(t, index, *only, b) : giveToEach(t, index, b);
}

} // namespace sluice
