//===- Plans.cpp - cuts become configurations ------------------------------===//
//
// The best plan and the plans that are compared with it.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr int bisections = 30;
static constexpr double slack = 1e-9; // rounding, relative

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
  double room = capacity(maxThreads), places = threadsInUse(maxThreads);
  double low = direct.predicted.speed,
         high = std::max(low, room / std::max(1e-12, costs.totalRunning()));
  auto fits = [&](const Cut &cut) {
    return cut.feasible && cut.work <= room * (1 + slack) &&
           cut.work + cut.asleep <= places * (1 + slack) &&
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
      std::min(usefulThreads(result.configuration),
               uint32_t(std::ceil(processors)) + sleepers(result.configuration));
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
