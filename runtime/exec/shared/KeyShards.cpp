//===- KeyShards.cpp - keyed state, partitioned to shards ----------------===//
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Tickets.h"
#include "value/Place.h"
#include "value/Table.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace sluice {

uint32_t shardsFor(uint32_t workers) {
  return std::clamp(std::bit_ceil(2 * workers), 4u, kMostShards);
}

static Seq *wholeOf(Thread &t, const KeyShards &all, const StateDesc &state) {
  return reinterpret_cast<Seq *>(t.program.values.state.data() + all.in.domain.replica->state +
                                 state.offset);
}

static Seq *partOf(const KeyShard &shard, const StateDesc &state) {
  return reinterpret_cast<Seq *>(shard.state + state.offset);
}

/// Copies the state of the domain's operators to each shard, and empties the keyed state there.
/// Constants are only read: shards may share what they point to.
static void copyState(Program &p, KeyShards &all) {
  uint64_t first = UINT64_MAX, end = 0;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (const OperatorDesc &d = p.desc.operators[op];
        p.queues.domains.ofOperator[op] == &all.in.domain && d.stateBytes) {
      first = std::min(first, d.firstState & ~uint64_t(15));
      end = std::max(end, d.firstState + d.stateBytes);
    }
  const char *from = p.values.state.data() + all.in.domain.replica->state + first;
  for (KeyShard &shard : all.shards) {
    shard.memory.resize((end - first + 15) / 16);
    memcpy(shard.memory.data(), from, end - first);
    shard.state =
        reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(shard.memory.data()) - first);
    for (uint32_t i = 0; i < all.desc.stateCount; ++i)
      *partOf(shard, all.desc.state[i]) = {};
    shard.rows = static_cast<Batch *>(takeMemory(all.desc.batchBytes, 64));
    memset(static_cast<void *>(shard.rows), 0, kBatchHeader);
  }
}

std::unique_ptr<KeyShards> makeShards(Program &p, InPort &in) {
  auto all = std::make_unique<KeyShards>(in, *p.desc.inPorts[in.id].keyed);
  copyState(p, *all);
  return all;
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

void partitionState(Thread &t, KeyShards &all) {
  for (uint32_t i = 0; i < all.desc.stateCount; ++i) {
    const StateDesc &state = all.desc.state[i];
    moveEntries(t, state.type, {&all.in.domain.heap, wholeOf(t, all, state)},
                [&](const void *key) -> Table {
                  KeyShard &shard = all.shards[shardOf(all, key)];
                  return {&shard.heap, partOf(shard, state)};
                });
  }
}

void uniteState(Thread &t, KeyShards &all) {
  for (uint32_t i = 0; i < all.desc.stateCount; ++i) {
    const StateDesc &state = all.desc.state[i];
    for (KeyShard &shard : all.shards)
      moveEntries(t, state.type, {&shard.heap, partOf(shard, state)}, [&](const void *) -> Table {
        return {&all.in.domain.heap, wholeOf(t, all, state)};
      });
  }
}

std::vector<const Seq *> tablesOf(const Program &p, const KeyShards &all, const StateDesc &state) {
  auto isIt = [&](const StateDesc &keyed) { return keyed.offset == state.offset; };
  if (std::none_of(all.desc.state, all.desc.state + all.desc.stateCount, isIt))
    return {};
  std::vector<const Seq *> tables{reinterpret_cast<const Seq *>(
      p.values.state.data() + all.in.domain.replica->state + state.offset)};
  for (const KeyShard &shard : all.shards)
    tables.push_back(partOf(shard, state));
  return tables;
}

/// Keeps the hash apart from the one by which @parallel partitions by the same key, and from that
/// by which a table finds it.
static constexpr uint64_t kSalt = 0x6c616e6573;

/// The shards of keys that lie one behind the other. There is a power of two of them.
template <typename K>
static void findShards(const KeyShards &all, const char *keys, uint32_t count, uint8_t *shards) {
  const ColumnDesc &column = all.desc.key;
  const uint64_t mask = all.shards.size() - 1, step = column.size;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t hash = K::hash(column.type, K::load(keys + i * step));
    hash = (hash ^ kSalt) * 0x9e3779b97f4a7c15u;
    shards[i] = uint8_t((hash ^ hash >> 32) & mask);
  }
}

static void findShards(const KeyShards &all, const void *keys, uint32_t count, uint8_t *shards) {
  withKey(all.desc.key.type, [&](auto k) {
    findShards<decltype(k)>(all, static_cast<const char *>(keys), count, shards);
  });
}

uint32_t shardOf(const KeyShards &all, const void *key) {
  uint8_t shard;
  findShards(all, key, 1, &shard);
  return shard;
}

void shardRows(const KeyShards &all, KeyTicket &ticket) {
  const Batch *batch = ticket.batch;
  findShards(all, element(batch, all.desc.key, 0), batch->rows, ticket.shards);
  uint32_t ends[kMostShards + 1] = {}; // of the rows of each shard, in `rows`; at first how many
  for (uint32_t row = 0; row < batch->rows; ++row)
    ++ends[ticket.shards[row] + 1];
  for (size_t shard = 0; shard < ticket.parts.size(); ++shard) {
    KeyPart &part = ticket.parts[shard];
    part.rows = {ticket.rows + ends[shard], ends[shard + 1]};
    part.made.assign(part.rows.size() * part.outs.size(), kNotMade);
    ends[shard + 1] += ends[shard];
  }
  for (uint32_t row = 0; row < batch->rows; ++row)
    ticket.rows[ends[ticket.shards[row]]++] = uint16_t(row);
}

KeyTicket &ticketOf(KeyShards &all, const Run &run) {
  auto &made = all.tickets[run.ticket % all.tickets.size()];
  if (!made) {
    made = std::make_unique<KeyTicket>();
    made->parts.resize(all.shards.size());
    for (KeyPart &part : made->parts)
      part.outs.resize(all.in.domain.outPorts.size());
  }
  return *made;
}

} // namespace sluice
