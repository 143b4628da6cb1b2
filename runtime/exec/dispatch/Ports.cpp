//===- Ports.cpp - a port forwards its batch ------------------------------===//
//
// To forward is to run the consumers of a port or to queue the batch for them. A port whose
// consumers are running is `busy`. Nothing is appended to it meanwhile: where a loop leads back to
// the port there is a queue, and no other thread is inside its domain.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Ports.h"
#include "runtime/exec/dispatch/Chain.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Partition.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/dispatch/Segments.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/Source.h"
#include "runtime/exec/stop/EndInside.h"
#include <algorithm>
#include <numeric>

namespace sluice {

//===--- running consumers ----------------------------------------------------===//

/// True if a batch of one row has failed at it: the consumers behind get nothing of it.
static bool isAllThatFailed(uint32_t rows, uint32_t good) { return good == rows && rows <= 1; }

/// Gives each consumer of a partitioner its part of the batch, in a batch of its own.
template <typename Give>
static void giveParts(Thread &t, uint32_t index, Partitioner &partitioner, Batch *b,
                      int32_t &result, Give give) {
  PortState &port = t.program.ports[index];
  for (uint32_t i = 0; i < partitioner.count; ++i) {
    Batch *part = takeBatch(t, index);
    __atomic_store_n(&part->refs, 0, __ATOMIC_RELAXED); // it has no reference of its own
    if (t.stamps)
      inheritStamps(part, b);
    Left left = Left::Here;
    if (fillPart(*port.desc, partitioner, i, b, part) &&
        give(partitioner.first + i, part, left) < 0) {
      result = -1;
      if (left != Left::Queued)
        cutBehind(partitioner, i, t.rowsRun, b);
    }
    if (left == Left::Here)
      giveBack(t, part);
  }
}

/// Calls `give(i, batch, left)` for each consumer in order; that sets `left` to where the batch is
/// afterwards. After a failure the consumers behind still get the rows before the one that failed.
template <typename Give>
static Left giveToAll(Thread &t, uint32_t index, Batch *b, int32_t &result, Give give) {
  Program &p = t.program;
  const OutPortDesc &desc = *p.ports[index].desc;
  std::vector<Partitioner> &partitioners = p.instances.partitioners[index];
  auto partitioner = partitioners.begin();
  Left left = Left::Here;
  for (uint32_t i = 0; i < desc.segmentCount; ++i) {
    uint32_t to = i;
    if (partitioner != partitioners.end() && i == partitioner->first) {
      Partitioner &d = *partitioner++;
      if (!isForAll(d, b) || p.desc.inPorts[desc.consumers[i]].inPlaceOutput) {
        i += d.count - 1;
        int32_t only = partition(desc, d, b);
        if (only < 0) {
          giveParts(t, index, d, b, result, give);
          continue;
        }
        to += uint32_t(only);
      }
    }
    uint32_t rows = b->rows;
    Left now = Left::Here;
    int32_t status = give(to, b, now);
    if (now != Left::Here)
      left = now;
    if (status >= 0)
      continue;
    result = -1;
    if (now == Left::Here && isAllThatFailed(rows, t.rowsRun))
      return left;
    if (now == Left::Here)
      cutBatch(b, t.rowsRun);
  }
  return left;
}

void refill(Thread &t, uint32_t index, Batch *b, bool gone) {
  PortState &port = t.program.ports[index];
  if (port.inPlace) {
    setBatch(t.ports, index, nullptr);
    if (!gone)
      giveBack(t, b);
  } else if (gone) {
    setBatch(t.ports, index, takeBatch(t, index));
  } else {
    if (t.acknowledges)
      setReceipt(b, nullptr);
    resetBatch(b, port.limit);
  }
}

static int32_t callConsumer(Thread &t, const OutPortDesc &port, uint32_t i, Batch *b, Left &left) {
  uint32_t in = port.consumers[i];
  const InPortDesc &desc = t.program.desc.inPorts[in];
  return callSegment(t, in, desc.inPlaceOutput, t.program.instances.ofIn(in),
                     {port.segments[i], desc.rows}, b, t.counters.in[in], left);
}

static Left runConsumers(Thread &t, uint32_t index, Batch *b, int32_t &result) {
  return giveToAll(t, index, b, result, [&](uint32_t i, Batch *batch, Left &left) {
    return callConsumer(t, *t.program.ports[index].desc, i, batch, left);
  });
}

//===--- sources take turns: who fills a loop runs it -----------------------------===//

/// The loop of a port if a port in it delays: it may hold batches when everybody waits.
static FeedbackLoop *delayLoopOf(const InPort *in) {
  return in && in->loop && in->loop->delays ? in->loop : nullptr;
}

/// Calls `f(loop)` for each consumer of the port that is in such a loop.
template <typename F> static void forEachDelayLoop(Program &p, uint32_t index, F f) {
  for (uint32_t i = 0; i < p.ports[index].desc->segmentCount; ++i)
    if (FeedbackLoop *loop =
            delayLoopOf(p.domains.inPorts[p.ports[index].desc->consumers[i]].get()))
      f(*loop);
}

/// Gives a batch to the consumers of its port, where sources take turns. True: it is gone.
static bool runConsumersInTurn(Thread &t, uint32_t index, Batch *b, int32_t &result) {
  // relaxed: one thread at a time. The reference of the caller keeps the batch until all have it.
  __atomic_store_n(&b->refs, 1, __ATOMIC_RELAXED);
  Left left = giveToAll(t, index, b, result, [&](uint32_t i, Batch *batch, Left &now) -> int32_t {
    const OutPortDesc &port = *t.program.ports[index].desc;
    InPort *in = t.program.domains.inPorts[port.consumers[i]].get();
    FeedbackLoop *loop = delayLoopOf(in);
    if (loop)
      enterLoop(*loop);
    if (in && in->runner) {
      keepForLater(t, *in, batch);
      now = Left::Queued;
      return 0;
    }
    int32_t status = callConsumer(t, port, i, batch, now);
    if (loop)
      leaveLoop(t, *loop);
    return status;
  });
  return left == Left::Forwarded || __atomic_sub_fetch(&b->refs, 1, __ATOMIC_RELAXED);
}

int32_t drainLoops(Thread &t) {
  Program &p = t.program;
  if ((p.loops.empty() && p.finalsDue.empty()) || p.draining || t.depth)
    return 0;
  p.draining = true;
  int32_t result = 0;
  while (!p.loops.empty() || !p.finalsDue.empty()) {
    if (p.loops.empty()) {
      InPort *in = p.finalsDue.front();
      p.finalsDue.pop_front();
      result = std::min(result, runQueued(t, *in, &in->finalBatch));
      leaveLoop(t, *in->loop);
      continue;
    }
    auto [port, b] = p.loops.front();
    p.loops.pop_front();
    for (uint32_t i = 0; i < p.ports[port].desc->segmentCount; ++i)
      t.counters.in[p.ports[port].desc->consumers[i]].fromQueue.add(1);
    bool gone = false;
    if (!p.failing && !overdue(t))
      gone = runConsumersInTurn(t, port, b, result);
    if (!gone)
      giveBack(t, b);
    forEachDelayLoop(p, port, [&](FeedbackLoop &loop) { leaveLoop(t, loop); });
  }
  p.draining = false;
  return result;
}

/// Gives a batch to the consumers of its port, where sources take turns.
static __attribute__((noinline)) int32_t runInTurn(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  if (port.desc->backEdge) {
    for (uint32_t i = 0; i < port.desc->segmentCount; ++i) {
      InPortCounters &counters = t.counters.in[port.desc->consumers[i]];
      counters.queued.add(1);
      counters.bytes.add(bytesOf(port, b));
      counters.highest.atLeast(p.loops.size() + 1);
    }
    forEachDelayLoop(p, index, enterLoop);
    p.loops.emplace_back(index, b);
    setBatch(t.ports, index, takeBatch(t, index));
    return drainLoops(t);
  }
  int32_t result = 0;
  bool gone = runConsumersInTurn(t, index, b, result);
  refill(t, index, b, gone);
  return drainLoops(t) < 0 ? -1 : result;
}

//===--- domains: calls and queues ----------------------------------------------===//

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

/// A batch of the port is about to run: prefetches what its own forward to a queue will touch.
static SLUICE_INLINE void prefetchPush(const Thread &t, const InPort &in) {
  const InPort *next = in.inPlaceOutput ? t.program.ports[in.inPlaceOutput - 1].only : nullptr;
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
  Left left;
  int32_t result = runSegment(t, in, b, t.counters.in[in.id], left);
  if (!isFinal)
    releaseBatch(t, b);
  return result;
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

int32_t callConsumers(Thread &t, uint32_t index, Batch *b, bool &gone) {
  int32_t result = 0;
  gone = runConsumers(t, index, b, result) != Left::Here;
  return result;
}

/// Counts a batch that the thread has queued. A moment later the ring held `depth` batches; by then
/// this one may already have been taken out.
static void countPushed(Thread &t, const InPort &in, uint32_t bytes, uint64_t depth) {
  InPortCounters &counters = t.counters.in[in.id];
  counters.queued.add(1);
  counters.bytes.add(bytes);
  counters.highest.atLeast(std::max<uint64_t>(depth, 1));
}

/// send() to the only consumer of the port (PortState::only).
static int32_t sendOnly(Thread &t, uint32_t index, InPort &in, Batch *b, bool &gone) {
  PortState &port = t.program.ports[index];
  prefetchOnward(t, port, in);
  uint32_t bytes = bytesOf(port, b);
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, 1, __ATOMIC_RELAXED);
  countQueued(t, 1);
  int32_t status = 0;
  if (t.program.scheduler->push(*t.self, in.port, b, bytes, status) == queue::Pushed::Queued) {
    countPushed(t, in, bytes, in.port.ring.size());
    gone = true;
  } else {
    countQueued(t, -1);
    gone = in.inPlaceOutput;
  }
  return status;
}

/// Gives a batch to the consumers of its port: some run it now, others later.
static __attribute__((noinline)) int32_t send(Thread &t, uint32_t index, Batch *b, bool &gone) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  uint32_t bytes = bytesOf(port, b), held = 0;
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, port.desc->segmentCount, __ATOMIC_RELAXED);
  int32_t result = 0;
  Left left = giveToAll(t, index, b, result, [&](uint32_t i, Batch *batch, Left &now) -> int32_t {
    uint32_t consumer = port.desc->consumers[i];
    InPort *in = p.domains.inPorts[consumer].get();
    if (!in)
      return callConsumer(t, *port.desc, i, batch, now);
    bool inPlaceOutput = in->inPlaceOutput;
    int32_t status = 0;
    uint32_t size = bytes;
    if (batch != b) {
      __atomic_store_n(&batch->refs, 1, __ATOMIC_RELAXED);
      size = bytesOf(port, batch);
    }
    bool loop = p.domains.inLoop[index][i];
    countQueued(t, 1);
    if (in->loop)
      enterLoop(*in->loop);
    if (in->underWay)
      in->underWay->begin();
    bool queued =
        in->drops ? keepOrDrop(t, *in, batch)
        : loop ? pushIntoLoop(t, index, *in, batch, size)
               : p.scheduler->push(*t.self, in->port, batch, size, status) == queue::Pushed::Queued;
    if (queued) {
      now = Left::Queued;
      held += batch == b && !inPlaceOutput;
      countPushed(t, *in, size, depthOf(*in));
    } else {
      if (inPlaceOutput && !loop && !in->drops)
        now = Left::Forwarded;
      countQueued(t, -1);
      if (in->loop)
        leaveLoop(t, *in->loop);
      if (in->underWay)
        in->underWay->end();
    }
    return loop && !queued && !in->drops ? -1 : status;
  });
  // The consumers that did not queue it release it together. One that forwards in place had it
  // alone. acq_rel: as in releaseBatch().
  uint32_t done = port.desc->segmentCount - held;
  gone = held ? !done || __atomic_sub_fetch(&b->refs, done, __ATOMIC_ACQ_REL) : left != Left::Here;
  return result;
}

