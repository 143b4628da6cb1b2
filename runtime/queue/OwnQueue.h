//===- OwnQueue.h - the entries of one worker -------------------*- C++ -*-===//
//
// What a worker pushed last it runs first, while the batch is in its cache: a batch
// goes down a chain of ports before the next one starts. Earlier ones, and tokens that
// have used up their turn, are a queue, first in, first out. Others steal from either.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/ReadyQueue.h"

namespace sluice::queue {

template <class Sys, class Entry> class OwnQueue {
public:
  explicit OwnQueue(uint32_t capacity) : older(capacity) {}

  /// By the worker: an entry that has had its turn. Null, or the entry if there is no place.
  [[nodiscard]] Entry addLast(Entry entry) { return older.add(entry) ? nullptr : entry; }
  /// By the worker: one to be taken next. Null, or an entry that has no place here any more.
  [[nodiscard]] Entry addFirst(Entry entry) {
    // acq_rel: pairs with take() and steal(). Who takes an entry has seen what its
    // adder saw: that the one before of its token was removed (ReadyQueue::add).
    Entry before = newest.exchange(entry, std::memory_order_acq_rel);
    return before ? addLast(before) : nullptr;
  }
  /// By the worker: the newest entry, or the oldest where those must not starve; or null.
  Entry take(bool oldest = false) {
    if (oldest)
      if (Entry entry = older.take())
        return entry;
    if (Entry entry = takeNewest())
      return entry;
    return older.take();
  }
  /// By a worker that is about to park: what it must not keep; or null.
  Entry surrender() { return Sys::mutant(Mutant::NewestIsPrivate) ? older.take() : take(); }
  /// By anybody: the oldest entry, or null.
  Entry steal() {
    if (Entry entry = older.take())
      return entry;
    return Sys::mutant(Mutant::NewestIsPrivate) ? nullptr : takeNewest();
  }
  /// A guess.
  bool empty() const { return !newest.load(std::memory_order_relaxed) && older.empty(); }

private:
  Entry takeNewest() {
    if (!newest.load(std::memory_order_relaxed))
      return nullptr;
    return newest.exchange(nullptr, std::memory_order_acq_rel); // as in addFirst()
  }

  alignas(64) typename Sys::template Atomic<Entry> newest{nullptr};
  ReadyQueue<Sys, Entry> older;
};

} // namespace sluice::queue
