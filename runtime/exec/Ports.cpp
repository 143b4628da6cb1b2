//===- Ports.cpp - batches, hand-on, marks ------------------------------===//
//
// Handing on is depth first: the consumers run before it returns, and the batch
// is empty afterwards. A port whose consumers are running is `busy`; nothing is
// appended to it meanwhile, since the graph without back edges has no cycle and
// the baton keeps other sources out.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/Program.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace sluice {

//===--- batches --------------------------------------------------------------===//

static void reset(Batch *b, uint32_t limit) {
  // The timer looks at rows and writes limit meanwhile.
  __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED);
  b->markCount = 0;
  __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
  arenaReset(&b->arena);
}

static Batch *makeBatch(const OutPortDesc &desc, uint32_t limit) {
  size_t bytes = (kBatchHeader + size_t(desc.batchBytes) + 127) / 64 * 64;
  auto *b = static_cast<Batch *>(aligned_alloc(64, bytes));
  if (!b)
    abort();
  memset(static_cast<void *>(b), 0, bytes);
  b->capacity = desc.batchCapacity;
  reset(b, limit);
  return b;
}

static void freeBatch(Batch *b) {
  arenaFree(&b->arena);
  free(b->marks);
  free(b);
}

static void addMark(Batch *b, MarkKind kind) {
  if (b->markCount == b->markCapacity) {
    b->markCapacity = b->markCapacity ? 2 * b->markCapacity : 4;
    b->marks = static_cast<BatchMark *>(realloc(b->marks, b->markCapacity * sizeof(BatchMark)));
    if (!b->marks)
      abort();
  }
  b->marks[b->markCount++] = {b->rows, kind};
}

void makePorts(Program &p) {
  p.outPorts.resize(p.desc.outPortCount);
  p.ports.resize(p.desc.outPortCount);
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
    p.outPorts[i].batch = makeBatch(*port.desc, port.limit);
  }
  p.ctx.ports = p.outPorts.data();
}

void freePorts(Program &p) {
  for (OutPort &port : p.outPorts)
    if (port.batch)
      freeBatch(port.batch);
  for (PortState &port : p.ports)
    for (Batch *b : port.spare)
      freeBatch(b);
  for (auto &[port, b] : p.loops)
    freeBatch(b);
}

//===--- hand-on --------------------------------------------------------------===//

static void dropMarksBehind(Batch *b) {
  while (b->markCount && b->marks[b->markCount - 1].row > b->rows)
    --b->markCount;
}

/// After a failure the other consumers still get the rows before the one that
/// failed: the segment has cut the batch there. A single row that failed was
/// never given to those behind.
static int32_t runConsumers(Program &p, const PortState &port, Batch *b) {
  int32_t result = 0;
  Source *source = p.running;
  if (source)
    ++source->depth;
  for (uint32_t i = 0; i < port.desc->segmentCount; ++i) {
    uint32_t rows = b->rows;
    if (port.desc->segments[i](&p.ctx, b) >= 0)
      continue;
    result = -1;
    if (b->rows == rows && rows <= 1)
      break;
    dropMarksBehind(b);
  }
  if (source)
    --source->depth;
  return result;
}

/// Batches on back edges run one after the other, in the order in which they
/// were filled. A program that fails or is told to stop does not wait for a
/// loop that feeds itself.
static int32_t drainLoops(Program &p) {
  if (p.loops.empty() || p.draining || (p.running && p.running->depth))
    return 0;
  p.draining = true;
  int32_t result = 0;
  while (!p.loops.empty()) {
    auto [port, b] = p.loops.front();
    p.loops.pop_front();
    if (!p.failing && !overdue(p) && runConsumers(p, p.ports[port], b) < 0)
      result = -1;
    reset(b, p.ports[port].limit);
    p.ports[port].spare.push_back(b);
  }
  p.draining = false;
  return result;
}

static void enqueueLoop(Program &p, uint32_t index) {
  PortState &port = p.ports[index];
  Batch *&current = p.outPorts[index].batch;
  p.loops.emplace_back(index, current);
  if (port.spare.empty()) {
    current = makeBatch(*port.desc, port.limit);
    return;
  }
  current = port.spare.back();
  port.spare.pop_back();
}

int32_t handOn(Program &p, uint32_t index) {
  PortState &port = p.ports[index];
  Batch *b = p.outPorts[index].batch;
  if (!b || (!b->rows && !b->markCount))
    return 0;
  if (port.desc->backEdge) {
    enqueueLoop(p, index);
    return drainLoops(p);
  }
  if (port.busy) {
    fprintf(stderr, "internal error: output port %u is handed on while its consumers run\n", index);
    abort();
  }
  port.busy = true;
  int32_t result = runConsumers(p, port, b);
  port.busy = false;
  reset(b, port.limit);
  return drainLoops(p) < 0 ? -1 : result;
}

int32_t handOnAll(Program &p) {
  int32_t result = 0;
  // What one port hands on may fill a later one; ids follow the graph only
  // roughly, so repeat until nothing is left.
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < p.ports.size(); ++i) {
      const Batch *b = p.outPorts[i].batch;
      if (!b || p.ports[i].busy || (!b->rows && !b->markCount))
        continue;
      again = true;
      if (handOn(p, i) < 0)
        result = -1;
    }
  }
  return result;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_handon(Ctx *ctx, uint32_t index) {
  Program &p = *ctx->program;
  uint32_t rows = ctx->ports[index].batch->rows;
  int32_t result = handOn(p, index);
  if (!p.running || p.running->depth)
    return result;
  return atTop(p, rows);
}

extern "C" int32_t sl_port_mark(Ctx *ctx, uint32_t index, uint32_t kind) {
  Program &p = *ctx->program;
  if (MarkKind(kind) == MarkKind::Final && p.failing)
    return 0;
  Batch *b = ctx->ports[index].batch;
  addMark(b, MarkKind(kind));
  if (p.ports[index].limit > 1 && !p.desc.outPorts[index].ordered && b->markCount < kBatchRows)
    return 0;
  return sl_handon(ctx, index);
}

extern "C" int32_t sl_port_final(Ctx *ctx, uint32_t inPort) {
  Program &p = *ctx->program;
  return ++p.finals[inPort] == p.desc.inPorts[inPort].producers;
}

extern "C" int32_t sl_op_closed(Ctx *ctx, uint32_t op) {
  Program &p = *ctx->program;
  const OperatorDesc &desc = p.desc.operators[op];
  for (uint32_t i = desc.firstIn; i < desc.firstIn + desc.inputs; ++i)
    if (p.finals[i] < p.desc.inPorts[i].producers)
      return 0;
  return 1;
}

extern "C" int32_t sl_out_close(Ctx *ctx, uint32_t outPort) {
  Program &p = *ctx->program;
  if (p.ports[outPort].closed || p.failing)
    return 0;
  p.ports[outPort].closed = true;
  return 1;
}

extern "C" int32_t sl_out_open(Ctx *ctx, uint32_t outPort) {
  return !ctx->program->ports[outPort].closed;
}
