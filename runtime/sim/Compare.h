//===- Compare.h - policies and fixed configurations, side by side -*- C++ -*-===//
#pragma once
#include "runtime/sim/Drive.h"

namespace sluice::sim {

/// One of those that are compared, and what it came to.
struct Contender {
  std::string name;
  uint32_t threads = 0, queues = 0;
  double rate = 0;     // rows per second of the sources, without noise
  double settling = 0; // seconds; 0 for those that decide nothing
  uint32_t enough = 0; // the fewest threads with which its queues have what `threads` has; 0: all
                       // of its own have less
  Record record;       // of a policy
  elastic::Configuration final;
};

struct CompareOptions {
  uint32_t tries = 200;   // of the oracle; 0: no oracle
  double seconds = 4000;  // that a policy may take
  double paperPeriod = 5; // seconds, of `paper` and `threads`
};

/// A policy of the registry; the paper's two with the paper's period, and in the copying runtime
/// with IBM's profile. `constants` are further options. The policy must exist.
Contender drivePolicy(Experiment, const std::string &policy, const elastic::Constants &constants,
                      const CompareOptions &, double changeAt = -1);
/// `none`, `manual`, `threads`, `paper`, `model` (if there is one) and `oracle`, in this order.
std::vector<Contender> compareAll(const Experiment &, const CompareOptions &);
/// Null if there is none of that name.
const Contender *find(const std::vector<Contender> &, std::string_view name);

} // namespace sluice::sim
