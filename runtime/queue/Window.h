//===- Window.h - one port run by several threads, in order -----*- C++ -*-===//
//
// Behind a word whose code keeps no state several threads may run batches at once.
// The word then covers taking, not running: each batch gets a ticket, in order; what
// its run puts out is kept in the window until all tickets before it are released;
// who has the turn pushes it downstream.
//
//     released <= ticket < taken,  taken - released <= width <= size
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/EventCount.h"
#include <algorithm>
#include <bit>
#include <memory>

namespace sluice::queue {

/// Who pushes downstream. Like a word: who loses leaves D, the holder looks again.
template <class Sys> class Turn {
public:
  bool win(uint32_t me) {
    uint32_t old = state.load(std::memory_order_relaxed), next;
    do {
      next = old >> 1 ? old | (Sys::mutant(Mutant::TurnNotDirty) ? 0 : kDirty) : me << 1;
      // acquire: pairs with letGo(). release: the holder who clears D sees what
      // the loser has done.
    } while (!state.compare_exchange_weak(old, next,
                                          Sys::mutant(Mutant::TurnWinRelaxed) ? std::memory_order_relaxed
                                                                              : std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    return !(old >> 1);
  }

  /// False: somebody lost meanwhile; look again.
  bool letGo(uint32_t me) {
    uint32_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      Sys::check(old >> 1 == me, "a turn is let go that is another's");
      bool dirty = (old & kDirty) && !Sys::mutant(Mutant::TurnIgnoresDirty);
      // acquire: pairs with the loser. release: pairs with win(). seq_cst: before
      // the look for those who wait, whose announcement is before their look.
      if (state.compare_exchange_weak(old, dirty ? old & ~kDirty : 0,
                                      Sys::mutant(Mutant::TurnLetGoRelaxed) ? std::memory_order_relaxed
                                                                            : std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return !dirty;
    }
  }

  /// seq_cst: the second look of a waiter.
  bool isFree() const { return !(state.load(std::memory_order_seq_cst) >> 1); }
  bool isDirty() const { return state.load(std::memory_order_relaxed) & kDirty; }

private:
  static constexpr uint32_t kDirty = 1;
  typename Sys::template Atomic<uint32_t> state{0};
};

template <class Sys> struct Port;

/// The run of one ticket by one thread.
template <class Sys> struct Run {
  Port<Sys> *port;
  uint64_t ticket;
  bool turn = false;       // it is this one's until it ends: outputs go downstream at once
  bool ended = false;
  void *outputs = nullptr; // the client's, kept until then
  uint64_t bytes = 0;      // of these
};

template <class Sys> class Window {
  template <class T> using Atomic = typename Sys::template Atomic<T>;
  template <class T> using Plain = typename Sys::template Plain<T>;

public:
  /// `bytes`: what runs may keep together; those whose turn has not come wait then.
  explicit Window(uint32_t size, uint64_t bytes = 1 << 20)
      : mask(std::bit_ceil(std::max(size, 1u)) - 1), bytes(bytes), slots(new Slot[mask + 1]) {}

  uint32_t size() const { return uint32_t(mask + 1); }
  uint32_t getWidth() const { return width.load(std::memory_order_relaxed); }
  /// Any thread, at any time; counts from the next ticket. Tell the workers (Tickets).
  void setWidth(uint32_t value) { width.store(std::clamp(value, 1u, size()), std::memory_order_relaxed); }

  //===--- the owner of the word ------------------------------------------===//

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
  uint64_t take() {
    uint64_t ticket = taken.load(std::memory_order_relaxed);
    Sys::check(ticket - released.load(std::memory_order_relaxed) <= mask, "more tickets than the window holds");
    taken.store(ticket + 1, std::memory_order_relaxed);
    return ticket;
  }

  //===--- who runs a ticket ----------------------------------------------===//

  /// seq_cst: the second look of a waiter.
  bool isDue(uint64_t ticket) const { return released.load(std::memory_order_seq_cst) == ticket; }
  void keep(int64_t more) { held.fetch_add(uint64_t(more), std::memory_order_relaxed); } // a bound, it guards nothing
  bool keepsTooMuch() const { return held.load(std::memory_order_relaxed) > bytes; }
  void done(const Run<Sys> &run) {
    Slot &slot = slots[run.ticket & mask];
    slot.port = run.port;
    slot.outputs = run.outputs;
    slot.bytes = run.bytes;
    // release: pairs with next().
    slot.done.store(run.ticket + 1, Sys::mutant(Mutant::DoneRelaxed) ? std::memory_order_relaxed : std::memory_order_release);
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
                   Sys::mutant(Mutant::ReleasedRelaxed) ? std::memory_order_relaxed : std::memory_order_seq_cst);
  }

  //===--- anybody --------------------------------------------------------===//

  /// No ticket may be taken now. seq_cst: the second look of a waiter.
  bool isFull() const {
    uint64_t first = released.load(std::memory_order_seq_cst);
    return taken.load(std::memory_order_relaxed) - first >= getWidth();
  }

  Turn<Sys> turn;
  EventCount<Sys> turns; // who waits for its turn

private:
  struct Slot {
    Atomic<uint64_t> done{0}; // ticket + 1 of what it holds or held last
    Plain<Port<Sys> *> port{};
    Plain<void *> outputs{};
    Plain<uint64_t> bytes{};
  };

  bool isOpen() const {
    // acquire: pairs with moveOn(): the slot may be used again.
    uint64_t first = released.load(std::memory_order_acquire);
    return taken.load(std::memory_order_relaxed) - first < (Sys::mutant(Mutant::WidthIgnored) ? ~0u : getWidth());
  }

  const uint64_t mask, bytes;
  std::unique_ptr<Slot[]> slots;
  alignas(64) Atomic<uint64_t> taken{0}; // written by owners of the word
  Atomic<uint32_t> width{1};
  alignas(64) Atomic<uint64_t> released{0}; // written by who has the turn
  Atomic<uint64_t> held{0};
};

} // namespace sluice::queue
