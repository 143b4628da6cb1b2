//===- Turn.h - one of several threads, by tickets ---------------*- C++ -*-===//
#pragma once
#include "runtime/queue/Sys.h"

namespace sluice::queue {

/// Who pushes downstream, or runs a shard. Like a token: who loses leaves D, the holder looks
/// again.
template <class Sys> class Turn {
public:
  bool win(uint32_t me) {
    uint32_t old = state.load(std::memory_order_relaxed), next;
    do {
      next = old >> 1 ? old | (Sys::mutant(Mutant::TurnNotDirty) ? 0 : kDirty) : me << 1;
      // acquire: pairs with letGo(). release: the holder who clears D sees what
      // the loser has done.
    } while (!state.compare_exchange_weak(
        old, next,
        Sys::mutant(Mutant::TurnWinRelaxed) ? std::memory_order_relaxed : std::memory_order_acq_rel,
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
                                      Sys::mutant(Mutant::TurnLetGoRelaxed)
                                          ? std::memory_order_relaxed
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
  bool turn = false; // it is this one's until it ends: outputs go downstream at once
  bool ended = false;
  void *outputs = nullptr; // the client's, kept until then
  uint64_t bytes = 0;      // of these
};

} // namespace sluice::queue
