//===- Dropping.cpp - ports that drop what is too much ------------------------===//
//
// Every batch that is kept counts as queued until it has run or made room. The placeholder
// of the port's DropQueue counts for nothing: it is there only while there are such.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Batches.h"

namespace sluice {

static constexpr uint32_t kQuantum = 64; // batches

/// A batch that was counted as queued is done with.
static void countRun(Thread &t, InPort &in) {
  if (in.loop)
    leaveLoop(t, *in.loop);
  // release: pairs with isQuiet(); what this batch pushed was counted before.
  t.ran.store(t.ran.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

bool keepOrDrop(Thread &t, InPort &in, Batch *batch) {
  DropQueue::Offered offered = in.drops->offer(batch);
  if (offered.dropped) {
    releaseBatch(t, offered.dropped);
    countRun(t, in);
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
    countRun(t, in);
  }
  if (!in.drops->isDone())
    t.program.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
  return result;
}

} // namespace sluice
