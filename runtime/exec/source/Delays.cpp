//===- Delays.cpp - ports that delay --------------------------------------===//
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/dispatch/Turns.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

//===--- where there are workers ---------------------------------------------===//

/// Puts the placeholders of all ports at which something is due into their rings. When the next is.
static int64_t releaseDue(Program &p, queue::Self<RealSys> &self) {
  int64_t next = Clock::kNever;
  for (InPort *in : p.queues.delays)
    if (in->drops->release(p.end.stop.raised() ? Clock::kNever : p.clock.now()))
      p.queues.scheduler->pushTimer(self, in->port, &in->drops->placeholder, 0);
    else
      next = std::min(next, in->drops->parkedUntil());
  return next;
}

void releaseDelayed(Program &p, os::Event &end) {
  queue::Self<RealSys> self = p.queues.scheduler->makeSelf();
  while (!end.raised()) {
    p.queues.delaysChanged.lower();
    {
      os::Held held(p.cut.lock);
      while (p.cut.asked)
        p.cut.over.wait(p.cut.lock);
    }
    int64_t next = releaseDue(p, self);
    if (p.end.stop.raised()) // nothing waits for its time any more
      os::sleepOn({&end, &p.queues.delaysChanged}, -1);
    else
      os::sleepOn({&end, &p.queues.delaysChanged, &p.end.stop},
                  next == Clock::kNever ? -1 : std::max<int64_t>(next - p.clock.now(), 0));
  }
}

//===--- where sources take turns ---------------------------------------------===//

void findDelays(Program &p) {
  if (p.queues.scheduler)
    return;
  for (auto &in : p.queues.domains.inPorts)
    if (in && p.desc.inPorts[in->id].delays) {
      auto s = std::make_unique<Source>(p);
      s->op = p.desc.inPorts[in->id].op;
      s->index = uint32_t(p.threads.sources.size());
      s->isDaemon = true;
      s->delays = in.get();
      s->ended = !in->drops->depth(); // until something waits
      in->runner = s.get();
      if (in->loop)
        in->loop->delays = true;
      p.threads.sources.push_back(std::move(s));
    }
}

bool nothingWaits(const Program &p) {
  return std::all_of(p.threads.sources.begin(), p.threads.sources.end(),
                     [](const auto &s) { return !s->delays || s->ended; });
}

void keepForLater(Thread &t, InPort &in, Batch *batch) {
  keepOrDrop(t, in, batch);
  in.runner->ended = false;
  t.program.turns.baton->wake(in.runner->index);
}

/// Runs what waits, each batch when it is due. Between two of them a checkpoint may be made. True:
/// the program has ended with that.
static bool runWaiting(Source &s) {
  Program &p = s.program;
  for (int64_t due; (due = s.delays->drops->due()) != Clock::kNever;) {
    sl_wait_until(&s.ctx, due, 0);
    if (p.cut.ends)
      return true;
    runOldest(s, *s.delays);
    drainLoops(s);
    forwardAll(s);
    countPoint(s);
    beginStay(s);
    yieldTurn(s, 1);
    if (endStay(s))
      return true;
  }
  return false;
}

void runDelay(Source &s) {
  Program &p = s.program;
  while (!runWaiting(s)) {
    s.ended = true;
    endDaemons(p);
    // relaxed: set before the thread is woken for it.
    if (p.turns.delaysEnd.load(std::memory_order_relaxed) && nothingWaits(p))
      break;
    beginStay(s);
    p.turns.baton->rest(s.index);
    if (endStay(s))
      return;
  }
  for (auto &other : p.threads.sources)
    if (other->delays && other.get() != &s)
      p.turns.baton->wake(other->index);
}

void endDelays(Program &p) {
  p.turns.delaysEnd.store(true, std::memory_order_relaxed);
  for (auto &s : p.threads.sources)
    if (s->delays)
      p.turns.baton->wake(s->index);
}

} // namespace sluice
