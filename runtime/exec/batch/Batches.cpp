//===- Batches.cpp - batches and who has them -----------------------------===//
//
// A batch belongs to a port while it is filled, then to the consumers of that port. The last of
// them gives it back to the spares of its thread.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Schema.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace sluice {

/// Rows for one channel at which forwarding costs less than what most operators do.
static constexpr int64_t kRowsPartitioned = 16;

static Batch *makeBatch(Program &p, uint32_t number) {
  const BatchPool &pool = p.out.pools[number];
  auto *b = static_cast<Batch *>(takeMemory(pool.bytes, 64));
  // The header only: pages of the columns that no row reaches cost no memory.
  memset(static_cast<void *>(b), 0, kBatchHeader);
  b->pool = number;
  os::Held held(p.out.batchLock);
  p.out.batches.push_back(b);
  return b;
}

static void freeBatch(Batch *b) {
  arenaFree(&b->arena);
  giveMemory(b->puncts);
  giveMemory(b->otherPuncts);
  giveMemory(b);
}

/// Batch::least: payload that exceeds a small arena ends a batch only if it has as many rows. For
/// each channel that it may be partitioned to, the rows that code processes at once and those that
/// are worth forwarding.
static uint32_t leastRows(const Program &p) {
  int64_t each = p.table.parts > 1 ? std::max<int64_t>(p.desc.rowsAtOnce, kRowsPartitioned)
                                   : p.desc.rowsAtOnce;
  return uint32_t(std::min<int64_t>(each * p.table.parts, kBatchRows));
}

static void fitBatch(Program &p, uint32_t index, Batch *b) {
  b->capacity = p.out.ports[index].desc->batchCapacity;
  b->least = leastRows(p);
  resetBatch(b, p.out.ports[index].limit);
}

/// Takes spares from the pool.
static void takeShared(BatchPool &pool, Spares &spares) {
  os::Held held(pool.lock);
  Batch **end = &pool.shared;
  for (; *end && spares.count < kSpareBatches; ++spares.count)
    end = &(*end)->next;
  spares.list = std::exchange(pool.shared, *end);
  *end = nullptr;
}

/// Frees the only spare.
static void freeSpare(Program &p, Spares &spares) {
  Batch *b = std::exchange(spares.list, nullptr);
  spares.count = 0;
  {
    os::Held held(p.out.batchLock);
    std::swap(*std::find(p.out.batches.rbegin(), p.out.batches.rend(), b), p.out.batches.back());
    p.out.batches.pop_back();
  }
  freeBatch(b);
}

/// Gives half of the spares to the pool; those that came last stay.
static void share(BatchPool &pool, Spares &spares) {
  Batch *kept = spares.list;
  for (uint32_t i = 1; i < kSpareBatches; ++i)
    kept = kept->next;
  Batch *first = std::exchange(kept->next, nullptr), *last = first;
  while (last->next)
    last = last->next;
  spares.count = kSpareBatches;
  os::Held held(pool.lock);
  last->next = std::exchange(pool.shared, first);
}

Batch *takeBatch(Thread &t, uint32_t index) {
  uint32_t number = t.program.out.ports[index].pool;
  Spares &spares = t.reserve.spares[number];
  if (!spares.list)
    takeShared(t.program.out.pools[number], spares);
  Batch *b = spares.list;
  if (b) {
    spares.list = b->next;
    --spares.count;
  } else {
    b = makeBatch(t.program, number);
  }
  fitBatch(t.program, index, b);
  return b;
}

void giveBack(Thread &t, Batch *b) {
  if (t.acknowledges)
    setReceipt(b, nullptr);
  Spares &spares = t.reserve.spares[b->pool];
  b->next = spares.list;
  spares.list = b;
  if (++spares.count < spares.most)
    return;
  BatchPool &pool = t.program.out.pools[b->pool];
  if (pool.keeps)
    share(pool, spares);
  else
    freeSpare(t.program, spares);
}

void refill(Thread &t, uint32_t index, Batch *b, Sent sent) {
  PortState &port = t.program.out.ports[index];
  if (port.inPlace) {
    setBatch(t.at.ports, index, nullptr);
    if (sent.isMine())
      giveBack(t, b);
  } else if (!sent.isMine()) {
    setBatch(t.at.ports, index, takeBatch(t, index));
  } else {
    if (t.acknowledges)
      setReceipt(b, nullptr);
    resetBatch(b, port.limit);
  }
}

void releaseBatch(Thread &t, Batch *b) {
  // acq_rel: pairs with itself in other threads; the last one has seen what all others did.
  if (!__atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL))
    giveBack(t, b);
}

