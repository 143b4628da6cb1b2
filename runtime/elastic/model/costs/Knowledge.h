//===- Knowledge.h - what is learnt over the whole run -----*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/costs/Profile.h"
#include "runtime/elastic/model/costs/Slowdown.h"

namespace sluice::elastic {

/// What is learnt over the whole run. It holds for every configuration and survives changes of
/// load.
struct Knowledge {
  explicit Knowledge(const Machine &machine, size_t nodes)
      : machine(machine), cold(nodes), bytesPerRow(nodes, -1) {}

  Machine machine;
  double handOffFactor = 1; // measured cost of a hand-off against that of `machine`
  // The producer's share of a hand-off: it writes what its core holds, and the consumer fetches it.
  double pushing = 0.25;
  Slowdown slowdown;
  // By node: seconds that a row takes longer as soon as anything is queued. Batches then come back
  // from other processors' caches, wherever the queues are.
  std::vector<double> cold;
  std::vector<double> bytesPerRow; // by node; below 0: not known, as only queues count bytes
  double carriedBytes = 0;         // the most bytes a second through all queues together so far
  double mostBytes = 1e300;        // bytes a second that the memory carries at most

  void learnBytes(const Profile &);
};

} // namespace sluice::elastic
