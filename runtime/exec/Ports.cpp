//===- Ports.cpp - batches, hand-on, marks ------------------------------===//
//
// Handing on runs the consumers or gives them the batch. A port whose consumers
// are running is `busy`; nothing is appended to it meanwhile: where a loop leads
// back to it there is a queue, and nobody else is inside its domain.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/Program.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace sluice {

static constexpr uint32_t kSpareBatches = 8; // of one size, that a thread keeps to itself

//===--- batches --------------------------------------------------------------===//

static void reset(Batch *b, uint32_t limit) {
  // The timer looks at rows and writes limit meanwhile.
  __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED);
  b->markCount = 0;
  __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
  arenaReset(&b->arena);
}

static Batch *makeBatch(Program &p, const BatchPool &pool) {
  auto *b = static_cast<Batch *>(aligned_alloc(64, pool.bytes));
  if (!b)
    abort();
  memset(static_cast<void *>(b), 0, pool.bytes);
  os::Held held(p.batchLock);
  p.batches.push_back(b);
  return b;
}

static void freeBatch(Batch *b) {
  arenaFree(&b->arena);
  free(b->marks);
  free(b);
}

static void fitBatch(Program &p, uint32_t index, Batch *b) {
  b->capacity = p.ports[index].desc->batchCapacity;
  b->port = index;
  reset(b, p.ports[index].limit);
}

/// An empty batch for a port. By who is inside the port's domain.
static Batch *takeBatch(Thread &t, uint32_t index) {
  uint32_t number = t.program.ports[index].pool;
  BatchPool &pool = t.program.pools[number];
  Spares &spares = t.spares[number];
  if (!spares.list) { // acquire: pairs with giveBack(); takes all that there are
    spares.list = pool.shared.exchange(nullptr, std::memory_order_acquire);
    spares.count = 0;
  }
  Batch *b = spares.list;
  if (b) {
    spares.list = b->next;
    spares.count -= spares.count > 0;
  } else {
    b = makeBatch(t.program, pool);
  }
  fitBatch(t.program, index, b);
  return b;
}

static void setBatch(Program &p, uint32_t index, Batch *b) {
  // release: the timer reads it at any time.
  __atomic_store_n(&p.outPorts[index].batch, b, __ATOMIC_RELEASE);
}

/// The port has an empty batch from now on.
static void freshBatch(Thread &t, uint32_t index) { setBatch(t.program, index, takeBatch(t, index)); }

static void giveBack(Thread &t, Batch *b) {
  uint32_t number = t.program.ports[b->port].pool;
  if (Spares &spares = t.spares[number]; spares.count < kSpareBatches) {
    b->next = spares.list;
    spares.list = b;
    ++spares.count;
    return;
  }
  std::atomic<Batch *> &list = t.program.pools[number].shared;
  b->next = list.load(std::memory_order_relaxed);
  // release: pairs with takeBatch().
  while (!list.compare_exchange_weak(b->next, b, std::memory_order_release, std::memory_order_relaxed))
    ;
}

void releaseBatch(Thread &t, Batch *b) {
  // acq_rel: the last one to let go has seen all others let go.
  if (!__atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL))
    giveBack(t, b);
}

static uint32_t bytesOf(const PortState &port, const Batch *b) {
  uint64_t payload = 0;
  if (b->arena.block)
    payload = b->arena.block == b->arena.block->first ? uint64_t(b->arena.ptr - b->arena.block->begin())
                                                      : 2 * uint64_t(b->arena.end - b->arena.block->begin());
  return kBatchHeader + port.desc->batchBytes + uint32_t(std::min<uint64_t>(payload, UINT32_MAX / 2));
}

void addMark(Batch *b, uint32_t row, MarkKind kind) {
  if (b->markCount == b->markCapacity) {
    b->markCapacity = b->markCapacity ? 2 * b->markCapacity : 4;
    b->marks = static_cast<BatchMark *>(realloc(b->marks, b->markCapacity * sizeof(BatchMark)));
    if (!b->marks)
      abort();
  }
  b->marks[b->markCount++] = {row, kind};
}

