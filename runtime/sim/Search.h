//===- Search.h - configurations to compare with ----------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Lab.h"

namespace sluice::sim {

/// Queues as a person would place them: where the application says, else before every tenth
/// operator. Each has a thread of its own. There are no more than cores.
elastic::Configuration handPlaced(const Lab &);
/// Every port is queued, with `threads` workers.
elastic::Configuration allQueued(const Lab &, uint32_t threads);
/// Queues such that no region takes more than `share` of all work, where that is possible.
elastic::Configuration cutBy(const Lab &, double share);

/// The best configuration that a long search on the simulator finds: cuts of every size and
/// `hints`, then `tries` random changes of the best (from a fixed seed). Of configurations within 1
/// % it takes the one with the fewest threads.
elastic::Configuration oracle(Lab &, uint32_t tries,
                              const std::vector<elastic::Configuration> &hints = {});

} // namespace sluice::sim
