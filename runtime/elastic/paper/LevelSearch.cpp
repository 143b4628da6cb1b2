//===- LevelSearch.cpp - the search for a number of workers ----------------===//
#include "runtime/elastic/paper/LevelSearch.h"
#include <algorithm>
#include <bit>

namespace sluice::elastic::paper {

void LevelSearch::measured(uint32_t level, double throughput) {
  Record &record = trusted[level];
  record = {throughput, record.visits + 1};
}

void LevelSearch::forgetAbove(uint32_t level) {
  trusted.erase(trusted.upper_bound(level), trusted.end());
}

/// The next power of two, or all workers.
uint32_t LevelSearch::above(uint32_t level) const {
  return std::min(std::bit_floor(level) * 2, options.most);
}

/// The first level below that is not trusted: half way to the power of two below, half of that, and
/// so on; else that power of two.
uint32_t LevelSearch::below(uint32_t level) const {
  uint32_t power = std::bit_floor(level - 1);
  uint32_t result = power;
  for (uint32_t distance = options.between ? power / 2 : 0; distance; distance /= 2)
    if (power + distance < level && !trusted.count(power + distance)) {
      result = power + distance;
      break;
    }
  return std::max(result, options.least);
}

bool LevelSearch::mayReturn(uint32_t level) const {
  auto found = trusted.find(level);
  return found == trusted.end() || found->second.visits < options.visits;
}

LevelSearch::Step LevelSearch::rise(uint32_t level, bool mayRise, Step step) const {
  if (!mayRise)
    return {level, Why::Busy, step.other, step.throughput};
  return mayReturn(step.level) ? step : Step{level, Why::Enough, step.other, step.throughput};
}

LevelSearch::Step LevelSearch::next(uint32_t level, bool mayRise) const {
  auto here = trusted.find(level);
  const double throughput = here->second.throughput;
  auto over = std::next(here);
  if (over != trusted.end() && better(over->second.throughput, throughput, options.sens))
    return rise(level, mayRise,
                {over->first, Why::AboveBetter, over->first, over->second.throughput});

  const bool known = over != trusted.end() || level == options.most; // above
  if (level <= options.least)
    return known ? Step{level, Why::Best} : rise(level, mayRise, {above(level), Why::First});
  if (here == trusted.begin())
    return {below(level), Why::NothingBelow};
  auto under = std::prev(here);
  const bool gained = better(throughput, under->second.throughput, options.sens);
  Step step{level, gained ? Why::Best : Why::NoGain, under->first, under->second.throughput};
  if (!gained) {
    step.level = below(level);
    return mayReturn(step.level) ? step : Step{level, Why::Enough, step.other, step.throughput};
  }
  if (known)
    return step;
  step.level = above(level);
  step.why = Why::Gained;
  return rise(level, mayRise, step);
}

} // namespace sluice::elastic::paper
