//===- Pace.cpp - how many rows a source forwards at once -----------------===//
//
// A batch costs something at each port that it passes, so many rows in a batch are cheap. But the
// first of them is late by the time that all others take, and a program in which a few batches are
// seconds of work can neither be measured nor changed soon.
//
// A source forwards what it makes in 5 ms, if that is less than a batch can hold: the cost of the
// batch is then small beside the work of its rows. Where code processes several rows at once
// (ProgramDesc::rowsAtOnce) it forwards at least as many, if they are made in 50 ms. It starts with
// few, as the rate is not known yet.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/source/Pace.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

static constexpr int64_t kSpan = 5'000'000, kLongest = 50'000'000; // ns
static constexpr uint32_t kFirst = 64;                             // rows of the first batches

/// Sets how many rows fill a batch of the port. relaxed: the timer (Timer.cpp) reads and writes
/// limits at any time, which guards nothing.
static void setLimit(Source &s, uint32_t outPort, double rows) {
  PortState &port = s.program.out.ports[outPort];
  auto limit = uint32_t(std::clamp(rows, 1.0, double(mostRows(s.program, *port.desc))));
  if (limit == port.limit)
    return;
  __atomic_store_n(&port.limit, limit, __ATOMIC_RELAXED);
  if (Batch *b = s.at.ports[outPort].batch)
    __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
}

void beginPace(Source &s, int64_t now) {
  s.pace.since = now;
  for (uint32_t port : s.entered.domains[0]->outPorts)
    setLimit(s, port, kFirst);
}

void pace(Source &s, uint64_t rows, int64_t now) {
  s.pace.rows += rows;
  int64_t spent = now - s.pace.since;
  if (spent < kSpan)
    return;
  s.pace.made.add(double(s.pace.rows), spent);
  s.pace.rows = 0;
  s.pace.since = now;
  double atOnce = std::min(double(s.program.desc.rowsAtOnce) * double(s.program.table.parts),
                           s.pace.made.within(kLongest));
  for (uint32_t port : s.entered.domains[0]->outPorts)
    setLimit(s, port, std::max(atOnce, s.pace.made.within(kSpan)));
}

} // namespace sluice
