//===- Pace.cpp - how many rows a source forwards at once -----------------===//
//
// A batch costs something at each port that it passes, so that many rows together are
// cheap; but the first of them is late by as long as all others take, and a program
// of which a few batches are seconds of work can be neither measured nor changed soon. A
// source forwards what it makes in five milliseconds, if that is less than a batch can
// hold: then what the batch costs is little beside what its rows do, whatever that is.
// Where code does rows side by side, as many of them take about as long as one: then it
// is that many, if they are made in fifty. It starts with few: nobody knows yet.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/program/Program.h"
#include <algorithm>

namespace sluice {

static constexpr int64_t kSpan = 5'000'000, kLongest = 50'000'000; // ns
static constexpr uint32_t kFirst = 64;                             // rows

uint32_t mostRows(const Program &p, const OutPortDesc &port) {
  if (port.ordered == 1 || port.backEdge || p.options.deterministic)
    return 1;
  uint32_t most = port.batchCapacity;
  if (p.options.batchRows)
    most = std::min(most, p.options.batchRows);
  for (uint32_t to = 0; to < port.consumerCount; ++to)
    most = std::min(most, rowsTo(p.desc.inPorts[port.consumers[to]]));
  return most;
}

static void setLimit(Source &s, uint32_t outPort, double rows) {
  PortState &port = s.program.ports[outPort];
  auto limit = uint32_t(std::clamp(rows, 1.0, double(mostRows(s.program, *port.desc))));
  if (limit == port.limit)
    return;
  __atomic_store_n(&port.limit, limit, __ATOMIC_RELAXED); // the timer looks at it
  if (Batch *b = s.ports[outPort].batch)
    __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
}

void beginPace(Source &s, int64_t now) {
  s.pace.since = now;
  for (uint32_t port : s.domains[0]->outPorts)
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
  double atOnce = std::min(double(s.program.desc.rowsAtOnce) * double(s.program.parts),
                           s.pace.made.within(kLongest));
  for (uint32_t port : s.domains[0]->outPorts)
    setLimit(s, port, std::max(atOnce, s.pace.made.within(kSpan)));
}

} // namespace sluice
