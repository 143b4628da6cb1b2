//===- Delays.cpp - ports that delay, where sources take turns ------------===//
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/Turns.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

void findDelays(Program &p) {
  if (p.scheduler)
    return;
  for (auto &in : p.domains.inPorts)
    if (in && p.desc.inPorts[in->id].delays) {
      auto s = std::make_unique<Source>(p);
      s->op = p.desc.inPorts[in->id].op;
      s->index = uint32_t(p.sources.size());
      s->isDaemon = true;
      s->delays = in.get();
      s->ended = true; // until something waits
      in->runner = s.get();
      if (in->loop)
        in->loop->delays = true;
      p.sources.push_back(std::move(s));
    }
}

bool nothingWaits(const Program &p) {
  return std::all_of(p.sources.begin(), p.sources.end(),
                     [](const auto &s) { return !s->delays || s->ended; });
}

void keepForLater(Thread &t, InPort &in, Batch *batch) {
  keepOrDrop(t, in, batch);
  in.runner->ended = false;
  t.program.baton->wake(in.runner->index);
}

void runDelay(Source &s) {
  Program &p = s.program;
  for (;;) {
    while (runOldest(s, *s.delays)) {
      drainLoops(s);
      forwardAll(s);
      yieldTurn(s, 1);
    }
    s.ended = true;
    endDaemons(p);
    // relaxed: set before the thread is woken for it.
    if (p.delaysEnd.load(std::memory_order_relaxed) && nothingWaits(p))
      break;
    p.baton->rest(s.index);
  }
  for (auto &other : p.sources)
    if (other->delays && other.get() != &s)
      p.baton->wake(other->index);
}

void endDelays(Program &p) {
  p.delaysEnd.store(true, std::memory_order_relaxed);
  for (auto &s : p.sources)
    if (s->delays)
      p.baton->wake(s->index);
}

} // namespace sluice
