//===- Compare.h - policies and fixed configurations, side by side -*- C++ -*-===//
#pragma once
#include "runtime/sim/Drive.h"

namespace sluice::sim {

/// A policy or a fixed configuration that is compared with others, and its result.
struct Contender {
  std::string name;
  uint32_t threads = 0, queues = 0;
  double rate = 0;     // rows a second of the sources, without noise
  double settling = 0; // seconds; 0 for a fixed configuration
  // The fewest threads with which its queues have the rate of the policy `threads`; 0 if they have
  // less with all of its threads.
  uint32_t enough = 0;
  Record record; // of a policy
  elastic::Configuration final;
};

struct CompareOptions {
  uint32_t tries = 200;   // of the oracle; 0: no oracle
  double seconds = 4000;  // that a policy may take
  double paperPeriod = 5; // seconds: the period of `paper` and `threads`
};

/// Lets a policy of the registry drive the experiment. `paper` and `threads` get the paper's
/// period, and in the copying runtime the costs that IBM's profiler would see. `constants` are
/// further constants. The policy must exist.
Contender drivePolicy(Experiment, const std::string &policy, const elastic::Constants &constants,
                      const CompareOptions &, double changeAt = -1);
/// Compares `none`, `manual`, `threads`, `paper`, `model` and `oracle`, in this order.
std::vector<Contender> compareAll(const Experiment &, const CompareOptions &);
/// Null if there is none of that name.
const Contender *find(const std::vector<Contender> &, std::string_view name);

} // namespace sluice::sim
