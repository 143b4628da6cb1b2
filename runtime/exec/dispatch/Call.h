//===- Call.h - calling the code of a segment ----------------*- C++ -*-===//
//
// All of it is inline: a batch that passes a boundary costs little more than these lines.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/Inline.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/ending/Stopping.h"
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/exec/state/Sent.h"
#include "runtime/exec/tap/Taps.h"
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sluice {

/// A segment that forwards in place has ended: gives back the batch, unless it was forwarded.
SLUICE_INLINE void dropRest(Thread &t, uint32_t outPort) {
  if (Batch *rest = t.at.ports[outPort].batch) {
    setBatch(t.at.ports, outPort, nullptr);
    giveBack(t, rest);
  }
}

/// What a segment that forwards in place has made.
struct Filled {
  int32_t status;
  bool forwards; // its output port has something to forward
};

/// Runs a segment that forwards in place: the batch becomes that of its output port.
SLUICE_INLINE Filled fillAnew(Thread &t, const Code &code, Batch *b, uint32_t outPort) {
  setBatch(t.at.ports, outPort, b);
  int32_t status;
  if (code.rows && !b->punctCount) {
    uint32_t rows = b->rows;
    __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED); // as in resetBatch()
    status = code.rows(&t.ctx, b, 0, rows);
  } else {
    status = code.segment(&t.ctx, b);
  }
  if (status)
    return {status, false};
  const Batch *made = t.at.ports[outPort].batch;
  return {0, made && (made->rows || made->punctCount)};
}

/// The same, and forwards the output port.
SLUICE_INLINE int32_t callInPlace(Thread &t, const Code &code, Batch *b, uint32_t outPort) {
  auto [status, forwards] = fillAnew(t, code, b, outPort);
  if (forwards)
    status = forward(t, outPort);
  dropRest(t, outPort);
  return status;
}

/// With --save-every: saves and restores the state of the operator that heads the segment, which is
/// about to run.
inline void saveAtTimes(Thread &t, uint32_t inPort) {
  if (++t.counted.sinceSave % t.program.options.saveEvery == 0)
    saveAndRestore(t.ctx, t.program.desc.operators[t.program.desc.inPorts[inPort].op]);
}

/// Whether the punctuation of the batch may be what the thread is at (Position::marks): not before
/// sl_port_final(), if there is but the final one behind rows.
SLUICE_INLINE uint32_t marksOf(const Batch *b) {
  return b->punctCount && (!b->rows || !isFinal(b->puncts[0].kind));
}

/// Shows tuples of a batch that is about to run at an input port, if somebody looks at it.
SLUICE_INLINE void showTuples(const Thread &t, uint32_t inPort, const Batch *b) {
  if (Taps *taps = t.program.taps.get())
    taps->look(inPort, b);
}

/// Runs a batch at an input port; `run()` calls its code. Each batch passes here, or through
/// runChain(), or is run in parts (KeyRuns.cpp). Sets Thread::rowsRun.
template <typename Run>
SLUICE_INLINE int32_t callWith(Thread &t, uint32_t inPort, const Replica &replica, Batch *b,
                               Runs runs, Run run) {
  const At<Segment> segment(t);
  const At<Stamps> stamps(t);
  uint32_t rows = b->rows;
  InReplica{&replica}.restore(t);
  t.at.inPort = inPort;
  t.at.links = t.entered.linked;
  t.at.marks = marksOf(b);
  ++t.at.depth;
  t.ctx.failedRow = rows; // no row yet
  t.ctx.clock = 0;        // others may have been inside the domain
  if (__builtin_expect(t.program.options.saveEvery != 0, 0))
    saveAtTimes(t, inPort);
  if (__builtin_expect(t.stamps, 0)) {
    t.at.birth = b->birth;
    t.at.receipt = b->receipt;
    showTuples(t, inPort, b);
  }
  int32_t result = 0;
  t.counters.segment(inPort, runs, rows, [&]() __attribute__((always_inline)) { result = run(); });
  // If it has forwarded nothing the latency path of its tuples ends here (LatencyCounts.h).
  if (__builtin_expect(t.counted.latency != nullptr, 0) && t.at.birth && rows &&
      t.counted.forwarded == stamps.before.forwarded)
    // relaxed: it is about a time.
    t.counted.latency->add(t.at.birth, rows, t.program.end.tick.load(std::memory_order_relaxed));
  t.rowsRun = result < 0 ? t.ctx.failedRow : rows;
  if (result < 0)
    runs.counters.rows.add(uint64_t(t.rowsRun) - rows); // those before the one that failed
  return result;
}

/// Calls the segment of an input port. `inPlaceOutput`: InPortDesc::inPlaceOutput.
SLUICE_INLINE Sent callSegment(Thread &t, uint32_t inPort, uint32_t inPlaceOutput,
                               const Replica &replica, const Code &code, Batch *b, Runs runs) {
  int32_t status = callWith(t, inPort, replica, b, runs, [&]() __attribute__((always_inline)) {
    return inPlaceOutput ? callInPlace(t, code, b, inPlaceOutput - 1) : code.segment(&t.ctx, b);
  });
  return {status, inPlaceOutput ? BatchFate::Forwarded : BatchFate::Mine};
}

/// True if what comes to the port now is dropped: its domain has failed, or it is in a loop and the
/// program was told to stop.
SLUICE_INLINE bool takesNoMore(Thread &t, const InPort &in) {
  return domainOf(in).failed.load(std::memory_order_relaxed) || (in.port.loop && overdue(t));
}
/// Tells the domain of the port that a segment has failed, if `result` says so.
SLUICE_INLINE void noteFailure(Thread &t, InPort &in, int32_t result) {
  if (result < 0 && t.program.end.failing)
    in.domain.failed.store(true, std::memory_order_relaxed);
}

/// Runs a batch at an input port with a boundary. `runs`: in.runs() for a call by the owner of the
/// token or a thread that is alone with the port; else the thread's own counters of the port.
SLUICE_INLINE Sent runSegment(Thread &t, InPort &in, Batch *b, Runs runs) {
  t.rowsRun = b->rows;
  if (takesNoMore(t, in))
    return {};
  Sent sent = callSegment(t, in.id, in.inPlaceOutput, *domainOf(in).replica, in.code, b, runs);
  noteFailure(t, in, sent.status);
  return sent;
}

/// The same; a segment that forwards in place gets the batch for good, even if it is dropped. Any
/// other leaves it to the caller.
SLUICE_INLINE int32_t runWithBatch(Thread &t, InPort &in, Batch *b, Runs runs) {
  Sent sent = runSegment(t, in, b, runs);
  if (sent.isMine() && in.inPlaceOutput)
    giveBack(t, b);
  return sent.status;
}

/// The port is about to give the batch to its consumers: counts it and makes the port busy.
SLUICE_INLINE PortState &begin(Thread &t, uint32_t index, const Batch *b) {
  PortState &port = t.program.out.ports[index];
  if (port.busy && !port.desc->backEdge) {
    fprintf(stderr, "internal error: output port %u forwards while its consumers run\n", index);
    abort();
  }
  port.busy = true;
  port.counted.rows.add(b->rows);
  if (b->punctCount)
    port.counted.puncts.add(b->punctCount);
  return port;
}

} // namespace sluice
