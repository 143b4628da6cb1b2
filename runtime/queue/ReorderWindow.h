//===- ReorderWindow.h - one port run by several threads, in order -----*- C++ -*-===//
//
// Behind a token whose code keeps no state several threads may run batches at once.
// The token then covers taking, not running: each batch gets a ticket, in order; what
// its run puts out is kept in the window until all tickets before it are released;
// who has the turn pushes it downstream.
//
//     released <= ticket < taken,  running <= width,  taken - released <= 2 * width
//
// More tickets than may run: who is through with one need not wait for those before it.
//
// Where it keeps state by key each ticket is run in parts: Shards.h.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/EventCount.h"
#include "runtime/queue/Shards.h"
#include <algorithm>
#include <bit>
#include <memory>

namespace sluice::queue {

template <class Sys> class ReorderWindow {
  template <class T> using Atomic = typename Sys::template Atomic<T>;
  template <class T> using Plain = typename Sys::template Plain<T>;

public:
  /// `widest`: the most that the width can be. `bytes`: what runs may keep together; those whose
  /// turn has not come wait then. `shardCount`: shards that state by key is partitioned to; 0:
  /// there is no state.
  explicit ReorderWindow(uint32_t widest, uint64_t bytes = 1 << 20, uint32_t shardCount = 0)
      : shards(shardCount ? new Shards<Sys>(shardCount, slotsFor(widest)) : nullptr),
        widest(std::max(widest, 1u)), mask(slotsFor(widest) - 1), bytes(bytes),
        slots(new Slot[slotsFor(widest)]) {}

  /// Tickets that it can hold.
  uint32_t size() const { return uint32_t(mask + 1); }
  uint32_t getWidth() const { return width.load(std::memory_order_relaxed); }
  /// Any thread, at any time; counts from the next ticket. Tell the workers (Tickets).
  void setWidth(uint32_t value) {
    width.store(std::clamp(value, 1u, widest), std::memory_order_relaxed);
  }

  //===--- the owner of the token ------------------------------------------===//

  /// All that was taken is released: what runs now need not wait for anybody.
  bool idle() const {
    // acquire: pairs with moveOn(), who has pushed what came before.
    return released.load(std::memory_order_acquire) == taken.load(std::memory_order_relaxed);
  }
  /// Batches are run by ticket.
  bool shares() const { return getWidth() > 1 || !idle(); }
  /// One more ticket may be taken. A "no" is from after a fence: who moves on or
  /// raises the width afterwards sees what is in the rings.
  bool admits() const {
    if (isOpen())
      return true;
    if (Sys::mutant(Mutant::AdmitNoLook))
      return false;
    Sys::fence();
    return isOpen();
  }
  /// The next batch is to run alone, when all that was taken is released. Before admits().
  void setAlone(bool value) { alone.store(value, std::memory_order_relaxed); }
  uint64_t take() {
    uint64_t ticket = taken.load(std::memory_order_relaxed);
    Sys::check(ticket - released.load(std::memory_order_relaxed) <= mask,
               "more tickets than the reorder holds");
    taken.store(ticket + 1, std::memory_order_relaxed);
    return ticket;
  }

  //===--- who runs a ticket ----------------------------------------------===//

  /// seq_cst: the second look of a waiter.
  bool isDue(uint64_t ticket) const { return released.load(std::memory_order_seq_cst) == ticket; }
  void keep(int64_t more) {
    held.fetch_add(uint64_t(more), std::memory_order_relaxed);
  } // a bound, it guards nothing
  bool keepsTooMuch() const { return held.load(std::memory_order_relaxed) > bytes; }
  /// Then tell those who found no room: Tickets.
  void done(const Run<Sys> &run) {
    Slot &slot = slots[run.ticket & mask];
    slot.port = run.port;
    slot.outputs = run.outputs;
    slot.bytes = run.bytes;
    // release: pairs with next().
    slot.done.store(run.ticket + 1, Sys::mutant(Mutant::DoneRelaxed) ? std::memory_order_relaxed
                                                                     : std::memory_order_release);
    ended.fetch_add(1, std::memory_order_relaxed); // how many run; it guards nothing
  }

  //===--- who has the turn -----------------------------------------------===//

  /// The oldest ticket that is not released, if its run has ended.
  bool next(Run<Sys> &run) const {
    uint64_t ticket = released.load(std::memory_order_relaxed);
    const Slot &slot = slots[ticket & mask];
    // acquire: pairs with done().
    if (slot.done.load(std::memory_order_acquire) != ticket + 1)
      return false;
    run = {slot.port, ticket, true, true, slot.outputs, slot.bytes};
    return true;
  }
  void moveOn() {
    // release: the slot was read, its outputs were pushed; pairs with idle() and
    // admits(). seq_cst: before the look for those who wait.
    released.store(released.load(std::memory_order_relaxed) + 1,
                   Sys::mutant(Mutant::ReleasedRelaxed) ? std::memory_order_relaxed
                                                        : std::memory_order_seq_cst);
  }

  //===--- anybody --------------------------------------------------------===//

  /// No ticket may be taken now. seq_cst: the second look of a waiter.
  bool isFull() const {
    return !hasRoom(released.load(std::memory_order_seq_cst),
                    ended.load(std::memory_order_seq_cst));
  }

  Turn<Sys> turn;
  EventCount<Sys> turns;                     // who waits for its turn
  const std::unique_ptr<Shards<Sys>> shards; // null: a run has no parts

private:
  /// Twice as many tickets may be out as run.
  static uint32_t slotsFor(uint32_t widest) { return 2 * std::bit_ceil(std::max(widest, 1u)); }

  struct Slot {
    Atomic<uint64_t> done{0}; // ticket + 1 of what it holds or held last
    Plain<Port<Sys> *> port{};
    Plain<void *> outputs{};
    Plain<uint64_t> bytes{};
  };

  bool isOpen() const {
    // acquire: pairs with moveOn(): the slot may be used again.
    return hasRoom(released.load(std::memory_order_acquire), ended.load(std::memory_order_relaxed));
  }
  /// relaxed: its writer owns the token; a waiter that reads an old one looks again when that is
  /// let go.
  bool hasRoom(uint64_t first, uint64_t through) const {
    uint64_t next = taken.load(std::memory_order_relaxed);
    uint32_t most = getWidth();
    if (alone.load(std::memory_order_relaxed) && !Sys::mutant(Mutant::AloneWithTickets))
      most = 1;
    return (next - through < most &&
            next - first < (most > 1 ? 2 * most : 1)) || // a width of 1 ends with no ticket out
           Sys::mutant(Mutant::WidthIgnored);
  }

  const uint32_t widest;
  const uint64_t mask, bytes;
  std::unique_ptr<Slot[]> slots;

  alignas(64) Atomic<uint64_t> taken{0}; // written by owners of the token
  Atomic<uint32_t> width{1};
  Atomic<bool> alone{false};                // what is next in the ring is to run alone
  alignas(64) Atomic<uint64_t> released{0}; // written by who has the turn
  Atomic<uint64_t> held{0}, ended{0};       // ended: runs
};

} // namespace sluice::queue
