//===- DropQueue.cpp - queues that drop tuples when they are full -----------===//
#include "runtime/exec/state/DropQueue.h"
#include "runtime/exec/state/Clock.h"
#include <algorithm>

namespace sluice {

DropQueue::Offered DropQueue::offer(Batch *batch, int64_t now) {
  os::Held held(lock);
  Offered result = {true, nullptr, false};
  if (policy != QueuePolicy::Wait && batch->rows && tuples == size) {
    ++drops;
    if (policy == QueuePolicy::DropLast)
      return {false, nullptr, false};
    result.dropped = oldestTuple();
    --tuples;
  }
  tuples += batch->rows != 0;
  batches.push_back({batch, now});
  result.isFirst = !isPending;
  isPending = true;
  return result;
}

/// Takes the oldest tuple out; punctuation before it stays.
Batch *DropQueue::oldestTuple() {
  auto at = std::find_if(batches.begin(), batches.end(),
                         [](const Entry &e) { return e.batch->rows != 0; });
  Batch *oldest = at->batch;
  batches.erase(at);
  return oldest;
}

bool DropQueue::isDone() {
  os::Held held(lock);
  isPending = !batches.empty();
  return !isPending;
}

DropQueue::Entry DropQueue::take() {
  if (isDone())
    return {nullptr, 0};
  os::Held held(lock); // nobody else takes
  Entry first = batches.front();
  batches.pop_front();
  tuples -= first.batch->rows != 0;
  return first;
}

void DropQueue::park() {
  os::Held held(lock);
  isParked = true;
}

bool DropQueue::release(int64_t now) {
  os::Held held(lock);
  if (!isParked || batches.empty() || dueLocked() > now)
    return false;
  isParked = false;
  return true;
}

int64_t DropQueue::dueLocked() const {
  return batches.empty() ? Clock::kNever : Clock::later(batches.front().arrival, delay);
}

int64_t DropQueue::due() const {
  os::Held held(lock);
  return dueLocked();
}

int64_t DropQueue::parkedUntil() const {
  os::Held held(lock);
  return isParked ? dueLocked() : Clock::kNever;
}

std::vector<DropQueue::Entry> DropQueue::entries() const {
  os::Held held(lock);
  return {batches.begin(), batches.end()};
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
