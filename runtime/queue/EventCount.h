//===- EventCount.h - sleep until something may have changed ----*- C++ -*-===//
//
//   sleeper: key = announce(); look again; wait(key) or cancel()
//   waker:   change (seq_cst, or followed by a fence); wakeOne() or wakeAll()
//
// Either the sleeper's second look sees the change, or the waker sees the announcement. A waker
// that raises the epoch between key and wait keeps the sleeper from sleeping. wait() may return
// early; the sleeper then looks again.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/queue/Sys.h"

namespace sluice::queue {

template <class Sys> class EventCount {
public:
  /// Announces a sleeper. Returns the key for wait().
  uint32_t announce() {
    // seq_cst: pairs with the load in wake(). The sleeper's second look follows, the waker's change
    // precedes.
    waiters.fetch_add(1, std::memory_order_seq_cst);
    return key();
  }
  uint32_t key() const {
    // acquire: pairs with wake(): a thread that reads the raised epoch sees the change.
    return epoch.load(std::memory_order_acquire);
  }
  /// Takes the announcement back. relaxed: a number that is too high costs a waker one look.
  void cancel() { waiters.fetch_sub(1, std::memory_order_relaxed); }
  /// Sleeps, unless a waker has come since `key`; takes the announcement back.
  void wait(uint32_t key) {
    Sys::park(epoch, key);
    this->key(); // acquire: what the waker did before is seen from here on
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

  typename Sys::template Atomic<uint32_t> epoch{0};   // raised by each wake-up; sleepers park on it
  typename Sys::template Atomic<uint32_t> waiters{0}; // sleepers that are announced
};

} // namespace sluice::queue