void makePorts(Program &p) {
  p.outPorts.resize(p.desc.outPortCount);
  p.ports = std::vector<PortState>(p.desc.outPortCount);
  p.finals.resize(p.desc.inPortCount);
  for (uint32_t i = 0; i < p.desc.outPortCount; ++i) {
    PortState &port = p.ports[i];
    port.desc = &p.desc.outPorts[i];
    if (!port.desc->batchBytes)
      continue;
    port.limit = port.desc->batchCapacity;
    if (p.options.batchRows && p.options.batchRows < port.limit)
      port.limit = p.options.batchRows;
    if (port.desc->ordered == 1 || port.desc->backEdge || p.options.deterministic)
      port.limit = 1;
    size_t bytes = (kBatchHeader + size_t(port.desc->batchBytes) + 127) / 64 * 64;
    auto same = std::find_if(p.pools.begin(), p.pools.end(), [&](const BatchPool &pool) { return pool.bytes == bytes; });
    port.pool = uint32_t(same - p.pools.begin());
    if (same == p.pools.end())
      p.pools.emplace_back(bytes);
    Batch *b = makeBatch(p, p.pools[port.pool]);
    fitBatch(p, i, b);
    setBatch(p, i, b);
  }
}

void freePorts(Program &p) {
  for (Batch *b : p.batches)
    freeBatch(b);
}

//===--- running consumers ----------------------------------------------------===//

void dropMarksBehind(Batch *b) {
  while (b->markCount && b->marks[b->markCount - 1].row > b->rows)
    --b->markCount;
}

/// A single row that failed is never given to those behind.
static bool isAllThatFailed(uint32_t rows, const Batch *b) { return b->rows == rows && rows <= 1; }

/// The consumers of a dealer get parts of the batch, in batches of their own.
template <typename Give>
static void giveParts(Thread &t, uint32_t index, Dealer &dealer, Batch *b, int32_t &result, Give give) {
  PortState &port = t.program.ports[index];
  for (uint32_t i = 0; i < dealer.count; ++i) {
    Batch *part = takeBatch(t, index);
    bool kept = false;
    if (fillPart(*port.desc, dealer, i, b, part) && give(dealer.first + i, part, kept) < 0) {
      result = -1;
      cutBehind(dealer, i, part, b);
    }
    if (kept)
      continue;
    giveBack(t, part);
  }
}

/// Every batch that reaches an input port passes here.
static int32_t callSegment(Thread &t, uint32_t inPort, SegmentFn segment, Batch *b) {
  Inside inside(t, t.program.instances.ofIn(inPort));
  int32_t result = 0;
  ++t.depth;
  InPortCounters &counters = t.counters.in[inPort];
  uint32_t rows = b->rows;
  t.counters.segment(counters, rows, [&] { result = segment(&t.ctx, b); });
  if (result < 0)
    counters.rows.add(uint64_t(b->rows) - rows); // those before the one that failed
  --t.depth;
  return result;
}

/// Calls `give(i, batch, kept)` for each consumer in order; it says whether a queue
/// has kept the batch. After a failure the others still get the rows before the one
/// that failed: the segment has cut the batch there.
template <typename Give> static void giveToAll(Thread &t, uint32_t index, Batch *b, int32_t &result, Give give) {
  Program &p = t.program;
  const OutPortDesc &desc = *p.ports[index].desc;
  std::vector<Dealer> &dealers = p.instances.dealers[index];
  auto dealer = dealers.begin();
  for (uint32_t i = 0; i < desc.segmentCount; ++i) {
    uint32_t to = i;
    if (dealer != dealers.end() && i == dealer->first) {
      Dealer &d = *dealer++;
      if (!isForAll(d, b)) {
        i += d.count - 1;
        int32_t only = deal(desc, d, b);
        if (only < 0) {
          giveParts(t, index, d, b, result, give);
          continue;
        }
        to += uint32_t(only);
      }
    }
    uint32_t rows = b->rows;
    bool kept = false;
    if (give(to, b, kept) >= 0)
      continue;
    result = -1;
    if (isAllThatFailed(rows, b))
      return;
    dropMarksBehind(b);
  }
}

static int32_t callConsumer(Thread &t, const OutPortDesc &port, uint32_t i, Batch *b) {
  return callSegment(t, port.consumers[i], port.segments[i], b);
}

