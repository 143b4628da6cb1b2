//===- Loops.cpp - domains that lead to each other -----------------------===//
#include "runtime/exec/dispatch/Loops.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/state/FeedbackLoop.h"

namespace sluice {

void enterLoop(FeedbackLoop &loop) {
  // relaxed: the batch that this thread runs, if it is inside, is still counted.
  loop.inside.fetch_add(1, std::memory_order_relaxed);
}

void leaveLoop(Thread &t, FeedbackLoop &loop) {
  // acq_rel: the thread that finds nothing inside has seen all final punctuation counted before.
  // The other two are relaxed: the first is read after that, the second only elects one thread.
  if (loop.inside.fetch_sub(1, std::memory_order_acq_rel) != 1 ||
      loop.open.load(std::memory_order_relaxed) ||
      loop.closing.exchange(true, std::memory_order_relaxed))
    return;
  for (InPort *in : loop.inPorts)
    if (in->outside && t.program.finals[in->id] == t.program.desc.inPorts[in->id].producers) {
      enterLoop(loop);
      countQueued(t, 1);
      if (in->underWay)
        beginUnderWay(*in->underWay);
      if (t.program.scheduler)
        t.program.scheduler->pushTimer(*t.self, in->port, &in->finalBatch, 0);
      else
        t.program.finalsDue.push_back(in);
    }
}

FeedbackLoop *delayLoopOf(const InPort &in) {
  return in.loop && in.loop->delays ? in.loop : nullptr;
}

/// The port, if its loop closes when nothing is inside. Where sources take turns a loop in which no
/// port delays is empty whenever something comes from outside.
static InPort *portOfLoop(Program &p, uint32_t inPort) {
  InPort *in = p.domains.inPorts[inPort].get();
  return in && in->loop && in->outside && (p.scheduler || in->loop->delays) ? in : nullptr;
}

bool holdsFinal(Program &p, uint32_t inPort) {
  InPort *in = portOfLoop(p, inPort);
  // relaxed: `closing` is set before the batch is pushed that makes it matter here.
  if (!in || in->loop->closing.load(std::memory_order_relaxed))
    return false;
  // relaxed: leaveLoop() by this thread or a later one follows.
  if (++p.finals[inPort] == in->outside)
    in->loop->open.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

bool isHeldFinal(Program &p, uint32_t inPort) {
  InPort *in = portOfLoop(p, inPort);
  if (!in || in->closed || p.finals[inPort] != p.desc.inPorts[inPort].producers)
    return false;
  return in->closed = true;
}

} // namespace sluice
