//===- Ring.h - the batches that wait at a port -----------------*- C++ -*-===//
//
// Any number of producers, one consumer at a time (the owner of the port's token). Slots have
// 64-bit indices that never wrap around: a producer reserves one by a CAS on `tail` and publishes
// it by a store-release of the slot's turn; the consumer takes slots in the order of indices.
//
// Loop edges and timers may exceed the bound: an index for which the ring has no slot is published
// as a linked node instead, and the consumer, which goes by index, finds it there. It is one queue:
// the order does not depend on the bound.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Budget.h"
#include <cstdlib>

namespace sluice::queue {

using Item = void *; // a batch; only the client knows what it is

/// The bounds of one ring.
struct Bounds {
  uint32_t items = 64; // a power of two
  uint64_t bytes = 4 << 20;
};

template <class Sys> class Ring {
  template <class T> using Atomic = typename Sys::template Atomic<T>;
  template <class T> using Plain = typename Sys::template Plain<T>;

public:
  struct Entry {
    Item item;
    uint32_t bytes; // that were charged to the budget for it
    bool overflow;  // it was beyond the bound
  };

  explicit Ring(Bounds bounds) : maxBytes(bounds.bytes), mask(bounds.items - 1) {}
  Ring(const Ring &) = delete;
  /// Items that are still in it belong to the client.
  ~Ring() {
    grab(0);
    for (Node *node = list; node;) {
      Node *next = node->next;
      delete node;
      node = next;
    }
    delete[] slots.load(std::memory_order_relaxed);
  }

  //===--- producers ------------------------------------------------------===//

  /// Appends an item unless the ring is full. `room`: the budget allows more than one.
  bool tryPush(Item item, uint32_t bytes, bool room) {
    uint64_t index = tail.load(std::memory_order_relaxed);
    do {
      // acquire: pairs with pop(): the slots below head + items were emptied.
      uint64_t first = head.load(std::memory_order_acquire);
      // If this tail is older than head the CAS fails and reads the new one.
      if (int64_t(index - first) > 0 && (index - first > mask || !room || tooManyBytes(bytes)))
        return false;
      // relaxed: it reserves a number only; the slot is published by its turn.
    } while (!tail.compare_exchange_weak(index, index + 1, std::memory_order_relaxed,
                                         std::memory_order_relaxed));
    bytesIn.fetch_add(bytes, std::memory_order_relaxed); // for a bound; it guards nothing
    publishSlot(index, item, bytes);
    return true;
  }

  /// Appends an item, beyond the bound if need be. True: beyond it.
  bool pushAlways(Item item, uint32_t bytes) {
    uint64_t index = tail.fetch_add(1, std::memory_order_relaxed);
    bytesIn.fetch_add(bytes, std::memory_order_relaxed);
    // acquire: as in tryPush().
    if (int64_t(index - head.load(std::memory_order_acquire)) <= int64_t(mask)) {
      publishSlot(index, item, bytes);
      return false;
    }
    publishNode(new Node{index, item, bytes, nullptr});
    return true;
  }

  //===--- the owner of the token ------------------------------------------===//

  /// True if the entry at head is published.
  bool pub() {
    uint64_t index = head.load(std::memory_order_relaxed); // only owners write it
    Slot *ring = slots.load(std::memory_order_acquire);    // pairs with allocate()
    // acquire: pairs with publishSlot().
    if (ring && ring[index & mask].turn.load(std::memory_order_acquire) == index + 1)
      return Sys::mutant(Mutant::OverflowFirst) ? (grab(index), true) : true;
    return grab(index);
  }

  /// The item at head, after pub() was true.
  Item front() const {
    uint64_t index = head.load(std::memory_order_relaxed);
    if (Node *node = list; node && node->index == index)
      return node->item;
    return slots.load(std::memory_order_relaxed)[index & mask].item;
  }
  /// Takes the entry at head out, after pub() was true.
  Entry pop() {
    uint64_t index = head.load(std::memory_order_relaxed);
    Entry entry;
    if (Node *node = list; node && (node->index == index || Sys::mutant(Mutant::OverflowFirst))) {
      entry = {node->item, node->bytes, true};
      list = node->next;
      delete node;
    } else {
      Slot &slot = slots.load(std::memory_order_relaxed)[index & mask];
      entry = {slot.item, slot.bytes, false};
    }
    bytesOut.store(bytesOut.load(std::memory_order_relaxed) + entry.bytes,
                   std::memory_order_relaxed);
    // release: the slot was read; pairs with the acquire of producers that use it again.
    head.store(index + 1, Sys::mutant(Mutant::PopRelaxed) ? std::memory_order_relaxed
                                                          : std::memory_order_release);
    return entry;
  }

  //===--- anybody --------------------------------------------------------===//

  /// Prefetches the slot that the next push fills. The ring itself should be in the cache already.
  void prefetchSlot() const {
    if (Slot *ring = slots.load(std::memory_order_relaxed))
      __builtin_prefetch(&ring[tail.load(std::memory_order_relaxed) & mask], 1);
  }
  // relaxed: guesses, except for the owner of the token (head) and the one producer (tail).
  uint64_t headIndex() const { return head.load(std::memory_order_relaxed); }
  uint64_t tailIndex() const { return tail.load(std::memory_order_relaxed); }
  uint64_t size() const {
    uint64_t first = head.load(std::memory_order_relaxed);
    return tail.load(std::memory_order_relaxed) - first;
  }
  bool empty() const { return size() == 0; }
  /// By the one producer: true if all had run when it called noteClear(), and it has pushed nothing
  /// since: no thread finds anything to run here. relaxed: it wrote `tail` itself.
  bool isClear() const { return clear == tail.load(std::memory_order_relaxed); }
  void noteClear() { clear = tail.load(std::memory_order_relaxed); }
  /// By the one producer: true if all that it pushed was popped.
  bool drained() const {
    // acquire: pairs with pop(): the thread that popped the last item owns the token, or has
    // released it since.
    return head.load(Sys::mutant(Mutant::AloneHeadRelaxed)
                         ? std::memory_order_relaxed
                         : std::memory_order_acquire) == tail.load(std::memory_order_relaxed);
  }
  /// True if a push would not be taken now. seq_cst: the second look of a waiter, after its
  /// announcement.
  bool full(uint32_t bytes, bool room) const {
    uint64_t last = tail.load(std::memory_order_seq_cst),
             first = head.load(std::memory_order_seq_cst);
    return int64_t(last - first) > 0 && (last - first > mask || !room || tooManyBytes(bytes));
  }
  /// True if loop edges or timers have exceeded the bound. relaxed: a guess.
  bool pastBound() const { return size() > mask + 1 || (size() > 1 && heldBytes() > maxBytes); }
  uint64_t heldBytes() const {
    uint64_t out = bytesOut.load(std::memory_order_relaxed);
    return bytesIn.load(std::memory_order_relaxed) - out;
  }
  uint32_t capacity() const { return uint32_t(mask + 1); }

private:
  struct Slot {
    Atomic<uint64_t> turn{0}; // index + 1 of what it holds or held last
    Plain<Item> item{};
    Plain<uint32_t> bytes{};
  };
  struct Node {
    uint64_t index;
    Item item;
    uint32_t bytes;
    Node *next;
  };

  bool tooManyBytes(uint32_t more) const {
    return heldBytes() + more > maxBytes && !Sys::mutant(Mutant::FullIgnoresBytes);
  }

  void publishSlot(uint64_t index, Item item, uint32_t bytes) {
    Slot *ring = slots.load(std::memory_order_acquire); // pairs with allocate()
    Slot &slot = (ring ? ring : allocate())[index & mask];
    slot.item = item;
    slot.bytes = bytes;
    // release: pairs with pub().
    slot.turn.store(index + 1, Sys::mutant(Mutant::PublishRelaxed) ? std::memory_order_relaxed
                                                                   : std::memory_order_release);
  }

  void publishNode(Node *node) {
    Node *top = nodes.load(std::memory_order_relaxed);
    do
      node->next = top;
    while (!nodes.compare_exchange_weak(top, node, std::memory_order_release,
                                        std::memory_order_relaxed)); // release: pairs with grab()
  }

  Slot *allocate() {
    Slot *ring = new Slot[mask + 1], *other = nullptr;
    // release: publishes the slots, which are zero; pairs with the acquire of threads that find
    // them.
    if (slots.compare_exchange_strong(other, ring, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      return ring;
    delete[] ring; // another thread was first
    return other;
  }

  /// By the owner: moves published nodes to its list, which is in the order of indices. True: the
  /// node for `index` is there.
  bool grab(uint64_t index) {
    if (nodes.load(std::memory_order_relaxed)) {
      // acquire: pairs with publishNode().
      Node *node = nodes.exchange(nullptr, std::memory_order_acquire), *turned = nullptr;
      while (node) { // the newest is first: reverses the list
        Node *next = node->next;
        node->next = turned;
        turned = node;
        node = next;
      }
      while (turned) {
        Node *next = turned->next;
        insert(turned);
        turned = next;
      }
    }
    Node *first = list;
    return first && first->index == index;
  }

  /// By the owner: inserts a node into its list.
  void insert(Node *node) {
    Node *end = last, *first = list;
    if (first && end->index < node->index) { // nearly always
      node->next = nullptr;
      end->next = node;
      last = node;
      return;
    }
    Node **at = &first;
    while (*at && (*at)->index < node->index)
      at = &(*at)->next;
    node->next = *at;
    *at = node;
    list = first;
    if (!node->next)
      last = node;
  }

  // What producers touch: the end of a cache line (Port.h).
  Atomic<uint64_t> tail{0};
  Atomic<uint64_t> bytesIn{0};
  Atomic<Node *> nodes{nullptr}; // published beyond the bound, the newest first
  const uint64_t maxBytes;
  Plain<uint64_t> clear{~uint64_t(0)}; // `tail` when all had run; by the one producer
  // What the owner of the token touches: the beginning of the next line.
  const uint64_t mask;      // of slots
  Atomic<uint64_t> head{0}; // written by owners only
  Atomic<uint64_t> bytesOut{0};
  Atomic<Slot *> slots{nullptr};
  Plain<Node *> list{}, last{}; // nodes in order of index, and their last one if there are any
};

} // namespace sluice::queue