static int32_t runConsumers(Thread &t, uint32_t index, Batch *b) {
  int32_t result = 0;
  giveToAll(t, index, b, result, [&](uint32_t i, Batch *batch, bool &) {
    return callConsumer(t, *t.program.ports[index].desc, i, batch);
  });
  return result;
}

//===--- sources in turn: loops are run by who fills them ----------------------===//

/// Batches on back edges run one after the other, in the order in which they
/// were filled. A program that fails or is told to stop does not wait for a
/// loop that feeds itself.
static int32_t drainLoops(Thread &t) {
  Program &p = t.program;
  if (p.loops.empty() || p.draining || t.depth)
    return 0;
  p.draining = true;
  int32_t result = 0;
  while (!p.loops.empty()) {
    auto [port, b] = p.loops.front();
    p.loops.pop_front();
    for (uint32_t i = 0; i < p.ports[port].desc->segmentCount; ++i)
      t.counters.in[p.ports[port].desc->consumers[i]].fromQueue.add(1);
    if (!p.failing && !overdue(t) && runConsumers(t, port, b) < 0)
      result = -1;
    giveBack(t, b);
  }
  p.draining = false;
  return result;
}

static int32_t runInTurn(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  if (port.desc->backEdge) {
    for (uint32_t i = 0; i < port.desc->segmentCount; ++i) {
      InPortCounters &counters = t.counters.in[port.desc->consumers[i]];
      counters.queued.add(1);
      counters.bytes.add(bytesOf(port, b));
      counters.highest.atLeast(p.loops.size() + 1);
    }
    p.loops.emplace_back(index, b);
    freshBatch(t, index);
    return drainLoops(t);
  }
  int32_t result = runConsumers(t, index, b);
  reset(b, port.limit);
  return drainLoops(t) < 0 ? -1 : result;
}

//===--- domains: calls and queues ----------------------------------------------===//

int32_t runSegment(Thread &t, InPort &in, Batch *b) {
  if (in.domain.failed || (in.port.loop && overdue(t)))
    return 0; // dropped
  int32_t result = callSegment(t, in.id, in.segment, b);
  if (result < 0 && t.program.failing)
    in.domain.failed = true;
  return result;
}

/// False: the loop holds more than it may.
static bool pushIntoLoop(Thread &t, uint32_t index, InPort &in, Batch *b, uint32_t bytes) {
  Program &p = t.program;
  if (p.scheduler->pushLoop(*t.self, in.port, b, bytes))
    return true;
  sl_error(&t.ctx, "the feedback loop that this operator's output port %u closes multiplies tuples: the queue at operator %s "
                   "has reached the memory budget", index - p.desc.operators[p.desc.outPorts[index].op].firstOut,
           p.desc.operators[p.desc.inPorts[p.desc.outPorts[index].consumers[0]].op].name);
  fail(t, p.desc.outPorts[index].op, 0, false);
  reportPending(t);
  return false;
}

/// Gives a batch to the consumers of its port: some run it now, others later.
static int32_t send(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  uint32_t bytes = bytesOf(port, b), held = 0;
  // relaxed: a push publishes the batch with all that is in it.
  __atomic_store_n(&b->refs, port.desc->segmentCount, __ATOMIC_RELAXED);
  int32_t result = 0;
  giveToAll(t, index, b, result, [&](uint32_t i, Batch *batch, bool &kept) -> int32_t {
    InPort *in = p.domains.inPorts[port.desc->consumers[i]].get();
    __builtin_prefetch(&t.counters.in[port.desc->consumers[i]], /*write=*/1); // needed after the push
    if (!in)
      return callConsumer(t, *port.desc, i, batch);
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
    bool queued = loop ? pushIntoLoop(t, index, *in, batch, size)
                       : p.scheduler->push(*t.self, in->port, batch, size, status) == queue::Pushed::Queued;
    kept = queued;
    if (queued) {
      held += batch == b;
      InPortCounters &counters = t.counters.in[in->id];
      counters.queued.add(1);
      counters.bytes.add(size);
      counters.highest.atLeast(in->port.ring.size());
    } else {
      countQueued(t, -1);
      if (in->loop)
        leaveLoop(t, *in->loop);
    }
    return loop && !queued ? -1 : status;
  });
  // Those that did not keep it let go of it together.
  uint32_t done = port.desc->segmentCount - held;
  if (!held || (done && __atomic_sub_fetch(&b->refs, done, __ATOMIC_ACQ_REL) == 0))
    reset(b, port.limit);
  else
    freshBatch(t, index);
  return result;
}

