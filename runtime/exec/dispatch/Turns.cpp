//===- Turns.cpp - loops where sources take turns -------------------------===//
//
// Who fills a loop runs it, once the outermost forward has returned.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/dispatch/Turns.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Give.h"
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Stopping.h"
#include <algorithm>

namespace sluice {

/// Calls `f(loop)` for each consumer of the port that is in such a loop.
template <typename F> static void forEachDelayLoop(Program &p, uint32_t index, F f) {
  for (uint32_t i = 0; i < p.ports[index].desc->segmentCount; ++i)
    if (InPort *in = p.domains.inPorts[p.ports[index].desc->consumers[i]].get())
      if (FeedbackLoop *loop = delayLoopOf(*in))
        f(*loop);
}

Sent keepOnBackEdge(Thread &t, uint32_t index, Batch *b) {
  Program &p = t.program;
  PortState &port = p.ports[index];
  for (uint32_t i = 0; i < port.desc->segmentCount; ++i) {
    InPortCounters &counters = t.counters.in[port.desc->consumers[i]];
    counters.queued.add(1);
    counters.bytes.add(bytesOf(port, b));
    counters.highest.atLeast(p.loops.size() + 1);
  }
  forEachDelayLoop(p, index, enterLoop);
  p.loops.emplace_back(index, b);
  return {0, BatchFate::Queued};
}

/// Runs the first batch on a back edge.
static int32_t runFirst(Thread &t) {
  Program &p = t.program;
  auto [port, b] = p.loops.front();
  p.loops.pop_front();
  for (uint32_t i = 0; i < p.ports[port].desc->segmentCount; ++i)
    t.counters.in[p.ports[port].desc->consumers[i]].fromQueue.add(1);
  Sent sent;
  if (!p.failing && !overdue(t))
    sent = giveToEach(t, port, b);
  if (sent.isMine())
    giveBack(t, b);
  forEachDelayLoop(p, port, [&](FeedbackLoop &loop) { leaveLoop(t, loop); });
  return sent.status;
}

/// Gives the first port of those that wait for it its final punctuation.
static int32_t runFirstFinal(Thread &t) {
  InPort *in = t.program.finalsDue.front();
  t.program.finalsDue.pop_front();
  int32_t result = runQueued(t, *in, &in->finalBatch);
  leaveLoop(t, *in->loop);
  return result;
}

int32_t drainLoops(Thread &t) {
  Program &p = t.program;
  if ((p.loops.empty() && p.finalsDue.empty()) || p.draining || t.depth)
    return 0;
  p.draining = true;
  int32_t result = 0;
  while (!p.loops.empty() || !p.finalsDue.empty())
    result = std::min(result, p.loops.empty() ? runFirstFinal(t) : runFirst(t));
  p.draining = false;
  return result;
}

} // namespace sluice
