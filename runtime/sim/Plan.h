//===- Plan.h - which operators run as one ----------------------*- C++ -*-===//
//
// What a batch runs when it arrives is a region: a head, and what it reaches by
// calls alone. A region costs what its members cost together, so that a pipeline
// of 500 direct operators is one event, not 500. An operator that is called from
// several regions heads one of its own: its callers contend for it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Graphs.h"
#include "runtime/sim/Machine.h"

namespace sluice::sim {

struct Member {
  uint32_t node;
  double rows;    // for each row of the head
  double batches; // for each batch of the head
  double nanos;   // for each row of the head: its own work
  double handing; // and what it queues and dequeues
};

struct Output {
  uint32_t region;
  double rows; // for each row of the head
};

struct Region {
  uint32_t head = 0;
  bool source = false, queued = false;
  double rowNanos = 0, batchNanos = 0;
  double copyBytes = 0; // a row of the head, through memory
  double load = 0;      // nanoseconds for a row of the sources
  bool backedUp =
      false; // it or something behind it is slower than all before it: its ring will be full
  std::vector<Member> members;
  std::vector<Output> outputs;
};

struct Plan {
  std::vector<Region> regions;    // in topological order
  std::vector<uint32_t> regionOf; // by operator
};

Plan makePlan(const Application &, const Runtime &, const Machine &, const elastic::Configuration &,
              bool later);

} // namespace sluice::sim
