//===- Plan.h - which operators run as one ----------------------*- C++ -*-===//
//
// A region is what runs when a batch arrives: a head, and what it reaches by calls
// alone. A region costs what its members cost together, so a pipeline of 500 direct
// operators is one event, not 500. An operator that is called from several regions is
// the head of its own region, as its callers contend for it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Graphs.h"
#include "runtime/sim/Machine.h"

namespace sluice::sim {

/// An operator of a region.
struct Member {
  uint32_t node;
  double rows;    // for each row of the head
  double batches; // for each batch of the head
  double nanos;   // for each row of the head: its own work
  double handing; // for each row of the head: what it queues and dequeues
  double sleep;   // for each row of the head
};

/// A stream to another region.
struct Output {
  uint32_t region;
  double rows; // for each row of the head
};

/// A head with all that it calls.
struct Region {
  uint32_t head = 0;
  bool source = false, queued = false;
  double rowNanos = 0, batchNanos = 0; // for a row and a batch of the head
  double sleepNanos = 0;               // for a row of the head: no processor is taken
  double copyBytes = 0;                // through memory, for a row of the head
  double load = 0;                     // nanoseconds for a row of the sources
  // Its ring will be full, as it or a region behind it is slower than all regions before it.
  bool backedUp = false;
  std::vector<Member> members;
  std::vector<Output> outputs;
};

/// How a configuration divides an application.
struct Plan {
  std::vector<Region> regions;    // in topological order
  std::vector<uint32_t> regionOf; // by operator
};

/// `later`: the load after the change.
Plan makePlan(const Application &, const Runtime &, const Machine &, const elastic::Configuration &,
              bool later);

} // namespace sluice::sim