int32_t sendAway(Thread &t, uint32_t index, Batch *b) {
  bool gone;
  InPort *only = t.program.ports[index].only;
  int32_t result = only ? sendOnly(t, index, *only, b, gone) : send(t, index, b, gone);
  refill(t, index, b, gone);
  return result;
}

//===--- forward --------------------------------------------------------------===//

int32_t sendNow(Thread &t, uint32_t index, Batch *b, bool &gone) {
  PortState &port = begin(t, index, b);
  int32_t result = send(t, index, b, gone);
  port.busy = false;
  return result;
}

/// Gives a batch its birth and its receipt. One that is forwarded in place has both.
static __attribute__((noinline)) void stamp(Thread &t, uint32_t index, Batch *b) {
  ++t.forwarded;
  const bool inPlace = t.program.ports[index].inPlace;
  if (t.latency && !inPlace)
    b->birth = t.birth || t.depth ? t.birth : CycleClock::now();
  if (t.receipt && !inPlace)
    setReceipt(b, t.receipt);
}

static inline __attribute__((always_inline)) int32_t forwardNow(Thread &t, uint32_t index) {
  Batch *b = t.ports[index].batch;
  if (!b || (!b->rows && !b->punctCount))
    return 0;
  if (t.stamps)
    stamp(t, index, b);
  if (t.run)
    return forwardInRun(t, index, b);
  if (t.program.ports[index].only)
    return runChain(t, index, b);
  PortState &port = begin(t, index, b);
  int32_t result = t.program.scheduler ? sendAway(t, index, b) : runInTurn(t, index, b);
  port.busy = false;
  return result;
}

