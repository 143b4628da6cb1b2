//===- KeyShards.h - state by key, partitioned to shards ----------------*- C++ -*-===//
//
// A domain whose first operator keeps state by key may be run by several threads: its
// state is partitioned to shards by the hash of the key, and so are the rows of a ticket. A
// shard runs its rows of each ticket in the order of tickets (runtime/queue/Shards.h), and
// notes which row each output is of: so those of all shards are joined to what one thread
// would have put out.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/shared/Tickets.h"

namespace sluice {

/// By who has the shard's turn.
struct KeyShard {
  struct alignas(16) Chunk {
    char bytes[16];
  };
  std::vector<Chunk>
      memory;            // the domain's state: what is constant is shared, what is by key its own
  char *state = nullptr; // as Ctx::state
  Heap heap = {};
  ~KeyShard() { heapEmpty(heap); }
};

/// What a shard does of a ticket. By who has taken the ticket, then by who has the shard's
/// turn, then by who ends the ticket.
struct KeyPart {
  struct Out {
    std::vector<uint32_t> rows;   // of the input that the rows of the output are of
    std::vector<Batch *> batches; // that hold them
    uint32_t kept = 0;            // rows of those
  };
  std::vector<uint32_t> rows; // of the input
  std::vector<Out> outs;      // by position in Domain::outPorts
  std::optional<Failure> failure;
  uint32_t failedAt = 0; // the row, if one has failed
  bool alone = false;    // it is one row of a batch that runs alone: who runs it forwards
};

struct KeyTicket {
  Batch *batch = nullptr;
  std::vector<KeyPart> parts; // by shard
};

struct KeyShards {
  KeyShards(Program &, InPort &);
  ~KeyShards();
  /// Partitions the domain's state, or puts it together: so much time as it has entries. By the
  /// owner of the token, nobody else is inside.
  void partition(Thread &);
  void unite(Thread &);
  uint32_t shardOf(const void *key) const;
  KeyTicket &ticketOf(const Run &run);

  InPort &in;
  const KeyedDesc &desc;
  std::vector<KeyShard> shards;
  std::vector<std::unique_ptr<KeyTicket>> tickets; // by ticket, modulo the window's size

private:
  void copyState(Program &);
  Seq *wholeOf(Thread &, const KeyedStateDesc &) const;
  Seq *partOf(const KeyShard &, const KeyedStateDesc &) const;
};

/// What all parts of the ticket have put out, in the order of their rows up to one that
/// failed, and that failure. The ticket is empty again. Null: nothing.
Kept *joinParts(Thread &, KeyShards &, KeyTicket &);

} // namespace sluice
