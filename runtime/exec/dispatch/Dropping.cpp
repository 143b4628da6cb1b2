//===- Dropping.cpp - ports that drop what is too much ------------------------===//
//
// Each batch that is kept counts as queued until it has run or was dropped for another. The
// placeholder of the DropQueue is not counted: it is in the ring only while batches are kept.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Batches.h"
#include "runtime/exec/dispatch/Ports.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include <algorithm>

namespace sluice {

/// Batches that runKept() runs in one turn of the token.
static constexpr uint32_t kQuantum = 64;

/// Counts a batch that was queued as one that has run.
static void countRan(Thread &t, InPort &in) {
  if (in.loop)
    leaveLoop(t, *in.loop);
  countRan(t);
}

bool keepOrDrop(Thread &t, InPort &in, Batch *batch) {
  DropQueue::Offered offered = in.drops->offer(batch);
  if (offered.dropped) {
    releaseBatch(t, offered.dropped);
    countRan(t, in);
  }
  if (offered.isFirst)
    t.program.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
  return offered.kept;
}

int32_t runKept(Thread &t, InPort &in) {
  int32_t result = 0;
  for (uint32_t i = 0; i < kQuantum; ++i) {
    Batch *b = in.drops->take();
    if (!b)
      return result;
    result = std::min(result, runQueued(t, in, b));
    countRan(t, in);
  }
  if (!in.drops->isDone())
    t.program.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
  return result;
}

} // namespace sluice
