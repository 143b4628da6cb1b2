//===- CostLearner.cpp - what a comparison teaches of costs ----------------===//
#include "runtime/elastic/model/compare/CostLearner.h"
#include "runtime/elastic/model/Statistics.h"
#include "runtime/elastic/model/compare/NodeTimes.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

void CostLearner::learn() {
  const Candidate *base = nullptr, *best = nullptr;
  for (const Candidate &c : comparison.candidates()) {
    if (!c.profile.intervals)
      continue;
    knowledge.learnBytes(c.profile);
    base = !base || c.cuts < base->cuts ? &c : base;
  }
  // The best with queues: what is compared next is near it.
  for (const Candidate &c : comparison.candidates())
    if (base && c.profile.intervals && c.cuts > base->cuts && (!best || c.mean() > best->mean()))
      best = &c;
  bool memory = learnMemory();
  if (memory) // The memory is why work is slower.
    knowledge.slowdown = {};
  if (!best)
    return;
  const Profile &before = base->configuration == load.profiled() ? load.profile() : base->profile;
  if (!memory)
    learnSlowdown(*base, before);
  learnHandOffs(*base, *best, before, memory);
  if (!memory)
    learnWaits(*best);
}

//===--- memory ---------------------------------------------------------------------===//

/// Bytes a second through all queues.
static double carriedBy(const Candidate &c) {
  double sum = 0;
  for (const NodeSample &node : c.profile.nodes)
    sum += node.bytes;
  return sum / c.profile.length;
}

/// Whether the memory is what bounds hand-offs. So it is if many queues gave far less than
/// predicted and fewer queues gave more, by as much as fewer bytes go through them for a row. The
/// cost of a single hand-off would not explain that.
bool CostLearner::learnMemory() {
  const Candidate *few = nullptr, *many = nullptr;
  for (const Candidate &c : comparison.candidates())
    if (c.profile.intervals && c.cuts) {
      few = !few || c.cuts < few->cuts ? &c : few;
      many = !many || c.cuts > many->cuts ? &c : many;
      knowledge.carriedBytes = std::max(knowledge.carriedBytes, carriedBy(c));
    }
  if (knowledge.mostBytes < 1e300) {
    learnMostBytes();
    return true;
  }
  if (!few || carriedBy(*few) <= 0 || few->cuts > 0.8 * many->cuts)
    return false;
  double fewRate = std::exp(few->mean()), manyRate = std::exp(many->mean());
  double less = carriedBy(*many) / manyRate / (carriedBy(*few) / fewRate);
  if (manyRate > 0.5 * many->predicted || fewRate < (1 + 0.5 * (less - 1)) * manyRate)
    return false;
  knowledge.mostBytes = knowledge.carriedBytes;
  return true;
}

/// What was asked of the memory and came is not the most: of fewer queues more may stay in caches.
void CostLearner::learnMostBytes() {
  const Candidate &won = comparison.candidates()[comparison.winner()];
  bool asked = won.cuts && carriedBy(won) > 0.85 * knowledge.mostBytes &&
               std::exp(won.mean()) > 0.9 * won.predicted;
  knowledge.mostBytes = (asked ? 1.5 : 1) * knowledge.carriedBytes;
}

//===--- nodes ----------------------------------------------------------------------===//

/// How much slower all work is, and which nodes are cold. `before`: the profile of `base`.
void CostLearner::learnSlowdown(const Candidate &base, const Profile &before) {
  Knowledge warm = knowledge;
  warm.cold.assign(warm.cold.size(), 0);
  Costs plain = estimate(load.topology, before, base.configuration, warm);
  std::vector<NodeTimes> all;
  std::vector<double> slowed;
  for (const Candidate &c : comparison.candidates()) {
    if (c.profile.intervals < 2 || &c == &base)
      continue;
    NodeTimes times(load.topology, plain, c, before, base.configuration.queued);
    std::optional<double> factor = times.slowedBy(load.topology);
    if (!factor || *factor <= 0)
      continue;
    knowledge.slowdown.learn(running(c.profile), *factor);
    all.push_back(std::move(times));
    slowed.push_back(*factor);
  }
  if (base.cuts || all.empty())
    return;
  std::vector<double> found = coldTimes(load.topology, all, slowed);
  double rows = before.sourceRows(load.topology);
  for (uint32_t v = 0; v < found.size(); ++v)
    if (found[v] >= 0)
      knowledge.cold[v] = found[v] * rows / before.nodes[v].rows;
}

/// The cost of hand-offs in `best` against `base`, whose profile is `before`. `memory`: the memory
/// bounds them, and waiting for it is not a single hand-off's cost.
void CostLearner::learnHandOffs(const Candidate &base, const Candidate &best, const Profile &before,
                                bool memory) {
  Knowledge byMachine = knowledge;
  byMachine.handOffFactor = 1;
  NodeTimes times(load.topology, estimate(load.topology, before, base.configuration, byMachine),
                  best, before, base.configuration.queued);
  double chance = std::min(probabilityLower(base.rowCosts, best.rowCosts),
                           probabilityLower(best.rowCosts, base.rowCosts));
  if (chance > 0.1 || NodeTimes::sum(times.pops) <= 0) // a difference by chance teaches nothing
    return;
  HandOffs found =
      fitHandOffs(times, knowledge.slowdown.at(running(best.profile)), knowledge.pushing);
  knowledge.handOffFactor = std::clamp(found.pop + found.push, 0.1, memory ? 1.0 : 1000.0);
  if (found.pop + found.push > 0)
    knowledge.pushing = std::clamp(found.push / (found.pop + found.push), 0.05, 0.95);
}

/// If `best` is still predicted far above what came, its threads wait: they sleep and are woken.
/// That is no node's work, but it comes with each hand-off. So hand-offs are as dear as it takes to
/// predict what came.
void CostLearner::learnWaits(const Candidate &best) {
  constexpr double much = 1.25;
  double came = std::exp(best.mean()), low = knowledge.handOffFactor, high = 1000;
  auto predicted = [&](double factor) {
    knowledge.handOffFactor = factor;
    load.estimateAgain();
    return load.solver().predict(best.configuration).rate;
  };
  if (predicted(low) <= much * came)
    return;
  for (int i = 0; i < 20; ++i) {
    double middle = std::sqrt(low * high);
    (predicted(middle) > came ? low : high) = middle;
  }
  predicted(low);
}

} // namespace sluice::elastic
