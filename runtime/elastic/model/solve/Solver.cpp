//===- Solver.cpp - from the sinks up, cut the heaviest call ---------------===//
//
// For a given speed and bound, a walk goes from the sinks to the sources. Where a call
// would take longer than the bound, it cuts the heaviest of what that calls. For chains
// and trees these are the fewest cuts. Bisection finds the best speed (Plans.cpp), then
// the least bound that needs no more cuts, so that regions are even.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr int bisections = 30;
static constexpr double slack = 1e-9; // rounding, relative

Solver::Solver(const Topology &topology, const Costs &costs, double processors, uint32_t maxThreads,
               bool capped)
    : topology(topology), costs(costs), processors(processors),
      maxThreads(std::max(1u, maxThreads)), capped(capped), cuttable(topology.graph.nodes.size()) {
  const std::vector<Node> &nodes = topology.graph.nodes;
  for (uint32_t v = 0; v < nodes.size(); ++v) {
    // A queue between nodes of one domain is of no use, as they exclude each other.
    const std::vector<uint32_t> &from = topology.from[v];
    bool inside = !from.empty() && std::all_of(from.begin(), from.end(), [&](uint32_t u) {
      return nodes[u].domain == nodes[v].domain;
    });
    cuttable[v] = nodes[v].changeable && !nodes[v].source && !inside;
    stillWork += costs.runningOf(v, true) * costs.fixed[v];
    growingWork += costs.runningOf(v, true) * (1 - costs.fixed[v]);
    allLoads += costs.loadOf(v, true);
  }
}

bool Solver::mayCut(uint32_t node) const { return cuttable[node]; }

double Solver::scaled(double speed, uint32_t node, double value) const {
  return value * (costs.fixed[node] + speed * (1 - costs.fixed[node]));
}

/// How much slower all work is at that speed. The slower it is, the more of it runs at once.
double Solver::slowdownAt(double speed) const {
  if (!costs.slowdown.known())
    return 1;
  if (speed == lastSpeed)
    return lastSlowdown;
  double factor = 1;
  for (int i = 0; i < 4; ++i)
    factor = costs.slowdown.at(std::min(processors, factor * (stillWork + speed * growingWork)));
  lastSpeed = speed;
  return lastSlowdown = factor;
}

double Solver::at(double speed, uint32_t node, double value) const {
  return slowdownAt(speed) * scaled(speed, node, value);
}

/// Processor time of a node in a second at that speed.
double Solver::runningAt(double speed, uint32_t node) const {
  return at(speed, node, costs.runningOf(node, true));
}

/// The same with the time that it sleeps, which nothing slows down.
double Solver::loadAt(double speed, uint32_t node) const {
  return runningAt(speed, node) + scaled(speed, node, costs.wait[node]);
}

double Solver::shareOf(uint32_t node, uint32_t caller) const {
  const std::vector<uint32_t> &from = topology.from[node];
  return costs
      .share[node][size_t(std::lower_bound(from.begin(), from.end(), caller) - from.begin())];
}

//===--- one walk -------------------------------------------------------------------===//

/// Cuts the heaviest of what `node` calls until `inside` is within the bound.
void Solver::cutBelow(double speed, double bound, uint32_t node, double &inside,
                      const std::vector<double> &calls, Cut &cut) const {
  std::vector<std::pair<double, uint32_t>> gains;
  for (uint32_t w : topology.to[node]) {
    if (cut.queued[w] || !mayCut(w))
      continue;
    double share = shareOf(w, node), push = costs.pushing * at(speed, w, costs.handOff[w]);
    if (calls[w] > push * (1 + slack))
      gains.emplace_back(share * (calls[w] - push), w);
  }
  // The heaviest first; of equal ones the last, whose callers have all been seen.
  std::sort(gains.begin(), gains.end());
  while (inside > bound && !gains.empty()) {
    auto [gain, w] = gains.back();
    gains.pop_back();
    cut.queued[w] = true;
    ++cut.cuts;
    cut.work += at(speed, w, costs.handOff[w]);
    inside -= gain;
    ++counted;
  }
}

