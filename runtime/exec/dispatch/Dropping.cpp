//===- Dropping.cpp - ports that drop what is too much, or delay -------------===//
//
// Each batch that is kept counts as queued until it has run or was dropped for another. The
// placeholder of the DropQueue is not counted: it is in the ring only while batches are kept.
//
// At a port that delays nobody waits. Who has run what was due parks the placeholder, and a thread
// puts it into the ring again when the next batch is due (releaseDelayed() in source/Delays.h).
// While a checkpoint is made nothing leaves such a port, so what waits there is not under way.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/dispatch/Loops.h"
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

/// Offers a batch to the DropQueue of a port.
static DropQueue::Offered offer(InPort &in, Batch *batch, int64_t arrival) {
  if (in.delay)
    in.delay->waiting += batch->rows;
  return in.drops->offer(batch, arrival);
}

/// The placeholder of a port that delays stays out of the ring until a batch is due.
static void park(Program &p, InPort &in) {
  in.drops->park();
  p.queues.delaysChanged.raise();
}

static void pushPlaceholder(Thread &t, InPort &in) {
  t.program.queues.scheduler->pushTimer(*t.self, in.port, &in.drops->placeholder, 0);
}

/// Runs a batch that came out of the DropQueue.
static int32_t run(Thread &t, InPort &in, Batch *batch) {
  const uint32_t rows = batch->rows; // before the batch is gone
  int32_t result = runQueued(t, in, batch);
  if (in.delay) {
    in.delay->waiting -= rows;
    wakeSenders(*in.delay);
  }
  return result;
}

bool keepOrDrop(Thread &t, InPort &in, Batch *batch) {
  DropQueue::Offered offered = offer(in, batch, t.program.clock.now());
  if (offered.dropped) {
    releaseBatch(t, offered.dropped);
    countRan(t, in);
  }
  if (offered.isFirst && in.delay)
    park(t.program, in);
  else if (offered.isFirst && t.program.queues.scheduler)
    pushPlaceholder(t, in);
  return offered.kept;
}

void keepAgain(Program &p, InPort &in, Batch *batch, int64_t arrival) {
  countQueued(*p.threads.main, 1);
  if (in.loop)
    enterLoop(*in.loop);
  if (offer(in, batch, arrival).isFirst)
    park(p, in);
}

void runOldest(Thread &t, InPort &in) {
  run(t, in, in.drops->take().batch);
  if (in.loop)
    leaveLoop(t, *in.loop);
}

/// Whether the oldest batch may leave now: it is due, or the program ends, and no checkpoint is
/// made. Who makes one looks at `stays` after it has said so.
static bool beginLeaving(Program &p, InPort &in) {
  if (!p.end.stop.raised() && in.drops->due() > p.clock.now())
    return false;
  in.delay->stays = false;
  if (!p.cut.asked)
    return true;
  in.delay->stays = true;
  return false;
}

/// The program has ended with a checkpoint, which has the batch.
static void drop(Thread &t, Batch *batch) {
  releaseBatch(t, batch);
  countRan(t);
}

int32_t runKept(Thread &t, InPort &in) {
  Program &p = t.program;
  int32_t result = 0;
  for (uint32_t i = 0; i < kQuantum; ++i) {
    if (in.drops->isDone())
      return result;
    if (in.delay && !beginLeaving(p, in)) {
      park(p, in);
      return result;
    }
    Batch *batch = in.drops->take().batch;
    if (in.delay && p.cut.ends) {
      drop(t, batch);
    } else {
      result = std::min(result, run(t, in, batch));
      countRan(t, in);
    }
    if (in.delay)
      in.delay->stays = true;
  }
  if (!in.drops->isDone())
    pushPlaceholder(t, in);
  return result;
}

} // namespace sluice
