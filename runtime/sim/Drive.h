//===- Drive.h - a policy drives a simulated program ------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Lab.h"
#include <functional>

namespace sluice::sim {

/// An interval, and what the policy decided after it.
struct Step {
  double time = 0;                  // its end, in simulated seconds
  double throughput = 0;            // rows a second of all sources
  uint32_t threads = 0, queues = 0; // that were set in it
  elastic::Decision decision;
};

/// A whole run.
struct Record {
  elastic::Decision begin;
  std::vector<Step> steps;
  elastic::Configuration final;
  double rate = 0; // rows a second of the final configuration (Lab::lastingRate)
};

/// Stability, accuracy, settling and overshoot of a run between two moments.
struct Saso {
  // Seconds until the last change before the policy said `settled`; to the end if it never did.
  double settling = 0;
  bool settled = false;
  uint32_t changesAfter = 0;   // decisions that changed something after it had settled
  uint32_t overshoot = 0;      // the most threads above the number at the end
  double overshootSeconds = 0; // how long they were above
};
/// `newLoad`: the load changed at `from`. That the policy is settled does not count before it has
/// noticed.
Saso saso(const Record &, double from, double to, bool newLoad = false);

/// Queued nodes that are no sources.
uint32_t countQueues(const elastic::Graph &, const elastic::Configuration &);

/// Is called with each sample and the decision on it; first with no sample and the first decision.
using Observer = std::function<void(const elastic::Sample *, const elastic::Decision &)>;
/// Runs until `seconds`. From `changeAt` on, if it is not below 0, the load is the later one. Ends
/// early once nothing has changed for `quiet` seconds after the policy said `settled`.
Record drive(Lab &, elastic::Policy &, double seconds, double changeAt = -1, const Observer & = {},
             double quiet = 1e300);

} // namespace sluice::sim
