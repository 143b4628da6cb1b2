//===- OwnQueue.h - the entries of one worker -------------------*- C++ -*-===//
//
// A worker runs the entry that it added last first, while the batch is in its cache: a batch goes
// down a chain of ports before the next one starts. Earlier entries, and those of tokens that have
// used up their turn, are in a queue, first in, first out. Other workers steal from both.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/ReadyQueue.h"

namespace sluice::queue {

template <class Sys, class Entry> class OwnQueue {
public:
  explicit OwnQueue(uint32_t capacity) : older(capacity) {}

  /// By the worker: adds an entry that has had its turn. Null, or the entry if there is no place.
  [[nodiscard]] Entry addLast(Entry entry) { return older.add(entry) ? nullptr : entry; }
  /// By the worker: adds an entry to be taken next. Null, or an entry that has no place any more.
  [[nodiscard]] Entry addFirst(Entry entry) {
    // acq_rel: pairs with takeNewest(). The thread that takes an entry has seen what the one that
    // added it saw: that the entry before of its token was removed (ReadyQueue::add).
    Entry before = newest.exchange(entry, std::memory_order_acq_rel);
    return before ? addLast(before) : nullptr;
  }
  /// By the worker: takes the newest entry, or the oldest one if `oldest`; null: there is none.
  Entry take(bool oldest = false) {
    if (oldest)
      if (Entry entry = older.take())
        return entry;
    if (Entry entry = takeNewest())
      return entry;
    return older.take();
  }
  /// By a worker that is about to park: takes an entry that it must not keep; null: none is left.
  Entry surrender() { return Sys::mutant(Mutant::NewestIsPrivate) ? older.take() : take(); }
  /// By any thread: takes the oldest entry; null: there is none.
  Entry steal() {
    if (Entry entry = older.take())
      return entry;
    return Sys::mutant(Mutant::NewestIsPrivate) ? nullptr : takeNewest();
  }
  /// A guess, by any thread. relaxed: it guards nothing.
  bool empty() const { return !newest.load(std::memory_order_relaxed) && older.empty(); }

private:
  Entry takeNewest() {
    if (!newest.load(std::memory_order_relaxed))
      return nullptr;
    return newest.exchange(nullptr, std::memory_order_acq_rel); // pairs with addFirst()
  }

  alignas(64) typename Sys::template Atomic<Entry> newest{nullptr};
  ReadyQueue<Sys, Entry> older;
};

} // namespace sluice::queue
