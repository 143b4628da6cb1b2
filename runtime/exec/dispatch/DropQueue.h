//===- DropQueue.h - config threadedPort with Sys.DropFirst, Sys.DropLast -----===//
//
// A tuple that comes to a full queue is dropped, or the oldest tuple in the queue is; nobody waits.
// Punctuation is always kept. The DropQueue holds the batches. While it is not empty its
// placeholder is in the ring of the port, once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <deque>

namespace sluice {

class DropQueue {
public:
  /// `size`: tuples that it may hold.
  DropQueue(QueuePolicy policy, uint32_t size) : policy(policy), size(size) {
    placeholder.pool = kPlaceholder;
  }

  struct Offered {
    bool kept;      // the batch belongs to the queue now
    Batch *dropped; // an older one that made room and belongs to the caller now; or null
    bool isFirst;   // the placeholder must be put into the ring
  };
  /// By any thread. Batches of such a port have one tuple or one punctuation.
  Offered offer(Batch *batch);

  /// By the owner of the port's token: takes the oldest batch out; null if isDone().
  Batch *take();
  /// By the owner: true if nothing is left. The placeholder then need not be in the ring any more.
  bool isDone();
  /// Batches that it holds. Any thread.
  uint64_t depth() const;
  /// Tuples that were dropped so far. Any thread.
  uint64_t dropped() const;

  /// What stands for the queue in the ring, and the Batch::pool that tells it from a batch.
  Batch placeholder = {};
  static constexpr uint32_t kPlaceholder = ~0u;

private:
  Batch *oldestTuple();

  const QueuePolicy policy;
  const uint32_t size;
  mutable os::Lock lock; // protects what follows
  std::deque<Batch *> batches;
  uint32_t tuples = 0;
  uint64_t drops = 0;
  bool isPending = false; // the placeholder is in the ring, or being run
};

} // namespace sluice
