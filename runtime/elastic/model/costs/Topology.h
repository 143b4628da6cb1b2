//===- Topology.h - the graph in the order of calls --------*- C++ -*-===//
#pragma once
#include "runtime/elastic/Policy.h"

namespace sluice::elastic {

/// The graph in the form that the solver walks. Edges that close a cycle are left out of all
/// members.
struct Topology {
  explicit Topology(const Graph &);
  const Graph &graph;                          // outlives the topology
  std::vector<uint32_t> order;                 // all nodes, callers before their callees
  std::vector<std::vector<uint32_t>> to, from; // by node: callees and callers, ascending
  std::vector<uint32_t> sources;               // ascending
};

/// Whether any changeable boundary is queued.
bool hasQueues(const Graph &, const Configuration &);
/// How many changeable boundaries are queued.
uint32_t cutsOf(const Graph &, const Configuration &);

} // namespace sluice::elastic
