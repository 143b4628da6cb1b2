//===- Drive.h - a policy at the wheel of a simulated program ---*- C++ -*-===//
#pragma once
#include "runtime/sim/Lab.h"
#include <functional>

namespace sluice::sim {

/// A window, and what the policy made of it.
struct Step {
  double time = 0;                  // end of the window
  double throughput = 0;            // rows per second of all sources
  uint32_t threads = 0, queues = 0; // that were set in the window
  elastic::Decision decision;       // after it
};

struct Record {
  elastic::Decision begin;
  std::vector<Step> steps;
  elastic::Configuration final;
  double rate = 0; // of the final configuration, without noise, lastingly
};

/// What a run did between two moments, as the SASO properties ask.
struct Saso {
  double settling =
      0; // seconds until the last change before it said `settled`; to the end if it never did
  bool settled = false;
  uint32_t changesAfter = 0;   // decisions that changed something once it had settled
  uint32_t overshoot = 0;      // most threads above the number at the end
  double overshootSeconds = 0; // for how long above
};
/// `newLoad`: the load changed at `from`, and what the policy does before it has noticed is no
/// settling.
Saso saso(const Record &, double from, double to, bool newLoad = false);

uint32_t countQueues(const elastic::Graph &, const elastic::Configuration &);

/// Sees every window and what was decided on it; no window: what the policy began with.
using Observer = std::function<void(const elastic::Sample *, const elastic::Decision &)>;
/// Runs until `seconds`; from `changeAt` on (if not below 0) the load is the later one. Ends early
/// once nothing has changed for `quiet` seconds since the policy said `settled`.
Record drive(Lab &, elastic::Policy &, double seconds, double changeAt = -1, const Observer & = {},
             double quiet = 1e300);

} // namespace sluice::sim
