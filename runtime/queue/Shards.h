//===- KeyShards.h - tickets whose parts are run by key -------------*- C++ -*-===//
//
// Behind a token whose code keeps state by key a ticket has a part for each shard, and a
// shard runs its parts in the order of tickets, one thread at a time. Who has partitioned a
// ticket runs what it finds, shard by shard; what others are at is left to them. Nobody
// waits. Who runs the last part of a ticket ends it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Turn.h"
#include <memory>

namespace sluice::queue {

template <class Sys> class Shards {
  template <class T> using Atomic = typename Sys::template Atomic<T>;
  template <class T> using Plain = typename Sys::template Plain<T>;

public:
  /// `tickets`: as many as there can be at a time, a power of two.
  Shards(uint32_t shards, uint32_t tickets)
      : shards(shards), mask(tickets - 1), list(new Shard[shards]), slots(new Slot[tickets]) {}

  uint32_t count() const { return shards; }

  /// By who has taken the ticket; run.outputs is what its parts are run with.
  void partition(const Run<Sys> &run) {
    Slot &slot = slots[run.ticket & mask];
    slot.port = run.port;
    slot.work = run.outputs;
    slot.left.store(shards, std::memory_order_relaxed);
    // release: pairs with runNext().
    slot.partitioned.store(run.ticket + 1, Sys::mutant(Mutant::PartitionedRelaxed)
                                               ? std::memory_order_relaxed
                                               : std::memory_order_release);
  }

  /// By the same, afterwards: part(run, shard) for what is partitioned, and, behind no shard,
  /// done(run) for a ticket whose last part that was.
  template <class Part, class Done> void work(uint32_t me, uint64_t ticket, Part part, Done done) {
    for (uint32_t i = 0; i < shards; ++i) {
      uint32_t number = uint32_t((ticket + i) % shards); // not all where the others are
      Run<Sys> run{};
      while (runShard(me, number, part, run)) {
        done(run);
        if (Sys::mutant(Mutant::ShardNotBack))
          break;
      }
    }
  }

private:
  struct Slot {
    Atomic<uint64_t> partitioned{0}; // ticket + 1 of what it holds or held last
    Atomic<uint32_t> left{0};        // parts that have not run
    Plain<Port<Sys> *> port{};
    Plain<void *> work{};
  };
  struct alignas(64) Shard {
    Turn<Sys> turn;
    Plain<uint64_t> next{}; // the ticket whose part comes next; who has the turn's
  };

  /// True: `run` is a ticket whose last part this was; there may be more to run.
  template <class Part> bool runShard(uint32_t me, uint32_t number, Part &part, Run<Sys> &run) {
    Shard &shard = list[number];
    if (!shard.turn.win(me))
      return false; // who has it has been told
    bool ended = false;
    do
      while (!ended && runNext(shard, number, part, run, ended)) {
      }
    while (!shard.turn.letGo(me)); // told meanwhile: looks again, here or when it comes back
    return ended;
  }

  template <class Part>
  bool runNext(Shard &shard, uint32_t number, Part &part, Run<Sys> &run, bool &ended) {
    uint64_t ticket = shard.next;
    Slot &slot = slots[ticket & mask];
    // acquire: pairs with partition().
    if (slot.partitioned.load(std::memory_order_acquire) != ticket + 1)
      return false;
    run = {slot.port, ticket};
    run.outputs = slot.work;
    if (Sys::mutant(Mutant::ShardNextFirst))
      leavePart(slot, ended);
    part(run, number);
    shard.next = ticket + 1;
    if (!Sys::mutant(Mutant::ShardNextFirst))
      leavePart(slot, ended);
    return true;
  }
  /// The slot may be used again afterwards. acq_rel: the last one has seen what all others did.
  void leavePart(Slot &slot, bool &ended) {
    ended =
        slot.left.fetch_sub(1, Sys::mutant(Mutant::LeftRelaxed) ? std::memory_order_relaxed
                                                                : std::memory_order_acq_rel) == 1;
  }

  const uint32_t shards;
  const uint64_t mask;
  std::unique_ptr<Shard[]> list;
  std::unique_ptr<Slot[]> slots;
};

} // namespace sluice::queue
