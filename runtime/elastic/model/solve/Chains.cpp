//===- Chains.cpp - queues move along chains -------------------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>

namespace sluice::elastic {

static constexpr double slack = 1e-9; // rounding, relative

/// Moves queues along chains to where they are cheaper, as long as the regions on both sides stay
/// within the bound. Of equal places it takes the one that leaves both as even as can be, with what
/// each pays of the hand-offs.
void Solver::shift(double bound, double speed, Cut &cut) const {
  std::vector<uint32_t> region = regions(cut.queued);
  std::vector<double> total(region.size());
  for (uint32_t v : topology.order) {
    total[region[v]] += loadAt(speed, v);
    if (!cut.queued[v])
      continue;
    double handOff = at(speed, v, costs.handOff[v]);
    total[v] += (1 - costs.pushing) * handOff;
    for (uint32_t u : topology.from[v])
      total[region[u]] += costs.pushing * shareOf(v, u) * handOff;
  }
  for (int sweep = 0; sweep < 30; ++sweep) {
    uint64_t moved = 0;
    for (uint32_t v : topology.order)
      if (cut.queued[v] && mayCut(v) && cut.width[v] == 1)
        moved += slide(bound, speed, v, sweep % 4 < 2, cut, region, total);
    if (!moved)
      break;
  }
}

/// Whether `callee` is all that `caller` leads to, and `caller` all that leads to it.
bool Solver::chained(uint32_t caller, uint32_t callee) const {
  return topology.to[caller].size() == 1 && topology.from[callee].size() == 1;
}

/// The best place along its chain for the queue at `v`, where the regions on both sides take
/// `present`. `down`: a place below is also better if it is as good, so that work wanders to where
/// there is room.
Solver::Place Solver::placeOf(double bound, double speed, bool down,
                              const std::vector<char> &queued, const Place &present) const {
  const uint32_t v = present.node;
  Place best = present;
  double cheapest = costs.handOff[v], longer = std::max(best.lower, best.upper), change = 0;
  // Takes the place `node`, where the lower region has gained `change`, if it is better. False if
  // places further away are of no use.
  auto consider = [&](uint32_t node) {
    ++counted;
    double dearer = at(speed, node, costs.handOff[node]) - at(speed, v, costs.handOff[v]);
    Place next{node, present.lower + change + (1 - costs.pushing) * dearer,
               present.upper - change + costs.pushing * dearer};
    double pair = std::max(next.lower, next.upper);
    bool cheaper = costs.handOff[node] < 0.9 * cheapest;
    bool even = costs.handOff[node] <= 1.05 * cheapest &&
                pair < longer * (1 + ((change < 0) == down ? slack : -1e-6));
    if (mayCut(node) && pair <= std::max(bound, longer) && (cheaper || even))
      best = next, cheapest = costs.handOff[node], longer = pair;
    return pair <= bound;
  };
  for (uint32_t w = v, u = topology.from[v][0];
       chained(u, w) && !queued[u] && !topology.graph.nodes[u].source;) {
    change += loadAt(speed, u);
    if (!consider(u) || topology.from[u].size() != 1)
      break;
    w = u, u = topology.from[u][0];
  }
  change = 0;
  for (uint32_t u = v; topology.to[u].size() == 1;) {
    uint32_t w = topology.to[u][0];
    if (!chained(u, w) || queued[w])
      break;
    change -= loadAt(speed, u);
    if (!consider(w))
      break;
    u = w;
  }
  return best;
}

/// Moves the queue at `v` to the best place along its chain. True if it did.
bool Solver::slide(double bound, double speed, uint32_t v, bool down, Cut &cut,
                   std::vector<uint32_t> &region, std::vector<double> &total) const {
  if (topology.from[v].size() != 1 || !chained(topology.from[v][0], v))
    return false;
  uint32_t above = region[topology.from[v][0]];
  Place best = placeOf(bound, speed, down, cut.queued, {v, total[v], total[above]});
  if (best.node == v)
    return false;
  cut.queued[v] = false;
  cut.queued[best.node] = true;
  total[above] = best.upper;
  total[best.node] = best.lower;
  // Regions are only asked for above a queue: update the lower region down to the next queue.
  region[best.node] = best.node;
  for (uint32_t u = best.node; topology.to[u].size() == 1 && !cut.queued[topology.to[u][0]];) {
    u = topology.to[u][0];
    region[u] = best.node;
    ++counted;
  }
  // If it moved down, the nodes that it passed are in the upper region now.
  for (uint32_t u = v; u != best.node && region[u] == v; u = topology.to[u][0])
    region[u] = above;
  return true;
}

/// The next place along its chain where the queue at `v` could be; `v` if there is none, or if it
/// makes little difference.
uint32_t Solver::nextPlace(const Configuration &configuration, uint32_t v, bool up) const {
  constexpr double much = 0.04;
  double between = 0;
  for (uint32_t u = v;;) {
    const std::vector<uint32_t> &next = up ? topology.from[u] : topology.to[u];
    if (next.size() != 1)
      return v;
    uint32_t w = next[0], caller = up ? w : u, called = up ? u : w;
    bool chain = topology.to[caller].size() == 1 && topology.from[called].size() == 1;
    if (!chain || topology.graph.nodes[w].source || configuration.queued[w])
      return v;
    between += costs.loadOf(caller, true);
    if (mayCut(w))
      return between > much * allLoads ? w : v;
    u = w;
  }
}

std::vector<Plan> Solver::moved(const Plan &plan) const {
  std::vector<Plan> result;
  for (uint32_t v : topology.order)
    for (bool up : {true, false}) {
      uint32_t w = plan.configuration.queued[v] && mayCut(v) && plan.configuration.width[v] == 1
                       ? nextPlace(plan.configuration, v, up)
                       : v;
      if (w == v)
        continue;
      Plan next = plan;
      next.configuration.queued[v] = false;
      next.configuration.queued[w] = true;
      next.predicted = predict(next.configuration);
      result.push_back(std::move(next));
    }
  std::stable_sort(result.begin(), result.end(), [](const Plan &a, const Plan &b) {
    return a.predicted.rate > b.predicted.rate;
  });
  return result;
}

} // namespace sluice::elastic
