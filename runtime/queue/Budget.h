//===- Budget.h - what all rings may hold together --------------*- C++ -*-===//
//
// A thread keeps what it charges and gives back in an account of its own until that exceeds
// `slack`, so that threads do not share a cache line for every batch: `used` is exact up to one
// slack for each thread. An empty ring takes a batch whatever the budget says, so no thread waits
// for memory that another ring holds. All accesses are relaxed: the numbers guard nothing.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"
#include <algorithm>

namespace sluice::queue {

/// Bytes that all rings may hold together. Any thread.
template <class Sys> class Budget {
public:
  /// `limit`: in bytes.
  explicit Budget(int64_t limit)
      : limit(limit), slack(std::clamp<int64_t>(limit / 1024, 0, 1 << 18)) {}

  /// Charges bytes, or gives them back if below 0. `account` is the thread's own (Self::account).
  void charge(int64_t &account, int64_t bytes) {
    account += bytes;
    if (account > slack || account < -slack) {
      used.fetch_add(account, std::memory_order_relaxed);
      account = 0;
    }
  }
  bool over() const { return used.load(std::memory_order_relaxed) >= limit; }

  /// What loop edges and timers hold beyond the bounds of their rings has half the budget of its
  /// own: a loop fails because of what it makes, not because of what others hold.
  void chargeOverflow(int64_t bytes) { overflow.fetch_add(bytes, std::memory_order_relaxed); }
  bool overflowing() const { return overflow.load(std::memory_order_relaxed) >= limit / 2; }

  /// Bytes that all rings hold, about.
  int64_t held() const { return used.load(std::memory_order_relaxed); }

private:
  typename Sys::template Atomic<int64_t> used{0}, overflow{0};
  const int64_t limit, slack;
};

} // namespace sluice::queue
