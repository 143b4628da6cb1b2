//===- Receipt.h - who still works at a frame -------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <atomic>
#include <utility>

namespace sluice {

struct alignas(64) Receipt {
  std::atomic<uint32_t> holders{0};
  uint64_t position = 0; // of a source: where it has read to (Receipts::begin())

  /// relaxed: who calls it holds the receipt already.
  void hold() { holders.fetch_add(1, std::memory_order_relaxed); }
  /// release: pairs with Receipts::done(). What was written before is seen by who acknowledges.
  void release() { holders.fetch_sub(1, std::memory_order_release); }
};

/// Makes the batch hold a receipt (null: none) in place of the one that it holds.
inline void setReceipt(Batch *b, Receipt *receipt) {
  if (receipt)
    receipt->hold();
  if (Receipt *before = std::exchange(b->receipt, receipt))
    before->release();
}

/// `made` was made of `from`: it is as old, and holds the same receipt.
inline void inheritStamps(Batch *made, const Batch *from) {
  made->birth = from->birth;
  setReceipt(made, from->receipt);
}

/// While a segment runs its thread has the receipt of the batch: what it forwards holds it as well.
class UnderReceipt {
public:
  template <class Thread> UnderReceipt(Thread &t, const Batch *b) {
    if (t.acknowledges)
      outer = std::exchange(t.receipt, b->receipt);
  }
  template <class Thread> void end(Thread &t) const {
    if (t.acknowledges)
      t.receipt = outer;
  }

private:
  Receipt *outer = nullptr;
};

} // namespace sluice
