//===- DropQueue.h - config threadedPort with Sys.DropFirst, Sys.DropLast -----===//
//
// What comes to a full queue is dropped, or the oldest in it is; nobody waits.
// Punctuation is always kept. Who holds the batches is the DropQueue; while it is
// not empty its placeholder is in the ring of the port, once.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <deque>

namespace sluice {

class DropQueue {
public:
  /// `size`: in tuples.
  DropQueue(QueuePolicy policy, uint32_t size) : policy(policy), size(size) {
    placeholder.pool = kToken;
  }

  struct Offered {
    bool kept;      // `batch` is the queue's
    Batch *dropped; // an older one that made room, the caller's; or null
    bool isFirst;   // the placeholder must be put into the ring
  };
  /// Any thread. Batches of such a port have one tuple or one mark.
  Offered offer(Batch *batch);

  /// The owner of the port's token: the oldest batch, or null if isDone().
  Batch *take();
  /// The owner: nothing is left. Then the placeholder need not be in the ring any more.
  bool isDone();
  uint64_t depth() const;
  /// Tuples that were dropped so far.
  uint64_t dropped() const;

  /// What is in the ring, and how it is known.
  Batch placeholder = {};
  static constexpr uint32_t kToken = ~0u; // Batch::pool

private:
  Batch *oldestTuple();

  const QueuePolicy policy;
  const uint32_t size;
  mutable os::Lock lock; // of:
  std::deque<Batch *> batches;
  uint32_t tuples = 0;
  uint64_t drops = 0;
  bool isPending = false; // the placeholder is in the ring, or being run
};

} // namespace sluice
