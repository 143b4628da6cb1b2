//===- OwnershipToken.h - who runs what is behind it -------------*- C++ -*-===//
//
// Ports that reach common state share one token of 64 bits: the id of the owner (0: none), Q (an
// entry of the token is in a ready queue) and D (dirty: something was published while it was
// owned). README.md says why each step is as it is. The order of loads and the bits that are kept
// must not be changed.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/EventCount.h"
#include <algorithm>

namespace sluice::queue {

template <class Sys> struct Port;
template <class Sys> class ReorderWindow;

/// A thread that wins the token, runs behind it and releases it touches all of it. So the object
/// that contains it places it in a cache line of its own, together with what belongs to it.
template <class Sys> class OwnershipToken {
public:
  static constexpr uint64_t kQueued = 1, kDirty = 2;

  /// Something was published behind this token; by any thread. True: the caller adds an entry. This
  /// is always a read-modify-write, so that it needs no fence: of a publication and a release one
  /// comes second and sees the other.
  [[nodiscard]] bool notify() {
    uint64_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      uint64_t next = old | (owner(old) ? kDirty : kQueued);
      if (Sys::mutant(Mutant::NotifyNotDirty) && owner(old))
        next = old;
      // release: pairs with the acquire of the thread that sees Q or D next (win, take, release),
      // which then sees the published slot. acquire: pairs with take(): the worker there has
      // removed the last entry, so there is space for the next one.
      if (state.compare_exchange_weak(old, next,
                                      order(Mutant::NotifyRelaxed, std::memory_order_acq_rel),
                                      std::memory_order_relaxed))
        break;
    }
    return !owner(old) && (!(old & kQueued) || Sys::mutant(Mutant::NotifyAlwaysAdds));
  }

  /// Becomes the owner if there is none. An entry in a ready queue stays there: the worker that
  /// takes it will find the token owned, or nothing to do.
  bool win(uint32_t me) {
    uint64_t old = state.load(std::memory_order_relaxed);
    while (!owner(old)) {
      uint64_t next = owned(me) | (old & kQueued);
      if (Sys::mutant(Mutant::WinClearsQueued))
        next = owned(me);
      // acquire: pairs with release() of the last owner, and with notify().
      if (state.compare_exchange_weak(old, next,
                                      order(Mutant::WinRelaxed, std::memory_order_acquire),
                                      std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  /// By the worker that has removed the entry. False: another thread is the owner; it will look
  /// again.
  bool take(uint32_t me) {
    uint64_t old = state.load(std::memory_order_relaxed), next;
    do {
      Sys::check(old & kQueued, "an entry was taken whose token has no Q");
      next = owner(old) ? (old & ~kQueued) | kDirty : owned(me);
      if (Sys::mutant(Mutant::TakeNotDirty) && owner(old))
        next = old & ~kQueued;
      if (Sys::mutant(Mutant::TakeKeepsQueued))
        next |= kQueued;
      // acquire: as in win(). release: passes what notify() has published on to the owner, which
      // sees it by the acquire that clears D.
    } while (!state.compare_exchange_weak(old, next,
                                          order(Mutant::TakeRelaxed, std::memory_order_acq_rel),
                                          std::memory_order_relaxed));
    return !owner(old);
  }

  /// By the owner: releases the token. `more`: something is published; pub() asks that again. True:
  /// the caller adds an entry. The caller then wakes the threads that wait for space.
  template <class Pub>
  [[nodiscard]] inline __attribute__((always_inline)) bool release(uint32_t me, bool more,
                                                                   Pub &&pub) {
    uint64_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      Sys::check(owner(old) == me, "a token is released that is not owned");
      if (!more && (old & kDirty) && !Sys::mutant(Mutant::ReleaseIgnoresDirty)) {
        if (Sys::mutant(Mutant::ReleaseCleansLate))
          more = pub();
        // acquire: pairs with notify(). D is cleared before the look, so what is published after
        // the look sets it again.
        if (state.compare_exchange_weak(old, old & ~kDirty, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
          old &= ~kDirty;
          if (!Sys::mutant(Mutant::ReleaseCleansLate))
            more = pub();
        }
        continue;
      }
      uint64_t next = more ? kQueued : old & kQueued;
      // release: pairs with win() and take(). seq_cst: before the look for waiters, whose
      // announcement is before their look at the owner.
      auto strong = Sys::mutant(Mutant::ReleaseNotSeqCst) ? std::memory_order_acq_rel
                                                          : std::memory_order_seq_cst;
      if (state.compare_exchange_weak(old, next, order(Mutant::ReleaseRelaxed, strong),
                                      std::memory_order_relaxed))
        return more && (!(old & kQueued) || Sys::mutant(Mutant::ReleaseAlwaysAdds));
    }
  }

  /// seq_cst: the second look of a waiter, after its announcement; pairs with release().
  bool isOwned() const { return owner(state.load(std::memory_order_seq_cst)) != 0; }
  /// After Ring::drained(): true if the item that was popped last has run as well. acquire: pairs
  /// with release().
  bool isFree() const {
    return !owner(state.load(order(Mutant::AloneOwnerRelaxed, std::memory_order_acquire)));
  }
  /// relaxed: only the thread itself can make this true.
  bool isOwnedBy(uint32_t me) const { return owner(state.load(std::memory_order_relaxed)) == me; }
  /// relaxed: a guess.
  bool isQueued() const { return state.load(std::memory_order_relaxed) & kQueued; }

  /// By the owner: a turn has taken `nanos`. About the longest of the last turns is kept. relaxed:
  /// a guess, which guards nothing.
  void took(int64_t nanos) {
    uint32_t last = uint32_t(std::clamp(nanos, int64_t(0), int64_t(UINT32_MAX - 1))) + 1,
             before = turn.load(std::memory_order_relaxed);
    turn.store(std::max(last, before - before / 4), std::memory_order_relaxed);
  }
  /// True if turns are known to take `nanos` ns at most. relaxed: as above.
  bool isLight(int64_t nanos) const {
    uint32_t known = turn.load(std::memory_order_relaxed);
    return known && known - 1 <= nanos;
  }

  /// By the owner: true if a ticket was taken. If none was, the reorder window, which is in other
  /// cache lines, need not be looked at.
  bool hasTickets() const { return tickets; }
  void noteTickets(bool taken) { tickets = taken; }

  EventCount<Sys> space;                 // threads that wait for space in a ring behind this token
  Port<Sys> *ports = nullptr;            // a circle; the next turn begins here. By the owner
  ReorderWindow<Sys> *reorder = nullptr; // if several threads may run what is behind it; else null
  void *user = nullptr;                  // the client's

private:
  static constexpr uint64_t owned(uint32_t me) { return uint64_t(me) << 32; }
  static constexpr uint32_t owner(uint64_t state) { return uint32_t(state >> 32); }
  static constexpr std::memory_order order(Mutant mutant, std::memory_order right) {
    return Sys::mutant(mutant) ? std::memory_order_relaxed : right;
  }

  typename Sys::template Atomic<uint64_t> state{0};
  typename Sys::template Atomic<uint32_t> turn{0}; // ns of a turn, plus 1; 0: not known
  typename Sys::template Plain<bool> tickets{};
};

} // namespace sluice::queue
