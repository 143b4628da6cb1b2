//===- EventCount.h - sleep until something may have changed ----*- C++ -*-===//
//
//   sleeper: key = announce(); look again; wait(key) or cancel()
//   waker:   change (seq_cst, or followed by a fence); wakeOne() or wakeAll()
//
// Either the sleeper's second look sees the change or the waker sees the
// announcement. A waker whose bump comes between key and wait keeps the sleeper
// from sleeping. wait() may return early; the sleeper looks again then.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"

namespace sluice::queue {

template <class Sys> class EventCount {
public:
  uint32_t announce() {
    // seq_cst: ordered with the load in wake(), against the sleeper's second
    // look and the waker's change.
    waiters.fetch_add(1, std::memory_order_seq_cst);
    return key();
  }
  uint32_t key() const {
    // Pairs with the bump in wake(): whoever reads the bumped key sees the change.
    return epoch.load(std::memory_order_acquire);
  }
  void cancel() {
    waiters.fetch_sub(1, std::memory_order_relaxed);
  } // a count too high costs one look
  void wait(uint32_t key) {
    Sys::park(epoch, key);
    this->key(); // what the waker did before is seen from here on
    cancel();
  }
  void wakeOne() { wake(false); }
  void wakeAll() { wake(true); }

private:
  void wake(bool all) {
    if (waiters.load(std::memory_order_seq_cst) == 0) // pairs with announce()
      return;
    epoch.fetch_add(1, std::memory_order_release); // pairs with key()
    Sys::wake(epoch, all);
  }

  typename Sys::template Atomic<uint32_t> epoch{0};
  typename Sys::template Atomic<uint32_t> waiters{0};
};

} // namespace sluice::queue
