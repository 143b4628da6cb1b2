//===- DropQueue.h - queues at which no thread waits ----------------*- C++ -*-===//
//
// Of config threadedPort with Sys.DropFirst or Sys.DropLast: a tuple that comes to a full queue is
// dropped, or the oldest tuple in the queue is. Punctuation is always kept. And of ports that
// delay: these drop nothing, and each batch waits there for a time. The DropQueue holds the
// batches. While it is not empty its placeholder is in the ring of the port, once; that of a port
// that delays is parked until the time of the oldest batch has come.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <deque>
#include <vector>

namespace sluice {

class DropQueue {
public:
  /// `size`: tuples that it may hold; of a policy that drops none it does not matter.
  DropQueue(QueuePolicy policy, uint32_t size) : policy(policy), size(size) {
    placeholder.pool = kPlaceholder;
  }

  struct Offered {
    bool kept;      // the batch belongs to the queue now
    Batch *dropped; // an older one that made room and belongs to the caller now; or null
    bool isFirst;   // the placeholder must be put into the ring
  };
  /// By any thread, at the time `now`. Where tuples are dropped a batch has one tuple or one
  /// punctuation.
  Offered offer(Batch *batch, int64_t now);

  struct Entry {
    Batch *batch;
    int64_t arrival; // when it was offered
  };
  /// By the owner of the port's token: takes the oldest batch out; null if isDone().
  Entry take();
  /// By the owner: true if nothing is left. The placeholder then need not be in the ring any more.
  bool isDone();
  /// Of a port that delays, by the owner, while the placeholder is out of the ring: it stays out
  /// until release().
  void park();
  /// Of a port that delays, by any thread: true if the placeholder must be put into the ring, as it
  /// is parked and the oldest batch may leave at the time `now`.
  bool release(int64_t now);
  /// When the oldest batch may leave; Clock::kNever: there is none. Any thread.
  int64_t due() const;
  /// The same; Clock::kNever as well while the placeholder is not parked.
  int64_t parkedUntil() const;
  /// What it holds, the oldest first. Any thread.
  std::vector<Entry> entries() const;
  /// Batches that it holds. Any thread.
  uint64_t depth() const;
  /// Tuples that were dropped so far. Any thread.
  uint64_t dropped() const;

  /// What stands for the queue in the ring, and the Batch::pool that tells it from a batch.
  Batch placeholder = {};
  static constexpr uint32_t kPlaceholder = ~0u;
  /// ns that each batch waits, where the port delays. Before threads run.
  int64_t delay = 0;

private:
  Batch *oldestTuple();
  int64_t dueLocked() const;

  const QueuePolicy policy;
  const uint32_t size;
  mutable os::Lock lock; // protects what follows
  std::deque<Entry> batches;
  uint32_t tuples = 0;
  uint64_t drops = 0;
  bool isPending = false; // the placeholder is in the ring, being run, or parked
  bool isParked = false;
};

} // namespace sluice
