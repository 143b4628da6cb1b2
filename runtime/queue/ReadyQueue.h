//===- ReadyQueue.h - tokens that have something to run ----------*- C++ -*-===//
//
// A bounded queue, first in, first out, with any number of threads at both ends. Each worker has
// one (OwnQueue.h: it adds, others steal), and there is one for entries from outside. A token has
// at most one entry in all queues together, so a queue with a slot for each token never overflows;
// a smaller one may be full.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"
#include <algorithm>
#include <bit>
#include <memory>

namespace sluice::queue {

template <class Sys, class Entry> class ReadyQueue {
public:
  explicit ReadyQueue(uint32_t capacity)
      : mask(std::bit_ceil(std::max(capacity, 1u)) - 1), slots(new Slot[mask + 1]) {}

  /// Adds an entry, by any thread. False: the queue is full.
  bool add(Entry entry) {
    // acquire: pairs with the CAS of other threads that add. Each of them knows that the last entry
    // of its token was removed (OwnershipToken::notify, take), so now this one knows it as well,
    // and never sees more entries than there are tokens.
    uint64_t index = tail.load(std::memory_order_acquire);
    do {
      // acquire: pairs with take(). No thread takes what is below head any more: one that still
      // reads a slot there fails to raise head.
      if (int64_t(index - head.load(std::memory_order_acquire)) > int64_t(mask))
        return false;
      // The slot itself is published by its turn, below.
    } while (!tail.compare_exchange_weak(index, index + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
    Slot &slot = slots[index & mask];
    slot.entry.store(entry, std::memory_order_relaxed);
    slot.turn.store(index + 1, std::memory_order_release); // pairs with take()
    return true;
  }

  /// Takes the oldest entry, by any thread. Null: there is none, or the oldest is being added; the
  /// thread that adds it wakes a sleeper when it is there.
  Entry take() {
    uint64_t index = head.load(std::memory_order_relaxed);
    for (;;) {
      Slot &slot = slots[index & mask];
      // acquire: pairs with add().
      int64_t ahead = int64_t(slot.turn.load(std::memory_order_acquire) - (index + 1));
      if (ahead < 0)
        return nullptr;
      // Read before the entry is taken: a thread that takes it and is then interrupted must not
      // keep the slot from threads that add. relaxed: the acquire of `turn` has published it.
      Entry entry = slot.entry.load(std::memory_order_relaxed);
      // release: pairs with add(). If another thread took the entry this reads the new head.
      if (head.compare_exchange_weak(index, index + 1, std::memory_order_release,
                                     std::memory_order_relaxed))
        return entry;
    }
  }

  /// A guess, by any thread. relaxed: it guards nothing.
  bool empty() const {
    uint64_t first = head.load(std::memory_order_relaxed);
    return tail.load(std::memory_order_relaxed) == first;
  }

private:
  struct Slot {
    typename Sys::template Atomic<uint64_t> turn{0}; // index + 1 of what it holds or held last
    typename Sys::template Atomic<Entry> entry{};
  };
  const uint64_t mask;
  std::unique_ptr<Slot[]> slots;
  alignas(64) typename Sys::template Atomic<uint64_t> tail{0};
  alignas(64) typename Sys::template Atomic<uint64_t> head{0};
};

} // namespace sluice::queue
