//===- Latency.cpp - how long tuples take to the end of their path ---------------------===//
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/counters/LatencyCounts.h"
#include <numeric>

namespace sluice {

uint64_t timedTuples(const CounterSample &sample) {
  return std::accumulate(sample.latency.begin(), sample.latency.end(), uint64_t(0));
}

double latencyWithin(const CounterSample &sample, double share) {
  uint64_t all = timedTuples(sample), below = 0;
  if (!all || !sample.cycles)
    return -1;
  uint32_t slot = 0;
  while (slot + 1 < sample.latency.size() &&
         double(below += sample.latency[slot]) < share * double(all))
    ++slot;
  return LatencyCounts::endOf(slot) * double(sample.nanos) * 1e-9 / double(sample.cycles);
}

} // namespace sluice
