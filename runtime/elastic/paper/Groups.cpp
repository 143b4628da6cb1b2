//===- Groups.cpp - operators of like cost ---------------------------------===//
#include "runtime/elastic/paper/Groups.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic::paper {

/// The number of groups that are heavier than that of `cost`.
static uint32_t heavier(double cost, double most, const GroupOptions &options) {
  const uint32_t last = options.bins - 1;
  if (cost <= 0)
    return last;
  double ratio = most / cost;
  if (options.harmonic)
    return ratio >= options.bins ? last : uint32_t(ratio) - 1;
  return std::min(uint32_t(std::ilogb(ratio)), last); // ilogb is exact, so the same everywhere
}

/// The number of groups that are lighter than that of `cost`. Nodes that cost nothing are the
/// first.
static uint32_t lighter(double cost, double least, const GroupOptions &options) {
  return cost <= 0 ? 0 : std::min(uint32_t(std::ilogb(cost / least)) + 1, options.bins - 1);
}

/// A number that looks random (splitmix), so that no order of the program shows in it.
static uint64_t mix(uint64_t node) {
  uint64_t z = (node + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::vector<std::vector<uint32_t>> groupByCost(const std::vector<uint32_t> &candidates,
                                               const std::vector<double> &costs,
                                               Direction direction, const GroupOptions &options) {
  double most = 0, least = 0; // of nodes that cost something
  for (uint32_t node : candidates)
    if (double cost = costs[node]; cost > 0) {
      most = std::max(most, cost);
      least = least > 0 ? std::min(least, cost) : cost;
    }
  std::vector<std::vector<uint32_t>> groups(options.bins);
  for (uint32_t node : candidates)
    groups[direction == Direction::Up ? heavier(costs[node], most, options)
                                      : lighter(costs[node], least, options)]
        .push_back(node);
  std::erase_if(groups, [](const auto &group) { return group.empty(); });
  if (options.mixed)
    for (auto &group : groups)
      std::sort(group.begin(), group.end(), [](uint32_t a, uint32_t b) { return mix(a) < mix(b); });
  return groups;
}

} // namespace sluice::elastic::paper
