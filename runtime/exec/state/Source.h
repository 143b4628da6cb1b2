//===- Source.h - a source operator and its thread ---------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/state/Cut.h"
#include "runtime/exec/state/HeldPort.h"
#include "runtime/exec/state/Lately.h"
#include "runtime/exec/state/Thread.h"

namespace sluice {

class Receipts;
class Spool;

/// A source operator and the thread that runs it. By that thread, except for `quick`.
struct Source : Thread {
  explicit Source(Program &p) : Thread(p, true) {}

  uint32_t op = 0, index = 0;  // id of the operator; position in Threads::sources
  bool finishes = false;       // it ends by itself soon after the program was told to end
  bool isDaemon = false;       // it ends when all others have ended (OperatorDesc::daemon)
  InPort *delays = nullptr;    // it is no source: it runs what waits at this port (Delays.h)
  queue::Self<RealSys> pusher; // what `self` points to
  Receipts *spans = nullptr;   // of what it reads, if it says how far it is (sl_reached)
  Spool *spool = nullptr;      // what it brings is logged (Spool.h); null: it is not
  uint64_t rowsSinceTurn = 0;  // where sources take turns: since its last one
  uint32_t lastTick = 0;       // Ending::tick when its turn began

  /// How many batches are in flight (Flight.cpp).
  struct {
    uint64_t looksAt = 0; // looks again once it has queued so many batches
    int64_t stuck = 0;    // batches in flight that have not moved for long
    int64_t bytes = 0;    // of a batch, when queues last held much; 0: they never did
    uint64_t helped = 0;  // batches that it queued while it worked at what others had queued
    uint64_t queued = 0;  // batches that it had queued itself at `since`
    uint64_t ran = 0;     // batches that all threads had run at `since`
    int64_t since = 0;    // ns, when the rates were last updated
    Lately batches, runs; // rates of `queued` and `ran`
  } flight;

  /// How many rows it forwards at once (Pace.cpp).
  struct {
    int64_t since = 0; // ns, when the size of its batches was last looked at
    uint64_t rows = 0; // forwarded since then
    Lately made;       // rows
  } pace;

  SourceCut cut;

  // Ports that may hold it back (Holds.h).
  std::vector<HeldPort *> sendsTo;
  std::atomic<bool> waits{false};  // for one of them. By the source; see HeldPort
  std::atomic<bool> ended{false};  // by the source, after all that it submits; read by isHopeless()
  std::unique_ptr<os::Event> room; // raised by who may have let it go on; null: nothing holds it

  /// Batches that it queues in a short span (Flight.cpp). relaxed: an estimate for other sources.
  std::atomic<int64_t> quick{0};
};

/// True if the thread runs the code of a daemon source itself, not that of others behind it.
inline bool isDaemon(const Thread &t) {
  if (!t.isSource || t.at.depth)
    return false;
  auto &s = static_cast<const Source &>(t);
  return s.isDaemon && !s.delays;
}

} // namespace sluice
