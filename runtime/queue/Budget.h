//===- Budget.h - what all rings may hold together --------------*- C++ -*-===//
//
// Threads keep what they charge and give back to themselves until it is a
// `slack`, so that they do not share a cache line for every batch: `used` is
// exact up to one slack a thread. A ring that is empty takes a batch whatever
// the budget says, so nobody waits for memory that another ring holds.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"
#include <algorithm>

namespace sluice::queue {

template <class Sys> class Budget {
public:
  explicit Budget(int64_t limit)
      : limit(limit), slack(std::clamp<int64_t>(limit / 1024, 0, 1 << 18)) {}

  /// `account` is the thread's own. Negative bytes are given back.
  void charge(int64_t &account, int64_t bytes) {
    account += bytes;
    if (account > slack || account < -slack) {
      used.fetch_add(account, std::memory_order_relaxed); // a figure, it guards nothing
      account = 0;
    }
  }
  bool over() const { return used.load(std::memory_order_relaxed) >= limit; }

  /// What loop edges and timers hold past the bounds of their rings has half the
  /// budget of its own: a loop ends by what it makes, not by what others hold.
  void chargeOverflow(int64_t bytes) { overflow.fetch_add(bytes, std::memory_order_relaxed); }
  bool overflowing() const { return overflow.load(std::memory_order_relaxed) >= limit / 2; }

  int64_t held() const { return used.load(std::memory_order_relaxed); }

private:
  typename Sys::template Atomic<int64_t> used{0}, overflow{0};
  const int64_t limit, slack;
};

} // namespace sluice::queue
