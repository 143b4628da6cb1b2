//===- Rules.cpp - when to search again ------------------------------------===//
#include "runtime/elastic/paper/Rules.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic::paper {

bool Adjustment::covers(uint32_t workers) const {
  if (!threads)
    return false;
  if (workers == threads)
    return true;
  if (!changed || explored.empty())
    return explored.count(workers) != 0;
  return workers > threads ? *explored.rbegin() >= workers : *explored.begin() <= workers;
}

bool satisfied(double gain, double threads, const SatisfactionOptions &options) {
  if (options.asCode)
    return gain > std::max(1 + options.sens, options.sf * threads);
  return gain - 1 > options.sf * (threads - 1);
}

bool LoadWatch::changed(double throughput) {
  if (first < 0)
    first = throughput;
  bool differs = std::fabs(throughput - first) > share * std::min(throughput, first);
  bool above = throughput > first;
  count = !differs ? 0 : above == more ? count + 1 : 1; // noise goes to both sides
  more = above;
  return count >= periods;
}

} // namespace sluice::elastic::paper
