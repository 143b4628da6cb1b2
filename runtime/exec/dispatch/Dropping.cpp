//===- Dropping.cpp - ports that drop what is too much ------------------------===//
//
// Each batch that is kept counts as queued until it has run or was dropped for another. The
// placeholder of the DropQueue is not counted: it is in the ring only while batches are kept.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include <algorithm>
#include <utility>

namespace sluice {

/// Batches that runKept() runs in one turn of the token.
static constexpr uint32_t kQuantum = 64;

/// Counts a batch that was queued as one that has run.
static void countRan(Thread &t, InPort &in) {
  if (in.loop)
    leaveLoop(t, *in.loop);
  countRan(t);
}

/// Offers a batch to the DropQueue of a port.
static DropQueue::Offered offer(Thread &t, InPort &in, Batch *batch) {
  if (in.delay)
    in.delay->waiting += batch->rows;
  return in.drops->offer(batch, t.program.clock.now());
}

/// Runs a batch that came out of the DropQueue.
static int32_t run(Thread &t, InPort &in, DropQueue::Entry entry) {
  const uint32_t rows = entry.batch->rows; // before the batch is gone
  const int64_t outer = std::exchange(t.arrival, entry.arrival);
  int32_t result = runQueued(t, in, entry.batch);
  t.arrival = outer;
  if (in.delay) {
    in.delay->waiting -= rows;
    wakeSenders(*in.delay);
  }
  return result;
}

bool keepOrDrop(Thread &t, InPort &in, Batch *batch) {
  DropQueue::Offered offered = offer(t, in, batch);
  if (offered.dropped) {
    releaseBatch(t, offered.dropped);
    countRan(t, in);
  }
  if (offered.isFirst && t.program.scheduler)
    t.program.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
  return offered.kept;
}

bool runOldest(Thread &t, InPort &in) {
  DropQueue::Entry entry = in.drops->take();
  if (!entry.batch)
    return false;
  run(t, in, entry);
  if (in.loop)
    leaveLoop(t, *in.loop);
  return true;
}

int32_t runKept(Thread &t, InPort &in) {
  int32_t result = 0;
  for (uint32_t i = 0; i < kQuantum; ++i) {
    DropQueue::Entry entry = in.drops->take();
    if (!entry.batch)
      return result;
    result = std::min(result, run(t, in, entry));
    countRan(t, in);
  }
  if (!in.drops->isDone())
    t.program.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
  return result;
}

} // namespace sluice
