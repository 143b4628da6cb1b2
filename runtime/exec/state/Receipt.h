//===- Receipt.h - who still works at a frame -------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <atomic>
#include <utility>

namespace sluice {

/// Counts who still works at what was made of a frame, or of what a source has read. A batch holds
/// its receipt (Batch::receipt) until it is emptied or given back to the spares.
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

} // namespace sluice
