//===- Shards.h - tickets whose parts are run by key -------------*- C++ -*-===//
//
// Behind a token with keyed state a ticket has a part for each shard. A shard runs its parts in the
// order of tickets, one thread at a time. A thread that has partitioned a ticket runs what it
// finds, shard by shard, and leaves the shards that other threads run to them. No thread waits. The
// thread that runs the last part of a ticket ends it.
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
  /// `tickets`: the largest number at a time, a power of two.
  Shards(uint32_t shards, uint32_t tickets)
      : shards(shards), mask(tickets - 1), list(new Shard[shards]), slots(new Slot[tickets]) {}

  uint32_t count() const { return shards; }

  /// By the thread that has taken the ticket. run.outputs is what its parts are run with.
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

  /// By the same thread, afterwards: calls part(run, shard) for what is partitioned, and done(run)
  /// for each ticket whose last part that was, without the turn of a shard.
  template <class Part, class Done> void work(uint32_t me, uint64_t ticket, Part part, Done done) {
    for (uint32_t i = 0; i < shards; ++i) {
      uint32_t number = uint32_t((ticket + i) % shards); // threads begin at different shards
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
    Plain<uint64_t> next{}; // the ticket whose part comes next; by who has the turn
  };

  /// Runs parts of a shard. True: `run` is a ticket whose last part this was; there may be more.
  template <class Part> bool runShard(uint32_t me, uint32_t number, Part &part, Run<Sys> &run) {
    Shard &shard = list[number];
    if (!shard.turn.win(me))
      return false; // the thread that has the turn will look again
    bool ended = false;
    do
      while (!ended && runNext(shard, number, part, run, ended)) {
      }
    while (!shard.turn.letGo(me)); // D was set: looks again, here or when it comes back
    return ended;
  }

  /// Runs the next part of a shard. False: it is not partitioned yet.
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
  /// A part has run; the slot may be used again after the last one. acq_rel: pairs with itself, so
  /// that the thread that runs the last part has seen what all others did.
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
