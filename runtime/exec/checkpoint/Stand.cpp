//===- Stand.cpp - a moment at which nothing is under way ---------------------===//
#include "runtime/exec/checkpoint/Stand.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>

namespace sluice::checkpoint {

/// seq_cst: as SourceCut::stays says. What a source and the workers have done before is seen then.
bool Stand::isStill() const {
  return std::ranges::all_of(p.threads.sources, [](auto &s) { return s->cut.stays.load(); }) &&
         std::ranges::all_of(p.queues.delays, [](InPort *in) { return in->delay->stays.load(); }) &&
         (p.queues.scheduler ? isQuietButForDelays(p) : p.turns.loops.empty());
}

std::string Stand::whatMoves() const {
  for (auto &s : p.threads.sources)
    if (!s->cut.stays && !s->cut.isLink)
      return "the source " + labelOf(p.desc.operators[s->op]) +
             " did not come to a place where it "
             "can be saved";
  return "what the sources have submitted was not done in time";
}

void Stand::ask() {
  began = os::now();
  p.cut.asked = true;
  for (auto &s : p.threads.sources)
    askForSavePoint(*s);
  if (!p.queues.scheduler)
    p.turns.baton->look(); // a receiver that waits for room is not to (isHeldBack)
}

int64_t Stand::leave() {
  if (!began)
    return 0;
  os::Held held(p.cut.lock);
  p.cut.asked = false;
  p.cut.over.wakeAll();
  return os::now() - std::exchange(began, 0);
}

void Stand::endProgram() {
  p.cut.ends = true;
  p.end.atCheckpoint.store(true, std::memory_order_relaxed);
  p.end.failing = true;
  p.end.reported.store(true, std::memory_order_relaxed);
  p.end.failed.raise();
  p.end.stop.raise();
  leave();
}

} // namespace sluice::checkpoint
