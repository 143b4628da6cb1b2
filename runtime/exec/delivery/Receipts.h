//===- Receipts.h - receipts in a ring --------------------------*- C++ -*-===//
//
// With at-least-once delivery a PE acknowledges a frame when nobody works any more at what was made
// of it. Each frame that it receives has a Receipt, which counts those who do: the batches that
// were made of it, and the frames that were made of these and are not acknowledged by the next PE.
// A batch holds its receipt (Batch::receipt) until it is emptied or given back to the spares. What
// operators keep as state is not counted.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/state/Receipt.h"
#include "sluice/abi.h"
#include <atomic>
#include <vector>

namespace sluice {

/// The receipts of what comes from one place in order, in a ring.
class Receipts {
public:
  /// `window`: how many may be open, at most.
  explicit Receipts(uint32_t window) : slots(window) {}

  /// By the thread that receives: the receipt of what comes next, which the caller holds. Null: too
  /// many are open.
  Receipt *begin(uint64_t position = 0) {
    uint64_t n = begun.load(std::memory_order_relaxed);
    if (n - settled.load(std::memory_order_acquire) >= slots.size())
      return nullptr;
    Receipt &next = slots[n % slots.size()];
    next.position = position;
    next.holders.store(1, std::memory_order_relaxed);
    // seq_cst: Acknowledger::noteBegun() looks at who sleeps after this.
    begun.store(n + 1, std::memory_order_seq_cst);
    return &next;
  }

  /// By the acknowledger: how many, from the first one on, nobody holds any more. `position`: that
  /// of the last of them; unchanged if there is none since the last call.
  uint64_t done(uint64_t *position = nullptr) {
    uint64_t n = settled.load(std::memory_order_relaxed), end = count();
    seen.store(end, std::memory_order_relaxed);
    for (; n != end; ++n) {
      Receipt &next = slots[n % slots.size()];
      if (next.holders.load(std::memory_order_acquire))
        break;
      if (position)
        *position = next.position;
    }
    settled.store(n, std::memory_order_release);
    return n;
  }
  /// By the acknowledger: how many have begun.
  uint64_t count() const { return begun.load(std::memory_order_seq_cst); }
  /// How many were not done at the last look, and how many have begun since. Any thread.
  uint64_t open() const { return count() - settled.load(std::memory_order_relaxed); }
  uint64_t fresh() const { return count() - seen.load(std::memory_order_relaxed); }

private:
  std::vector<Receipt> slots;
  std::atomic<uint64_t> begun{0}, settled{0}, seen{0}; // `seen`: begun at the last look
};

} // namespace sluice