/// Bytes that the arena holds. Its blocks are not in the cache lines that a forward touches, so
/// the result is kept in Batch::payload.
static uint32_t payloadOf(const Batch *b) {
  uint64_t payload = 0;
  for (Block *block = b->arena.block->first; block != b->arena.block; block = block->next)
    payload += uint64_t(block->end - block->begin());
  payload += uint64_t(b->arena.ptr - b->arena.block->begin());
  return uint32_t(std::min<uint64_t>(payload, UINT32_MAX / 2));
}

uint32_t bytesOf(const PortState &port, Batch *b) {
  if (!b->arena.block)
    return port.bytes;
  if (!b->payload)
    b->payload = 1 + payloadOf(b);
  return port.bytes + b->payload - 1;
}

extern "C" void sl_unknown_punct(uint32_t kind) {
  fprintf(stderr, "internal error: there is no punctuation of kind %u\n", kind);
  abort();
}

void addPunct(Batch *b, Punctuation punct) {
  if (b->punctCount == b->punctCapacity) {
    uint32_t capacity = b->punctCapacity ? 2 * b->punctCapacity : 4;
    auto *puncts = static_cast<Punctuation *>(takeMemory(capacity * sizeof(Punctuation)));
    std::copy_n(b->puncts, b->punctCount, puncts);
    giveMemory(b->puncts);
    b->puncts = puncts;
    b->punctCapacity = capacity;
  }
  b->puncts[b->punctCount++] = punct;
}

void copyRest(Batch *to, const Batch *from) {
  to->rows = from->rows;
  to->birth = from->birth;
  for (uint32_t i = 0; i < from->punctCount; ++i)
    addPunct(to, from->puncts[i]);
}

void copyBatch(Batch *to, const Batch *from, std::span<const remote::Column> columns) {
  for (const remote::Column &column : columns) {
    char *values = reinterpret_cast<char *>(to) + column.offset;
    memcpy(values, reinterpret_cast<const char *>(from) + column.offset,
           uint64_t(from->rows) * column.size);
    for (uint32_t row = 0; column.far && row < from->rows; ++row)
      sl_batch_keep(to, column.type, values + uint64_t(row) * column.size);
  }
  copyRest(to, from);
}

void cutBatch(Batch *b, uint32_t rows) {
  __atomic_store_n(&b->rows, rows, __ATOMIC_RELAXED); // as in resetBatch()
  while (b->punctCount && b->puncts[b->punctCount - 1].row > b->rows)
    --b->punctCount;
}

uint32_t mostRows(const Program &p, const OutPortDesc &port) {
  if (port.ordered == OrderKind::All || port.backEdge || p.options.deterministic)
    return 1;
  uint32_t most = port.batchCapacity;
  if (p.options.batchRows)
    most = std::min(most, p.options.batchRows);
  for (uint32_t to = 0; to < batchedConsumers(port); ++to)
    most = std::min(most, rowsTo(p.desc.inPorts[port.consumers[to]]));
  return most;
}

void makePorts(Program &p) {
  p.out.filled.resize(p.desc.outPortCount);
  p.out.ports = std::vector<PortState>(p.desc.outPortCount);
  p.out.finals.resize(p.desc.inPortCount);
  p.show.portMetrics = {std::vector<PortEvents>(p.desc.inPortCount),
                        std::vector<PortEvents>(p.desc.outPortCount)};
  for (uint32_t i = 0; i < p.desc.inPortCount; ++i)
    if (uint32_t inPlaceOutput = p.desc.inPorts[i].inPlaceOutput)
      p.out.ports[inPlaceOutput - 1].inPlace = true;
  for (uint32_t i = 0; i < p.desc.outPortCount; ++i) {
    PortState &port = p.out.ports[i];
    port.desc = &p.desc.outPorts[i];
    if (!port.desc->batchBytes)
      continue;
    port.limit = mostRows(p, *port.desc);
    port.bytes = kBatchHeader + port.desc->batchBytes;
    size_t bytes = (size_t(port.bytes) + 127) / 64 * 64;
    bool received = p.desc.operators[port.desc->op].link >= 0;
    if (received) // what is received becomes a batch where it is
      bytes = std::max(bytes, (size_t(remote::schemaOf(*port.desc).room) + 63) / 64 * 64);
    bool keeps = !received || p.options.links.pool;
    auto same = std::find_if(p.out.pools.begin(), p.out.pools.end(), [&](const BatchPool &pool) {
      return pool.bytes == bytes && pool.keeps == keeps;
    });
    port.pool = uint32_t(same - p.out.pools.begin());
    if (same == p.out.pools.end())
      p.out.pools.emplace_back(bytes, keeps);
    if (port.inPlace)
      continue;
    Batch *b = makeBatch(p, port.pool);
    fitBatch(p, i, b);
    setBatch(p.out.filled.data(), i, b);
  }
}

void freePorts(Program &p) {
  for (Batch *b : p.out.batches)
    freeBatch(b);
}

} // namespace sluice
