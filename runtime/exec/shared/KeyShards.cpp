//===- KeyShards.cpp - state by key, partitioned to shards ------------------------===//
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/dispatch/Segments.h"
#include "value/Place.h"
#include "value/Table.h"
#include <cstring>

namespace sluice {

uint32_t shardsFor(uint32_t workers) { return std::clamp(std::bit_ceil(2 * workers), 4u, 32u); }

//===--- whose the state is -----------------------------------------------------===//

KeyShards::KeyShards(Program &p, InPort &in)
    : in(in), desc(*p.desc.inPorts[in.id].keyed), shards(in.domain.reorder->shards->count()),
      tickets(in.domain.reorder->size()) {
  copyState(p);
}

/// What their heaps do not free: buffers too large for them.
KeyShards::~KeyShards() {
  for (KeyShard &shard : shards)
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      disown(&shard.heap, desc.state[i].type, shard.state + desc.state[i].offset);
}

/// Constants are only read: shards may share what they point to.
void KeyShards::copyState(Program &p) {
  uint64_t first = UINT64_MAX, end = 0;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (const OperatorDesc &d = p.desc.operators[op];
        p.domains.ofOperator[op] == &in.domain && d.stateBytes) {
      first = std::min(first, d.firstState & ~uint64_t(15));
      end = std::max(end, d.firstState + d.stateBytes);
    }
  const char *from = p.state.data() + in.domain.replica->state + first;
  for (KeyShard &shard : shards) {
    shard.memory.resize((end - first + 15) / 16);
    memcpy(shard.memory.data(), from, end - first);
    shard.state =
        reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(shard.memory.data()) - first);
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      *partOf(shard, desc.state[i]) = {};
  }
}

Seq *KeyShards::wholeOf(Thread &t, const KeyedStateDesc &state) const {
  return reinterpret_cast<Seq *>(t.program.state.data() + in.domain.replica->state + state.offset);
}
Seq *KeyShards::partOf(const KeyShard &shard, const KeyedStateDesc &state) const {
  return reinterpret_cast<Seq *>(shard.state + state.offset);
}

namespace {
/// A set or map, and whose memory it is in.
struct Table {
  Heap *heap;
  Seq *entries;
};
} // namespace

/// Each entry goes to the table `to(key)`; nothing is left.
template <class To> static void moveEntries(Thread &t, const TypeDesc *type, Table from, To to) {
  Heap *outer = t.ctx.heap;
  for (uint32_t i = 0; i < from.entries->len; ++i) {
    char *entry = static_cast<char *>(from.entries->data) + uint64_t(i) * type->stride;
    Table table = to(entry);
    bool added;
    uint32_t slot = tableSlot(table.heap, type, table.entries, entry, &added);
    t.ctx.heap = table.heap;
    if (type->kind == Kind::Map)
      sl_assign(&t.ctx, type->value,
                static_cast<char *>(table.entries->data) + uint64_t(slot) * type->stride +
                    type->valueOffset,
                entry + type->valueOffset);
  }
  t.ctx.heap = from.heap;
  sl_destroy(&t.ctx, type, from.entries);
  *from.entries = {};
  t.ctx.heap = outer;
}

void KeyShards::partition(Thread &t) {
  for (uint32_t i = 0; i < desc.stateCount; ++i)
    moveEntries(t, desc.state[i].type, {&in.domain.heap, wholeOf(t, desc.state[i])},
                [&](const void *key) -> Table {
                  KeyShard &shard = shards[shardOf(key)];
                  return {&shard.heap, partOf(shard, desc.state[i])};
                });
}

void KeyShards::unite(Thread &t) {
  for (uint32_t i = 0; i < desc.stateCount; ++i)
    for (KeyShard &shard : shards)
      moveEntries(
          t, desc.state[i].type, {&shard.heap, partOf(shard, desc.state[i])},
          [&](const void *) -> Table { return {&in.domain.heap, wholeOf(t, desc.state[i])}; });
}

