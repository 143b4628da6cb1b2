//===- Costs.h - what the nodes cost at the present load ---*- C++ -*-===//
//
// Costs are estimated from a profile: what each node costs, how its rows are shared
// out over its callers, what a queue in front of it would cost, and which sources
// wait for time or data. A load is in seconds of work in a second at the rates of
// the profile, so one factor (the speed) says how much faster the program could be.
// Work is what a thread is needed for: that it sleeps for a device is part of it, but
// takes no processor.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/costs/Knowledge.h"

namespace sluice::elastic {

struct Costs {
  std::vector<double> load;    // by node: seconds of work in a second, without hand-offs
  std::vector<double> wait;    // by node: of these, seconds in which the thread sleeps
  std::vector<double> cold;    // by node: seconds in a second more if anything is queued
  std::vector<double> handOff; // by node: seconds in a second more if it is queued, both sides
  double pushing = 0.25;       // the producer's share of a hand-off
  Slowdown slowdown;           // of all work
  std::vector<double> bytes;   // by node: bytes a second through its queue
  double mostBytes = 1e300;    // bytes a second that all queues together can carry
  std::vector<double> fixed;   // by node: the share of its rows that limited sources bring
  std::vector<std::vector<double>> share; // by node: shares of its rows, by Topology::from
  std::vector<char> limited;              // by node: a source that waits for time or data
  double rate = 0;                        // rows a second of all sources
  double limitedRate = 0;                 // rows a second of limited sources

  /// The load of a node. `queues`: hasQueues() of the configuration in question.
  double loadOf(uint32_t node, bool queues) const { return load[node] + (queues ? cold[node] : 0); }
  /// The part of it that takes a processor.
  double runningOf(uint32_t node, bool queues) const { return loadOf(node, queues) - wait[node]; }
  /// Of all nodes.
  double totalLoad() const;
  double totalRunning() const;
  bool allLimited(const Topology &) const;
};

/// What `profile`, measured under `configuration`, says.
Costs estimate(const Topology &, const Profile &, const Configuration &, const Knowledge &);

} // namespace sluice::elastic
