//===- Turn.h - one of several threads, by tickets ---------------*- C++ -*-===//
#pragma once
#include "runtime/queue/Sys.h"

namespace sluice::queue {

/// The right of one thread at a time to push downstream, or to run a shard. As with a token, a
/// thread that does not win leaves D, and the holder then looks again.
template <class Sys> class Turn {
public:
  /// True: this thread has the turn. False: another one has it and will look again.
  bool win(uint32_t me) {
    uint32_t old = state.load(std::memory_order_relaxed), next;
    do {
      next = old >> 1 ? old | (Sys::mutant(Mutant::TurnNotDirty) ? 0 : kDirty) : me << 1;
      // acquire: pairs with letGo(). release: pairs with the acquire of the holder that clears D,
      // which then sees what this thread has done.
    } while (!state.compare_exchange_weak(
        old, next,
        Sys::mutant(Mutant::TurnWinRelaxed) ? std::memory_order_relaxed : std::memory_order_acq_rel,
        std::memory_order_relaxed));
    return !(old >> 1);
  }

  /// Releases the turn. False: it is kept, as another thread has tried to win it; look again.
  bool letGo(uint32_t me) {
    uint32_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      Sys::check(old >> 1 == me, "a turn is let go that is another's");
      bool dirty = (old & kDirty) && !Sys::mutant(Mutant::TurnIgnoresDirty);
      // acquire: pairs with win() of a thread that left D. release: pairs with win(). seq_cst:
      // before the look for waiters, whose announcement is before their look.
      if (state.compare_exchange_weak(old, dirty ? old & ~kDirty : 0,
                                      Sys::mutant(Mutant::TurnLetGoRelaxed)
                                          ? std::memory_order_relaxed
                                          : std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return !dirty;
    }
  }

  /// seq_cst: the second look of a waiter, after its announcement.
  bool isFree() const { return !(state.load(std::memory_order_seq_cst) >> 1); }
  /// For tests. relaxed: a guess.
  bool isDirty() const { return state.load(std::memory_order_relaxed) & kDirty; }

private:
  static constexpr uint32_t kDirty = 1;
  typename Sys::template Atomic<uint32_t> state{0}; // the holder's id, shifted by one, and D
};

template <class Sys> struct Port;

/// The run of one ticket. By the thread that runs it, then by the one that releases it.
template <class Sys> struct Run {
  Port<Sys> *port;
  uint64_t ticket;
  bool turn = false;       // the run has the turn until it ends: outputs go downstream at once
  bool ended = false;      // the ticket is being released
  void *outputs = nullptr; // the client's, kept for the turn
  uint64_t bytes = 0;      // of `outputs`
};

} // namespace sluice::queue