int32_t forward(Thread &t, uint32_t index) { return forwardNow(t, index); } // out of line

/// Forwards those of the ports that hold something. False: none did. What one port forwards may
/// fill another, in any order of ids, so the callers repeat this until it returns false.
template <typename Ports>
static bool forwardPending(Thread &t, const Ports &ports, int32_t &result) {
  Program &p = t.program;
  bool any = false;
  for (uint32_t i : ports) {
    const Batch *b = t.ports[i].batch;
    if (!b || p.ports[i].busy || p.ports[i].inPlace || (!b->rows && !b->punctCount))
      continue; // in place: the segment that fills it has not ended
    any = true;
    if (forward(t, i) < 0)
      result = -1;
  }
  return any;
}

int32_t forwardAll(Thread &t) {
  int32_t result = 0;
  if (t.part)
    return 0; // what the part has put out waits for the end of its ticket
  if (!t.program.scheduler) {
    std::vector<uint32_t> all(t.program.ports.size());
    std::iota(all.begin(), all.end(), 0);
    while (forwardPending(t, all, result))
      ;
    return result;
  }
  bool any;
  do {
    any = false;
    for (size_t i = t.began.domains; i < t.domains.size(); ++i)
      any |= forwardPending(t, t.domains[i]->outPorts, result);
    for (uint32_t i = t.began.links; i < t.linked; ++i)
      t.links[i].each([&](InPort &in) { any |= forwardPending(t, in.domain.outPorts, result); });
  } while (any);
  return result;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_forward(Ctx *ctx, uint32_t index) {
  Thread &t = *ctx->thread;
  if (__builtin_expect(t.still.load(std::memory_order_relaxed), 0)) // a hint
    stayIfEnded();
  uint32_t rows = ctx->ports[index].batch->rows;
  index += ctx->replica->out;
  int32_t result = forwardNow(t, index);
  return t.isSource && !t.depth ? atTop(static_cast<Source &>(t), index, rows) : result;
}

extern "C" int32_t sl_port_punct(Ctx *ctx, uint32_t index, uint32_t kind, int64_t time) {
  bool closes = isFinal(PunctuationKind(kind));
  Program &p = *ctx->program;
  if (closes && p.failing)
    return 0;
  Batch *b = ctx->ports[index].batch;
  addPunct(b, {b->rows, PunctuationKind(kind), time});
  uint32_t port = index + ctx->replica->out;
  if (p.ports[port].inPlace)
    return 0; // it is forwarded when the segment has ended
  if (p.ports[port].limit > 1 && p.desc.outPorts[port].ordered == OrderKind::None &&
      b->punctCount < kBatchRows)
    return 0;
  return sl_forward(ctx, index);
}
