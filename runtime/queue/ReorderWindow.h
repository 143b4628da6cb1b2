//===- ReorderWindow.h - one port run by several threads, in order -*- C++ -*-===//
//
// Behind a token whose code keeps no state several threads may run batches at the same time. The
// token then covers taking, not running. Each batch gets a ticket, in order. What the run of a
// ticket puts out is kept in the window until all tickets before it are released; then the thread
// that has the turn pushes it downstream.
//
//     released <= ticket < taken,  running <= width,  taken - released <= 2 * width
//
// There are more tickets than may run, so that a thread that has ended a run need not wait for the
// tickets before it. Where state is keyed each ticket is run in parts: Shards.h.
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
  /// `widest`: the largest width. `bytes`: what runs may keep together; beyond that, runs whose
  /// turn has not come wait. `shardCount`: shards that keyed state is partitioned to; 0: there is
  /// no state.
  explicit ReorderWindow(uint32_t widest, uint64_t bytes = 1 << 20, uint32_t shardCount = 0)
      : shards(shardCount ? new Shards<Sys>(shardCount, slotsFor(widest)) : nullptr),
        widest(std::max(widest, 1u)), mask(slotsFor(widest) - 1), bytes(bytes),
        slots(new Slot[slotsFor(widest)]) {}

  /// The largest number of tickets.
  uint32_t size() const { return uint32_t(mask + 1); }
  /// relaxed: a width that is old is as right as a new one.
  uint32_t getWidth() const { return width.load(std::memory_order_relaxed); }
  /// By any thread, at any time, from the next ticket on. Tickets::setWidth() also tells the
  /// workers.
  void setWidth(uint32_t value) {
    width.store(std::clamp(value, 1u, widest), std::memory_order_relaxed);
  }

  //===--- by the owner of the token ----------------------------------------===//

  /// True if all tickets are released: what runs now need not wait for another run.
  bool idle() const {
    // acquire: pairs with moveOn() of the thread that has pushed what came before.
    return released.load(std::memory_order_acquire) == taken.load(std::memory_order_relaxed);
  }
  /// True if batches are run by ticket.
  bool shares() const { return getWidth() > 1 || !idle(); }
  /// True if one more ticket may be taken. False comes from a look after a fence: a thread that
  /// then releases a ticket or raises the width sees what is in the rings.
  bool admits() const {
    if (isOpen())
      return true;
    if (Sys::mutant(Mutant::AdmitNoLook))
      return false;
    Sys::fence();
    return isOpen();
  }
  /// The next batch is to run alone, when all tickets are released. Call it before admits().
  /// relaxed: as hasRoom() says.
  void setAlone(bool value) { alone.store(value, std::memory_order_relaxed); }
  /// Takes a ticket, after admits(). relaxed: only owners write `taken`.
  uint64_t take() {
    uint64_t ticket = taken.load(std::memory_order_relaxed);
    Sys::check(ticket - released.load(std::memory_order_relaxed) <= mask,
               "more tickets than the reorder holds");
    taken.store(ticket + 1, std::memory_order_relaxed);
    return ticket;
  }

  //===--- by the thread that runs a ticket --------------------------------===//

  /// True if all tickets before are released. seq_cst: the second look of a waiter, after its
  /// announcement.
  bool isDue(uint64_t ticket) const { return released.load(std::memory_order_seq_cst) == ticket; }
  /// Counts bytes that runs keep. relaxed: for a bound; it guards nothing.
  void keep(int64_t more) { held.fetch_add(uint64_t(more), std::memory_order_relaxed); }
  bool keepsTooMuch() const { return held.load(std::memory_order_relaxed) > bytes; }
  /// The run of the ticket has ended. Tickets then tells the threads that found no room.
  void done(const Run<Sys> &run) {
    Slot &slot = slots[run.ticket & mask];
    slot.port = run.port;
    slot.outputs = run.outputs;
    slot.bytes = run.bytes;
    // release: pairs with next().
    slot.done.store(run.ticket + 1, Sys::mutant(Mutant::DoneRelaxed) ? std::memory_order_relaxed
                                                                     : std::memory_order_release);
    ended.fetch_add(1, std::memory_order_relaxed); // counts runs; it guards nothing
  }

  //===--- by the thread that has the turn ---------------------------------===//

  /// Sets `run` to the oldest ticket that is not released. False: its run has not ended.
  bool next(Run<Sys> &run) const {
    uint64_t ticket = released.load(std::memory_order_relaxed);
    const Slot &slot = slots[ticket & mask];
    // acquire: pairs with done().
    if (slot.done.load(std::memory_order_acquire) != ticket + 1)
      return false;
    run = {slot.port, ticket, true, true, slot.outputs, slot.bytes};
    return true;
  }
  /// Releases that ticket, after its outputs were pushed.
  void moveOn() {
    // release: the slot was read, its outputs were pushed; pairs with idle() and admits(). seq_cst:
    // before the look for waiters.
    released.store(released.load(std::memory_order_relaxed) + 1,
                   Sys::mutant(Mutant::ReleasedRelaxed) ? std::memory_order_relaxed
                                                        : std::memory_order_seq_cst);
  }

  //===--- by any thread ---------------------------------------------------===//

  /// True if no ticket may be taken now. seq_cst: the second look of a waiter, after its
  /// announcement.
  bool isFull() const {
    return !hasRoom(released.load(std::memory_order_seq_cst),
                    ended.load(std::memory_order_seq_cst));
  }

  Turn<Sys> turn;                            // to push downstream
  EventCount<Sys> turns;                     // threads that wait for the turn of their ticket
  const std::unique_ptr<Shards<Sys>> shards; // null: a run has no parts

private:
  /// There may be twice as many tickets as runs.
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
  /// relaxed: owners of the token write `taken` and `alone`. A waiter that reads an old value looks
  /// again when the token is released.
  bool hasRoom(uint64_t first, uint64_t through) const {
    uint64_t next = taken.load(std::memory_order_relaxed);
    uint32_t most = getWidth();
    if (alone.load(std::memory_order_relaxed) && !Sys::mutant(Mutant::AloneWithTickets))
      most = 1;
    return (next - through < most &&
            next - first < (most > 1 ? 2 * most : 1)) || // at width 1 one ticket, to end tickets
           Sys::mutant(Mutant::WidthIgnored);
  }

  const uint32_t widest;
  const uint64_t mask, bytes;
  std::unique_ptr<Slot[]> slots;

  alignas(64) Atomic<uint64_t> taken{0}; // written by owners of the token
  Atomic<uint32_t> width{1};
  Atomic<bool> alone{false};                // the next item of the ring is to run alone
  alignas(64) Atomic<uint64_t> released{0}; // written by the thread that has the turn
  Atomic<uint64_t> held{0}, ended{0};       // bytes that runs keep; runs that have ended
};

} // namespace sluice::queue
