//===- ReadyQueue.h - words that have something to run ----------*- C++ -*-===//
//
// First in, first out, bounded, any number of threads on both ends: a worker's
// own queue (it adds, others steal) and the one for entries from outside. A word
// has at most one entry in all queues together, so a queue of as many slots as
// there are words never overflows; a smaller one says that it is full.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"
#include <bit>
#include <memory>

namespace sluice::queue {

template <class Sys, class Entry> class ReadyQueue {
public:
  explicit ReadyQueue(uint32_t capacity) : mask(std::bit_ceil(capacity < 2 ? 2u : capacity) - 1), slots(new Slot[mask + 1]) {
    for (uint64_t i = 0; i <= mask; ++i)
      slots[i].turn.store(i, std::memory_order_relaxed); // nobody else is here yet
  }

  bool add(Entry entry) {
    uint64_t index = tail.load(std::memory_order_relaxed);
    for (;;) {
      Slot &slot = slots[index & mask];
      // acquire: pairs with take(): the slot has been read.
      int64_t ahead = int64_t(slot.turn.load(std::memory_order_acquire) - index);
      if (ahead < 0)
        return false;
      if (ahead > 0) {
        index = tail.load(std::memory_order_relaxed);
        continue;
      }
      if (tail.compare_exchange_weak(index, index + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
        slot.entry = entry;
        slot.turn.store(index + 1, std::memory_order_release); // pairs with take()
        return true;
      }
    }
  }

  /// The oldest entry, or null; also null while the oldest is being added: who
  /// adds it wakes a sleeper when it is there.
  Entry take() {
    uint64_t index = head.load(std::memory_order_relaxed);
    for (;;) {
      Slot &slot = slots[index & mask];
      // acquire: pairs with add().
      int64_t ahead = int64_t(slot.turn.load(std::memory_order_acquire) - (index + 1));
      if (ahead < 0)
        return nullptr;
      if (ahead > 0) {
        index = head.load(std::memory_order_relaxed);
        continue;
      }
      if (head.compare_exchange_weak(index, index + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
        Entry entry = slot.entry;
        slot.turn.store(index + mask + 1, std::memory_order_release); // pairs with add()
        return entry;
      }
    }
  }

  /// A guess.
  bool empty() const {
    uint64_t first = head.load(std::memory_order_relaxed);
    return tail.load(std::memory_order_relaxed) == first;
  }

private:
  struct Slot {
    typename Sys::template Atomic<uint64_t> turn{0};
    typename Sys::template Plain<Entry> entry{};
  };
  const uint64_t mask;
  std::unique_ptr<Slot[]> slots;
  alignas(64) typename Sys::template Atomic<uint64_t> tail{0};
  alignas(64) typename Sys::template Atomic<uint64_t> head{0};
};

} // namespace sluice::queue