/// Queues `node`, whose calls take `inside` (of this, its own work `own`), with as many workers as
/// it takes. What it calls is called by one thread at a time. Returns what a call takes then.
double Solver::widen(double speed, double bound, double room, uint32_t node, double own,
                     double inside, const std::vector<double> &calls, Cut &cut) const {
  cut.cuts += !cut.queued[node];
  cut.work += cut.queued[node] ? 0 : at(speed, node, costs.handOff[node]);
  cut.queued[node] = true;
  double below = inside - own, most = topology.graph.nodes[node].maxWidth;
  // One thread at a time is below, and what all workers together have is for both.
  double left = std::min(room, most * room - own);
  if (below > left)
    cutBelow(speed, left, node, below, calls, cut);
  inside = own + below;
  cut.width[node] = uint32_t(std::clamp(std::ceil(inside / bound * (1 - 1e-6)), 1.0, most));
  cut.longest = std::max({cut.longest, inside / cut.width[node], below});
  cut.feasible &= inside / cut.width[node] <= room && below <= room;
  return inside;
}

Solver::Cut Solver::cutAt(double speed, double bound) const {
  const std::vector<Node> &nodes = topology.graph.nodes;
  Cut cut;
  cut.queued.resize(nodes.size());
  cut.width.assign(nodes.size(), 1);
  for (uint32_t v = 0; v < nodes.size(); ++v)
    if (!nodes[v].changeable || nodes[v].source)
      cut.queued[v] = nodes[v].queued;
  std::vector<double> calls(nodes.size()), domain(topology.graph.domains);
  for (auto i = topology.order.rbegin(); i != topology.order.rend(); ++i) {
    uint32_t v = *i;
    double own = loadAt(speed, v), pop = (1 - costs.pushing) * at(speed, v, costs.handOff[v]);
    cut.work += runningAt(speed, v);
    cut.asleep += scaled(speed, v, costs.wait[v]);
    double inside = own + (mayCut(v) || cut.queued[v] ? pop : 0); // room for its own queue
    double mates = nodes[v].domain < domain.size() ? domain[nodes[v].domain] : 0;
    for (uint32_t w : topology.to[v]) {
      ++counted;
      double share = shareOf(w, v);
      inside += share * (cut.queued[w] ? costs.pushing * at(speed, w, costs.handOff[w]) : calls[w]);
      if (nodes[w].domain == nodes[v].domain && !cut.queued[w])
        mates -= share * calls[w];
    }
    double room = bound * (1 + slack) - std::max(0.0, mates);
    if (inside > room && nodes[v].maxWidth > 1 && own > 0.5 * bound &&
        (mayCut(v) || cut.queued[v])) {
      calls[v] = widen(speed, bound, room, v, own, inside, calls, cut);
      continue;
    }
    if (inside > room)
      cutBelow(speed, room, v, inside, calls, cut);
    cut.feasible &= inside <= room;
    cut.longest = std::max(cut.longest, inside + std::max(0.0, mates));
    // A direct caller does not pay for its queue.
    calls[v] = inside - (mayCut(v) ? pop : 0);
    if (nodes[v].domain < domain.size())
      domain[nodes[v].domain] = std::max(0.0, mates) + inside;
  }
  for (uint32_t v = 0; v < nodes.size(); ++v)
    cut.bytes += cut.queued[v] ? scaled(speed, v, costs.bytes[v]) : 0;
  return cut;
}

//===--- the search -----------------------------------------------------------------===//

/// The cut for the least bound from 0 to `bound` that takes no more than `cuts` cuts.
Solver::Cut Solver::balanced(double speed, double bound, uint32_t cuts) const {
  Cut best = cutAt(speed, bound);
  double low = 0, high = bound;
  for (int i = 0; i < bisections && high - low > 1e-4 * high; ++i) {
    double middle = (low + high) / 2;
    Cut cut = cutAt(speed, middle);
    bool fits = cut.cuts <= cuts && cut.longest < best.longest * (1 + slack);
    (fits && cut.feasible ? high : low) = middle;
    if (fits && (cut.feasible || cut.longest < best.longest))
      best = std::move(cut);
  }
  return best;
}

} // namespace sluice::elastic