/// Apart from how @parallel partitions by the same key.
static constexpr uint64_t kSalt = 0x6c616e6573;

uint32_t KeyShards::shardOf(const void *key) const {
  return uint32_t(hashKey(kSalt, desc.key.type, key) % shards.size());
}

KeyTicket &KeyShards::ticketOf(const Run &run) {
  auto &made = tickets[run.ticket % tickets.size()];
  if (!made) {
    made = std::make_unique<KeyTicket>();
    made->parts.resize(shards.size());
    for (KeyPart &part : made->parts)
      part.outs.resize(in.domain.outPorts.size());
  }
  return *made;
}

//===--- what the queues call ------------------------------------------------------===//

static Thread &threadOf(Client::Self &self) { return *static_cast<Thread *>(self.user); }

void Client::split(Self &self, queue::OwnershipToken<RealSys> &token) {
  auto &domain = static_cast<Domain &>(token);
  Thread &t = threadOf(self);
  if (!domain.shards)
    domain.shards =
        std::make_unique<KeyShards>(t.program, *static_cast<InPort *>(token.ports->user));
  domain.shards->partition(t);
}

void Client::unite(Self &self, queue::OwnershipToken<RealSys> &token) {
  static_cast<Domain &>(token).shards->unite(threadOf(self));
}

void Client::partition(Self &, Run &run, queue::Item item) {
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = all.ticketOf(run);
  ticket.batch = static_cast<Batch *>(item);
  for (uint32_t row = 0; row < ticket.batch->rows; ++row)
    ticket.parts[all.shardOf(element(ticket.batch, all.desc.key, row))].rows.push_back(row);
  run.outputs = &ticket;
}

namespace {
/// The thread is in a shard until the end of the scope.
class InShard {
public:
  InShard(Thread &t) : t(t), state(t.ctx.state), heap(t.ctx.heap) {}
  ~InShard() {
    t.ctx.state = state;
    t.ctx.heap = heap;
  }
  void go(KeyShard &shard) {
    t.ctx.state = shard.state;
    t.ctx.heap = &shard.heap;
  }

private:
  Thread &t;
  char *state;
  Heap *heap;
};
} // namespace

/// The rows that the outputs have grown by are of this row.
static void noteRow(Thread &t, const Domain &domain, KeyPart &part, uint32_t row) {
  for (size_t i = 0; i < part.outs.size(); ++i) {
    KeyPart::Out &out = part.outs[i];
    uint32_t have = out.kept + t.ports[domain.outPorts[i]].batch->rows;
    while (out.rows.size() < have)
      out.rows.push_back(row);
  }
}

/// Returns how many of its rows did not fail.
static uint32_t runRows(Thread &t, KeyShards &all, KeyTicket &ticket, uint32_t shard) {
  KeyPart &part = ticket.parts[shard];
  InShard inside(t);
  inside.go(all.shards[shard]);
  uint32_t ran = 0;
  for (uint32_t row : part.rows) {
    int32_t result = all.desc.rows(&t.ctx, ticket.batch, row, row + 1);
    noteRow(t, all.in.domain, part, row);
    if (result < 0) {
      part.failedAt = row;
      break;
    }
    ++ran;
  }
  return ran;
}

int32_t Client::runPart(Self &self, Run &run, uint32_t shard) {
  Thread &t = threadOf(self);
  KeyShards &all = *inPortOf(run).domain.shards;
  KeyTicket &ticket = *static_cast<KeyTicket *>(run.outputs);
  KeyPart &part = ticket.parts[shard];
  if (part.rows.empty() || takesNoMore(t, all.in))
    return 0;
  t.self = &self;
  Visit visit(t, run, all.in.domain);
  Inside inside(t, *all.in.domain.replica);
  uint32_t failedRow = t.ctx.failedRow, ran = 0;
  ++t.depth;
  t.part = &part;
  InPortCounters &counters = t.counters.in[all.in.id];
  t.counters.segment(all.in.id, counters, uint32_t(part.rows.size()),
                     [&] { ran = runRows(t, all, ticket, shard); });
  counters.batches.add(uint64_t(-1)); // join() counts the batch
  counters.rows.add(uint64_t(ran) - part.rows.size());
  for (uint32_t port : all.in.domain.outPorts)
    if (Batch *b = t.ports[port].batch; b->rows)
      forwardInPart(t, port, b);
  t.part = nullptr;
  --t.depth;
  t.ctx.failedRow = failedRow;
  return 0;
}

