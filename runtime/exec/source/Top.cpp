//===- Top.cpp - a source between two forwards ---------------------------===//
#include "runtime/exec/source/Top.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Stopping.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/Flight.h"
#include "runtime/exec/source/Pace.h"
#include "runtime/exec/source/SavePoint.h"
#include "runtime/exec/source/Wait.h"

namespace sluice {

static constexpr uint64_t kTurnRows = kBatchRows; // of a turn, where sources take turns

/// -1 if a source that has forwarded output port `port` is to stop in the middle of its process. An
/// operator that it calls finishes the tuple that it has; the source stops behind that.
static int32_t mustStop(Source &s, uint32_t port) {
  if (s.finishes || !overdue(s))
    return s.program.end.failing ? -1 : 0;
  s.program.end.cutShort.store(true, std::memory_order_relaxed);
  if (int32_t native = s.program.desc.operators[s.op].native; native >= 0)
    s.program.natives.list[native]->cutOff = -1;
  return s.program.end.failing || s.program.desc.outPorts[port].op == s.op ? -1 : 0;
}

void yieldTurn(Source &s, uint64_t rows) {
  Program &p = s.program;
  s.rowsSinceTurn += rows;
  if (!p.turns.baton->contended())
    return;
  uint32_t tick = p.end.tick.load(std::memory_order_relaxed);
  if (!p.options.deterministic && s.rowsSinceTurn < kTurnRows && s.lastTick == tick)
    return;
  forwardAll(s); // nothing is pending while somebody else runs
  s.rowsSinceTurn = 0;
  s.counters.beginWait();
  p.turns.baton->yield(s.index);
  s.counters.endWait();
  s.lastTick = p.end.tick.load(std::memory_order_relaxed);
}

/// Lets others run: those for whom the source has to wait, and those that take turns with it.
static void passOn(Source &s, uint64_t rows) {
  awaitRoom(s);
  if (!s.program.queues.scheduler)
    yieldTurn(s, rows);
}

/// A source that may be saved waits for nothing where it could not be.
static void delayToSavePoint(Source &s, uint64_t rows) {
  if (s.program.queues.scheduler && (s.isDaemon || s.sendsTo.empty()))
    return;
  s.rowsSinceTurn += rows;
  s.cut.topIsDue = true;
  askForSavePoint(s);
}

int32_t atTop(Source &s, uint32_t port, uint64_t rows) {
  Program &p = s.program;
  s.ctx.clock = 0;
  if (p.queues.scheduler && !s.isDaemon) { // the batches of a daemon are few, and not to be late
    holdBackIfMany(s);
    pace(s, rows, os::now());
  }
  if (hasSavePoints(s))
    delayToSavePoint(s, rows);
  else if (!p.queues.scheduler || !s.isDaemon)
    passOn(s, rows);
  return mustStop(s, port);
}

void endDaemons(Program &p) {
  if (!p.turns.regularLeft && nothingWaits(p))
    p.end.onlyDaemons.raise();
}

} // namespace sluice
