//===- OwnershipToken.h - who runs what is behind it ----------------------*- C++ -*-===//
//
// Ports that reach common state share one token of 64 bits: the owner's id (0:
// nobody), Q (its entry is in a ready queue) and D (dirty: something was
// published while it was owned). runtime/queue/README.md says why each step is
// as it is; the order of loads and the bits that stay are not free to change.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/EventCount.h"
#include <algorithm>

namespace sluice::queue {

template <class Sys> struct Port;
template <class Sys> class ReorderWindow;

/// What takes it, runs behind it and lets go of it touches all of it: whoever holds it gives
/// it a cache line, with what belongs to it.
template <class Sys> class OwnershipToken {
public:
  static constexpr uint64_t kQueued = 1, kDirty = 2;

  /// Something was published behind this token. True: the caller adds an entry.
  /// Always a read-modify-write, so that it needs no fence: of a publication and
  /// a release, one comes second and sees the other.
  [[nodiscard]] bool notify() {
    uint64_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      uint64_t next = old | (owner(old) ? kDirty : kQueued);
      if (Sys::mutant(Mutant::NotifyNotDirty) && owner(old))
        next = old;
      // release: pairs with the acquire of whoever sees Q or D next (win, take,
      // release), who then sees the published slot. acquire: pairs with take():
      // its worker has removed the last entry, so there is space for the next.
      if (state.compare_exchange_weak(old, next,
                                      order(Mutant::NotifyRelaxed, std::memory_order_acq_rel),
                                      std::memory_order_relaxed))
        break;
    }
    return !owner(old) && (!(old & kQueued) || Sys::mutant(Mutant::NotifyAlwaysAdds));
  }

  /// Becomes the owner if there is none. An entry in a queue stays there: its
  /// worker will find the token owned, or nothing to do.
  bool win(uint32_t me) {
    uint64_t old = state.load(std::memory_order_relaxed);
    while (!owner(old)) {
      uint64_t next = owned(me) | (old & kQueued);
      if (Sys::mutant(Mutant::WinClearsQueued))
        next = owned(me);
      // acquire: pairs with release() of the last owner and notify() of publishers.
      if (state.compare_exchange_weak(old, next,
                                      order(Mutant::WinRelaxed, std::memory_order_acquire),
                                      std::memory_order_relaxed))
        return true;
    }
    return false;
  }

  /// By the worker that removed the entry. False: somebody else is the owner and
  /// has been told to look again.
  bool take(uint32_t me) {
    uint64_t old = state.load(std::memory_order_relaxed), next;
    do {
      Sys::check(old & kQueued, "an entry was taken whose token has no Q");
      next = owner(old) ? (old & ~kQueued) | kDirty : owned(me);
      if (Sys::mutant(Mutant::TakeNotDirty) && owner(old))
        next = old & ~kQueued;
      if (Sys::mutant(Mutant::TakeKeepsQueued))
        next |= kQueued;
      // acquire: as in win(). release: hands what notify() brought on to the
      // owner, who sees it by the acquire that clears D.
    } while (!state.compare_exchange_weak(old, next,
                                          order(Mutant::TakeRelaxed, std::memory_order_acq_rel),
                                          std::memory_order_relaxed));
    return !owner(old);
  }

  /// Lets go. `more`: something is published; pub() asks that again. True: the
  /// caller adds an entry. The caller then wakes who waits for space.
  template <class Pub>
  [[nodiscard]] inline __attribute__((always_inline)) bool release(uint32_t me, bool more,
                                                                   Pub &&pub) {
    uint64_t old = state.load(std::memory_order_relaxed);
    for (;;) {
      Sys::check(owner(old) == me, "a token is released that is not owned");
      if (!more && (old & kDirty) && !Sys::mutant(Mutant::ReleaseIgnoresDirty)) {
        if (Sys::mutant(Mutant::ReleaseCleansLate))
          more = pub();
        // acquire: pairs with notify(); D is cleared first, what is published
        // after the look sets it again.
        if (state.compare_exchange_weak(old, old & ~kDirty, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
          old &= ~kDirty;
          if (!Sys::mutant(Mutant::ReleaseCleansLate))
            more = pub();
        }
        continue;
      }
      uint64_t next = more ? kQueued : old & kQueued;
      // release: pairs with win() and take(). seq_cst: before the look for
      // waiters, whose announcement is before their look at the owner.
      auto strong = Sys::mutant(Mutant::ReleaseNotSeqCst) ? std::memory_order_acq_rel
                                                          : std::memory_order_seq_cst;
      if (state.compare_exchange_weak(old, next, order(Mutant::ReleaseRelaxed, strong),
                                      std::memory_order_relaxed))
        return more && (!(old & kQueued) || Sys::mutant(Mutant::ReleaseAlwaysAdds));
    }
  }

  /// seq_cst: after the announcement of a waiter, against release().
  bool isOwned() const { return owner(state.load(std::memory_order_seq_cst)) != 0; }
  /// After Ring::drained(): the last that was popped has run, too. acquire: pairs with release().
  bool isFree() const {
    return !owner(state.load(order(Mutant::AloneOwnerRelaxed, std::memory_order_acquire)));
  }
  /// Only the thread itself can make this true: no order needed.
  bool isOwnedBy(uint32_t me) const { return owner(state.load(std::memory_order_relaxed)) == me; }
  bool isQueued() const { return state.load(std::memory_order_relaxed) & kQueued; }

  /// A turn has taken so long. Remembered is about the longest of late. relaxed: a guess, it guards
  /// nothing.
  void took(int64_t nanos) {
    uint32_t last = uint32_t(std::clamp(nanos, int64_t(0), int64_t(UINT32_MAX - 1))) + 1,
             before = turn.load(std::memory_order_relaxed);
    turn.store(std::max(last, before - before / 4), std::memory_order_relaxed);
  }
  /// Turns are known to take that long at most.
  bool isLight(int64_t nanos) const {
    uint32_t known = turn.load(std::memory_order_relaxed);
    return known && known - 1 <= nanos;
  }

  /// By the owner: a ticket was taken at some time, or is about to be. Where none was, the window,
  /// which is elsewhere in memory, need not be looked at.
  bool hasTickets() const { return tickets; }
  void noteTickets(bool taken) { tickets = taken; }

  EventCount<Sys> space;                 // who waits for a full ring behind this token
  Port<Sys> *ports = nullptr;            // a circle; `ports` is where the next turn begins
  ReorderWindow<Sys> *reorder = nullptr; // several threads may run what is behind it; lives as long
  void *user = nullptr;

private:
  static constexpr uint64_t owned(uint32_t me) { return uint64_t(me) << 32; }
  static constexpr uint32_t owner(uint64_t state) { return uint32_t(state >> 32); }
  static constexpr std::memory_order order(Mutant mutant, std::memory_order right) {
    return Sys::mutant(mutant) ? std::memory_order_relaxed : right;
  }

  typename Sys::template Atomic<uint64_t> state{0};
  typename Sys::template Atomic<uint32_t> turn{0}; // nanoseconds of one, and one more; 0: not known
  typename Sys::template Plain<bool> tickets{};
};

} // namespace sluice::queue
