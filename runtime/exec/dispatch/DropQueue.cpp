//===- DropQueue.cpp - queues that drop tuples when they are full -----------===//
#include "runtime/exec/dispatch/DropQueue.h"
#include <algorithm>

namespace sluice {

DropQueue::Offered DropQueue::offer(Batch *batch) {
  os::Held held(lock);
  Offered result = {true, nullptr, false};
  if (batch->rows && tuples == size) {
    ++drops;
    if (policy == QueuePolicy::DropLast)
      return {false, nullptr, false};
    result.dropped = oldestTuple();
    --tuples;
  }
  tuples += batch->rows != 0;
  batches.push_back(batch);
  result.isFirst = !isPending;
  isPending = true;
  return result;
}

/// Takes the oldest tuple out; punctuation before it stays.
Batch *DropQueue::oldestTuple() {
  auto at =
      std::find_if(batches.begin(), batches.end(), [](const Batch *b) { return b->rows != 0; });
  Batch *oldest = *at;
  batches.erase(at);
  return oldest;
}

bool DropQueue::isDone() {
  os::Held held(lock);
  isPending = !batches.empty();
  return !isPending;
}

Batch *DropQueue::take() {
  if (isDone())
    return nullptr;
  os::Held held(lock); // nobody else takes
  Batch *first = batches.front();
  batches.pop_front();
  tuples -= first->rows != 0;
  return first;
}

uint64_t DropQueue::depth() const {
  os::Held held(lock);
  return batches.size();
}

uint64_t DropQueue::dropped() const {
  os::Held held(lock);
  return drops;
}

} // namespace sluice
