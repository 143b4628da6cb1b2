//===- Search.h - configurations to compare with ----------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Lab.h"

namespace sluice::sim {

/// As a person would: queues where the application says, else before every tenth
/// operator, each with a thread of its own; never more than there are cores.
elastic::Configuration handPlaced(const Lab &);
/// Every port a queue; `threads` workers.
elastic::Configuration allQueued(const Lab &, uint32_t threads);
/// Queues so that no region takes more than `share` of the work of the whole, where that can be.
elastic::Configuration cutBy(const Lab &, double share);

/// A long seeded search on the simulator itself: cuts of every size, then changes of the
/// best by chance, `tries` of them. Of what is within 1 % the one with the fewest threads.
/// `hints` are tried, too.
elastic::Configuration oracle(Lab &, uint32_t tries,
                              const std::vector<elastic::Configuration> &hints = {});

} // namespace sluice::sim
