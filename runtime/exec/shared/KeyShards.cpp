//===- KeyShards.cpp - keyed state, partitioned to shards -----------------===//
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/dispatch/Batches.h"
#include "runtime/exec/program/Program.h"
#include "value/Place.h"
#include "value/Table.h"
#include <bit>
#include <cstring>

namespace sluice {

uint32_t shardsFor(uint32_t workers) { return std::clamp(std::bit_ceil(2 * workers), 4u, 32u); }

KeyShards::KeyShards(Program &p, InPort &in)
    : in(in), desc(*p.desc.inPorts[in.id].keyed), shards(in.domain.reorder->shards->count()),
      tickets(in.domain.reorder->size()) {
  alone.outs.resize(in.domain.outPorts.size());
  copyState(p);
}

/// Their heaps free all but buffers that are too large for a heap: those are freed here.
KeyShards::~KeyShards() {
  for (KeyShard &shard : shards)
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      disown(&shard.heap, desc.state[i].type, shard.state + desc.state[i].offset);
}

/// Copies the state of the domain's operators to each shard, and empties the keyed state there.
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

Seq *KeyShards::wholeOf(Thread &t, const StateDesc &state) const {
  return reinterpret_cast<Seq *>(t.program.state.data() + in.domain.replica->state + state.offset);
}
Seq *KeyShards::partOf(const KeyShard &shard, const StateDesc &state) const {
  return reinterpret_cast<Seq *>(shard.state + state.offset);
}

namespace {
/// A set or map, and whose memory it is in.
struct Table {
  Heap *heap;
  Seq *entries;
};
} // namespace

/// Moves each entry of `from` to the table `to(key)`.
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

/// Keeps the hash apart from the one by which @parallel partitions by the same key.
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

} // namespace sluice
