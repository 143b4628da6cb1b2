//===- Plans.cpp - cuts become configurations ------------------------------===//
//
// The best plan and the plans that are compared with it. Queues move along chains to
// where they are cheap and leave even regions.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr int bisections = 30;
static constexpr double slack = 1e-9; // rounding, relative

//===--- moving queues --------------------------------------------------------------===//

/// Moves queues along chains to where they are cheaper, as long as the regions on both sides stay
/// within the bound. Of equal places it takes the one that leaves both as even as can be, with what
/// each pays of the hand-offs.
void Solver::shift(double bound, double speed, Cut &cut) const {
  std::vector<uint32_t> region = regions(cut.queued);
  std::vector<double> total(region.size());
  for (uint32_t v : topology.order) {
    total[region[v]] += at(speed, v, costs.loadOf(v, true));
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

/// Moves the queue at `v` along its chain. True if it did. `down`: downwards also where that is as
/// good, so that work wanders to where there is room.
bool Solver::slide(double bound, double speed, uint32_t v, bool down, Cut &cut,
                   std::vector<uint32_t> &region, std::vector<double> &total) const {
  auto chained = [&](uint32_t u, uint32_t w) {
    return topology.to[u].size() == 1 && topology.from[w].size() == 1;
  };
  if (topology.from[v].size() != 1 || !chained(topology.from[v][0], v))
    return false;
  uint32_t above = region[topology.from[v][0]], best = v;
  double cheapest = costs.handOff[v], longer = std::max(total[v], total[above]), change = 0;
  double lower = total[v], upper = total[above]; // as it moves
  // Takes the place `node`, where the lower region has gained `change`, if it is better. False if
  // places further away are of no use.
  auto consider = [&](uint32_t node) {
    ++counted;
    double dearer = at(speed, node, costs.handOff[node]) - at(speed, v, costs.handOff[v]);
    double below = total[v] + change + (1 - costs.pushing) * dearer,
           over = total[above] - change + costs.pushing * dearer;
    double pair = std::max(below, over);
    bool cheaper = costs.handOff[node] < 0.9 * cheapest;
    bool even = costs.handOff[node] <= 1.05 * cheapest &&
                pair < longer * (1 + ((change < 0) == down ? slack : -1e-6));
    if (mayCut(node) && pair <= std::max(bound, longer) && (cheaper || even))
      best = node, lower = below, upper = over, cheapest = costs.handOff[node], longer = pair;
    return pair <= bound;
  };
  for (uint32_t w = v, u = topology.from[v][0];
       chained(u, w) && !cut.queued[u] && !topology.graph.nodes[u].source;) {
    change += at(speed, u, costs.loadOf(u, true));
    if (!consider(u) || topology.from[u].size() != 1)
      break;
    w = u, u = topology.from[u][0];
  }
  change = 0;
  for (uint32_t u = v; topology.to[u].size() == 1;) {
    uint32_t w = topology.to[u][0];
    if (!chained(u, w) || cut.queued[w])
      break;
    change -= at(speed, u, costs.loadOf(u, true));
    if (!consider(w))
      break;
    u = w;
  }
  if (best == v)
    return false;
  cut.queued[v] = false;
  cut.queued[best] = true;
  total[above] = upper;
  total[best] = lower;
  // Regions are only asked for above a queue: update the lower region down to the next queue.
  region[best] = best;
  for (uint32_t u = best; topology.to[u].size() == 1 && !cut.queued[topology.to[u][0]];) {
    u = topology.to[u][0];
    region[u] = best;
    ++counted;
  }
  for (uint32_t u = v; u != best && region[u] == v;
       u = topology.to[u][0]) // it moved down: what it passed
    region[u] = above;
  return true;
}

//===--- plans ----------------------------------------------------------------------===//

Plan Solver::finish(const Cut &cut) const {
  Plan plan{{cut.queued, cut.width, maxThreads}, {}, 0};
  if (meet)
    closeMeetings(plan.configuration.queued);
  plan.configuration.threads = threadsFor(plan.configuration, true);
  plan.predicted = predict(plan.configuration);
  plan.cuts = cutsOf(topology.graph, plan.configuration);
  return plan;
}

Plan Solver::best() const {
  Plan direct = allDirect();
  double room = capacity(maxThreads);
  double low = direct.predicted.speed,
         high = std::max(low, room / std::max(1e-12, costs.totalLoad()));
  auto fits = [&](const Cut &cut) {
    return cut.feasible && cut.work <= room * (1 + slack) &&
           cut.bytes <= costs.mostBytes * (1 + slack);
  };
  for (int i = 0; i < bisections && high > low * 1.0001; ++i) {
    double middle = std::sqrt(low * high);
    (fits(cutAt(middle, 1)) ? low : high) = middle;
  }
  // The last per cent may take many more queues.
  double speed = std::max(direct.predicted.speed, 0.995 * low);
  if (speed <= direct.predicted.speed * (1 + slack))
    return direct;
  Cut cut = cutAt(speed, 1);
  Plan greedy = finish(cut);
  if (capped) // The longest of uneven regions holds the rate, and so the processors in use, down.
    return greedy;
  Cut even = balanced(speed, 1, cut.cuts);
  shift(1, speed, even);
  Plan plan = finish(even);
  if (greedy.predicted.rate > 1.02 * plan.predicted.rate)
    plan = greedy;
  bool busy = plan.predicted.work > 0.93 * room;
  if (Plan even = busy ? evenest(plan, 1, 1.5) : plan;
      even.predicted.even > plan.predicted.even + 0.05)
    plan = even;
  return plan.predicted.rate > direct.predicted.rate ? plan : direct;
}

Plan Solver::evenest(const Plan &plan, double least, double most) const {
  Plan best = plan;
  double speed = plan.predicted.speed, found = 0;
  for (double bound = least; bound > 0.2 * least; bound -= 0.03) {
    Cut cut = cutAt(speed, bound * plan.predicted.longest);
    if (cut.cuts > most * plan.cuts + 1)
      break;
    if (!cut.feasible)
      continue;
    shift(cut.longest, speed, cut);
    Plan next = finish(cut);
    if (next.cuts > plan.cuts && next.predicted.even > found + 0.02 &&
        next.predicted.rate > 0.95 * plan.predicted.rate)
      best = next, found = next.predicted.even;
  }
  return best;
}

/// Callers come first in the order, so one walk closes all meetings.
void Solver::closeMeetings(std::vector<char> &queued) const {
  std::vector<uint32_t> region(topology.order.size());
  for (uint32_t v : topology.order) {
    ++counted;
    const std::vector<uint32_t> &from = topology.from[v];
    bool one = !from.empty() && std::all_of(from.begin(), from.end(), [&](uint32_t u) {
      return region[u] == region[from[0]];
    });
    if (!one && !from.empty() && mayCut(v))
      queued[v] = true;
    region[v] = one && !queued[v] ? region[from[0]] : v;
  }
}

Plan Solver::meeting(const Plan &plan) const {
  Plan result = plan;
  closeMeetings(result.configuration.queued);
  result.configuration.threads =
      std::min(usefulThreads(result.configuration), uint32_t(std::ceil(processors)));
  result.predicted = predict(result.configuration);
  result.cuts = cutsOf(topology.graph, result.configuration);
  return result;
}

Plan Solver::finer(const Plan &plan, uint32_t least) const {
  double speed = plan.predicted.speed;
  for (double bound = plan.predicted.longest; bound > 1e-4 * plan.predicted.longest; bound *= 0.8)
    if (Cut cut = cutAt(speed, bound); cut.cuts >= least) {
      shift(bound, speed, cut);
      return finish(cut);
    }
  return plan;
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
      return between > much * (stillWork + growingWork) ? w : v;
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

Plan Solver::withCuts(uint32_t cuts) const {
  Plan direct = allDirect();
  if (!cuts)
    return direct;
  double speed = direct.predicted.speed; // no call takes longer than a second
  Cut cut = balanced(speed, std::max(1.0, cutAt(speed, 1e9).longest), cuts);
  shift(cut.longest, speed, cut);
  return finish(cut);
}

Plan Solver::sustain(double share) const {
  Cut cut = cutAt(1, share);
  return finish(cut.feasible ? cut : cutAt(1, 1));
}

Plan Solver::allDirect() const {
  Plan plan;
  plan.configuration = initialConfiguration(topology.graph);
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v)
    if (topology.graph.nodes[v].changeable)
      plan.configuration.queued[v] = false;
  plan.configuration.threads = threadsFor(plan.configuration, true);
  plan.predicted = predict(plan.configuration);
  return plan;
}

Plan Solver::allQueued(uint32_t threads) const {
  Plan plan = allDirect();
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v)
    if (topology.graph.nodes[v].changeable)
      plan.configuration.queued[v] = true;
  plan.configuration.threads = std::clamp(threads, 1u, maxThreads);
  plan.predicted = predict(plan.configuration);
  plan.cuts = cutsOf(topology.graph, plan.configuration);
  return plan;
}

} // namespace sluice::elastic
