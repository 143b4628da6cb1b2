//===- Segments.h - calling the code of a segment ----------------*- C++ -*-===//
//
// Inline: a batch that passes a boundary costs little more than these lines.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/dispatch/Batches.h"
#include <cstdio>
#include <cstdlib>
#include <utility>

#define SLUICE_INLINE inline __attribute__((always_inline))

namespace sluice {

/// Where a batch is once a consumer was called with it.
enum class Left {
  Here,  // it may be given to others, or filled anew
  Moved, // its segment has handed it on: it was the only consumer
  Queued // a ring keeps it
};

/// A segment that forwards in place is through with its batch: if nothing is left of
/// it, it is free.
SLUICE_INLINE void dropRest(Thread &t, uint32_t outPort) {
  if (Batch *rest = t.ports[outPort].batch) {
    setBatch(t.ports, outPort, nullptr);
    giveBack(t, rest);
  }
}

/// Runs a segment that forwards in place: the batch is its output port's. True: that has
/// something to forward.
SLUICE_INLINE bool fillAnew(Thread &t, const Code &code, Batch *b, uint32_t outPort,
                            int32_t &result) {
  setBatch(t.ports, outPort, b);
  if (code.rows && !b->punctCount) {
    uint32_t rows = b->rows;
    __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED); // the timer looks at it
    result = code.rows(&t.ctx, b, 0, rows);
  } else {
    result = code.segment(&t.ctx, b);
  }
  if (result)
    return false;
  const Batch *made = t.ports[outPort].batch;
  return made && (made->rows || made->punctCount);
}

/// The same, and forwards.
SLUICE_INLINE int32_t callMoving(Thread &t, const Code &code, Batch *b, uint32_t outPort) {
  int32_t result;
  if (fillAnew(t, code, b, outPort, result))
    result = forward(t, outPort);
  dropRest(t, outPort);
  return result;
}

/// The way of a batch through a segment: Latency.h.
class LatencyPath {
public:
  SLUICE_INLINE LatencyPath(Thread &t, const Batch *b) {
    if (t.latency) {
      outer = std::exchange(t.birth, b->birth);
      forwarded = t.forwarded;
    }
  }
  SLUICE_INLINE void end(Thread &t, uint32_t rows) const {
    if (t.latency) {
      if (t.birth && rows && t.forwarded == forwarded)
        t.latency->add(t.birth, rows);
      t.birth = outer;
    }
  }

private:
  uint64_t outer = 0, forwarded = 0;
};

/// Every batch that reaches an input port passes here, or runChain(), or is run in parts
/// (KeyShards.cpp). `run(result)` calls the code.
template <typename Run>
SLUICE_INLINE int32_t callWith(Thread &t, uint32_t inPort, const Replica &replica, Batch *b,
                               Runs runs, Run run) {
  Inside inside(t, replica);
  int32_t result = 0;
  ++t.depth;
  uint32_t rows = b->rows;
  uint32_t &failedRow = t.ctx.failedRow, outer = failedRow;
  failedRow = rows; // no row yet
  const LatencyPath way(t, b);
  t.counters.segment(inPort, runs, rows, [&]() __attribute__((always_inline)) { run(result); });
  way.end(t, rows);
  t.rowsRun = result < 0 ? failedRow : rows;
  failedRow = outer;
  if (result < 0)
    runs.counters.rows.add(uint64_t(t.rowsRun) - rows); // those before the one that failed
  --t.depth;
  return result;
}

SLUICE_INLINE int32_t callSegment(Thread &t, uint32_t inPort, uint32_t inPlaceOutput,
                                  const Replica &replica, const Code &code, Batch *b, Runs runs,
                                  Left &left) {
  left = inPlaceOutput ? Left::Moved : Left::Here;
  return callWith(t, inPort, replica, b, runs, [&](int32_t &result) __attribute__((always_inline)) {
    result = inPlaceOutput ? callMoving(t, code, b, inPlaceOutput - 1) : code.segment(&t.ctx, b);
  });
}

/// What comes to the port now is dropped.
SLUICE_INLINE bool takesNoMore(Thread &t, const InPort &in) {
  return domainOf(in).failed.load(std::memory_order_relaxed) || (in.port.loop && overdue(t));
}
SLUICE_INLINE void noteFailure(Thread &t, InPort &in, int32_t result) {
  if (result < 0 && t.program.failing)
    in.domain.failed.store(true, std::memory_order_relaxed);
}

/// Counts it in `runs`: in.runs() if the port's token is owned, else the thread's own.
SLUICE_INLINE int32_t runSegment(Thread &t, InPort &in, Batch *b, Runs runs, Left &left) {
  left = Left::Here;
  t.rowsRun = b->rows;
  if (takesNoMore(t, in))
    return 0;
  int32_t result =
      callSegment(t, in.id, in.inPlaceOutput, *domainOf(in).replica, in.code, b, runs, left);
  noteFailure(t, in, result);
  return result;
}

/// The batch is the segment's if that forwards what it is given, else it stays the caller's.
SLUICE_INLINE int32_t runMoving(Thread &t, InPort &in, Batch *b, Runs runs) {
  Left left;
  int32_t result = runSegment(t, in, b, runs, left);
  if (left == Left::Here && in.inPlaceOutput)
    giveBack(t, b); // dropped
  return result;
}

/// The batch is about to reach the consumers of its port.
SLUICE_INLINE PortState &begin(Thread &t, uint32_t index, const Batch *b) {
  PortState &port = t.program.ports[index];
  if (port.busy && !port.desc->backEdge) {
    fprintf(stderr, "internal error: output port %u is handed on while its consumers run\n", index);
    abort();
  }
  port.busy = true;
  port.counted.rows.add(b->rows);
  if (b->punctCount)
    port.counted.puncts.add(b->punctCount);
  return port;
}

} // namespace sluice