int32_t forwardInPart(Thread &t, uint32_t index, Batch *b) {
  if (t.part->alone)
    return 0;
  const auto &ports = t.program.domains.ofOperator[t.program.desc.outPorts[index].op]->outPorts;
  KeyPart::Out &out =
      t.part->outs[size_t(std::find(ports.begin(), ports.end(), index) - ports.begin())];
  out.batches.push_back(b);
  out.kept += b->rows;
  refill(t, index, b, /*gone=*/true);
  return 0;
}

void Client::join(Self &self, Run &run) {
  Thread &t = threadOf(self);
  t.self = &self;
  KeyShards &all = *inPortOf(run).domain.shards;
  t.counters.in[all.in.id].batches.add(1);
  run.outputs = joinParts(t, all, *static_cast<KeyTicket *>(run.outputs));
}

//===--- by one thread ---------------------------------------------------------------===//

/// One row. Nobody else may run with the shard's state: what is to be forwarded waits until
/// that is left.
static int32_t runRow(Thread &t, KeyShards &all, Batch *b, uint32_t row) {
  Run none{};
  KeyPart part;
  part.alone = true;
  int32_t result;
  {
    InShard inside(t);
    inside.go(all.shards[all.shardOf(element(b, all.desc.key, row))]);
    t.run = &none;
    t.part = &part;
    result = all.desc.rows(&t.ctx, b, row, row + 1);
    t.part = nullptr;
    t.run = nullptr;
  }
  const auto &ports = all.in.domain.outPorts;
  if (result < 0) {
    if (part.failure)
      failNow(t, std::move(*part.failure), ports);
    return -1;
  }
  for (uint32_t port : ports)
    if (const Batch *out = t.ports[port].batch; isFull(out))
      result = std::min(result, forward(t, port));
  return result;
}

/// Uses nothing that is by key.
static int32_t runMark(Thread &t, KeyShards &all, Punctuation mark) {
  uint32_t row = std::exchange(mark.row, 0);
  Batch alone = {};
  alone.puncts = &mark;
  alone.punctCount = 1;
  int32_t result = all.in.code.segment(&t.ctx, &alone);
  if (result)
    t.ctx.failedRow = row;
  return result;
}

/// Rows and marks in their order.
static int32_t runInTurn(Thread &t, KeyShards &all, Batch *b) {
  uint32_t row = 0;
  for (uint32_t m = 0;; ++m) {
    for (uint32_t end = m < b->punctCount ? b->puncts[m].row : b->rows; row < end; ++row)
      if (runRow(t, all, b, row) < 0) {
        t.ctx.failedRow = row;
        return -1;
      }
    if (m == b->punctCount)
      break;
    if (int32_t result = runMark(t, all, b->puncts[m]))
      return result;
  }
  int32_t result = 0;
  for (uint32_t port : all.in.domain.outPorts)
    result = std::min(result, forward(t, port));
  return result;
}

int32_t runOverShards(Thread &t, InPort &in, Batch *b) {
  int32_t result = 0;
  if (!takesNoMore(t, in)) {
    result = callWith(t, in.id, *in.domain.replica, b, t.counters.in[in.id],
                      [&](int32_t &status) { status = runInTurn(t, *in.domain.shards, b); });
    noteFailure(t, in, result);
  }
  releaseBatch(t, b);
  return result;
}

} // namespace sluice