//===--- hand-on --------------------------------------------------------------===//

int32_t handOn(Thread &t, uint32_t index) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  Batch *b = p.outPorts[index].batch;
  if (!b || (!b->rows && !b->markCount))
    return 0;
  if (port.busy && !port.desc->backEdge) {
    fprintf(stderr, "internal error: output port %u is handed on while its consumers run\n", index);
    abort();
  }
  port.busy = true;
  port.counted.rows.add(b->rows);
  if (b->markCount)
    port.counted.marks.add(b->markCount);
  int32_t result = p.scheduler ? send(t, index, b) : runInTurn(t, index, b);
  port.busy = false;
  return result;
}

/// What one port hands on may fill a later one; ids follow the graph only
/// roughly, so this repeats until nothing is left.
template <typename Ports> static bool handOnPending(Thread &t, const Ports &ports, int32_t &result) {
  Program &p = t.program;
  bool any = false;
  for (uint32_t i : ports) {
    const Batch *b = p.outPorts[i].batch;
    if (!b || p.ports[i].busy || (!b->rows && !b->markCount))
      continue;
    any = true;
    if (handOn(t, i) < 0)
      result = -1;
  }
  return any;
}

int32_t handOnAll(Thread &t) {
  int32_t result = 0;
  if (!t.program.scheduler) {
    std::vector<uint32_t> all(t.program.ports.size());
    std::iota(all.begin(), all.end(), 0);
    while (handOnPending(t, all, result))
      ;
    return result;
  }
  for (size_t i = 0; i < t.domains.size(); ++i)
    while (handOnPending(t, t.domains[i]->outPorts, result))
      ;
  return result;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_handon(Ctx *ctx, uint32_t index) {
  Thread &t = *ctx->thread;
  uint32_t rows = ctx->ports[index].batch->rows;
  int32_t result = handOn(t, index + ctx->replica->out);
  return t.isSource && !t.depth ? atTop(static_cast<Source &>(t), rows) : result;
}

extern "C" int32_t sl_port_mark(Ctx *ctx, uint32_t index, uint32_t kind) {
  Program &p = *ctx->program;
  if (MarkKind(kind) == MarkKind::Final && p.failing)
    return 0;
  Batch *b = ctx->ports[index].batch;
  addMark(b, b->rows, MarkKind(kind));
  uint32_t port = index + ctx->replica->out;
  if (p.ports[port].limit > 1 && !p.desc.outPorts[port].ordered && b->markCount < kBatchRows)
    return 0;
  return sl_handon(ctx, index);
}

extern "C" int32_t sl_port_final(Ctx *ctx, uint32_t inPort) {
  Program &p = *ctx->program;
  inPort += ctx->replica->in;
  if (holdsFinal(p, inPort))
    return 0;
  return isHeldFinal(p, inPort) || ++p.finals[inPort] == p.desc.inPorts[inPort].producers;
}

extern "C" int32_t sl_op_closed(Ctx *ctx, uint32_t op) {
  Program &p = *ctx->program;
  const OperatorDesc &desc = p.desc.operators[op + ctx->replica->op];
  for (uint32_t i = desc.firstIn; i < desc.firstIn + desc.inputs; ++i)
    if (p.finals[i] < p.desc.inPorts[i].producers)
      return 0;
  return 1;
}

extern "C" int32_t sl_out_close(Ctx *ctx, uint32_t outPort) {
  Program &p = *ctx->program;
  outPort += ctx->replica->out;
  if (p.ports[outPort].closed || p.failing)
    return 0;
  p.ports[outPort].closed = true;
  return 1;
}

extern "C" int32_t sl_out_open(Ctx *ctx, uint32_t outPort) {
  return !ctx->program->ports[outPort + ctx->replica->out].closed;
}
