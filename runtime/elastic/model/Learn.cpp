//===- Learn.cpp - what a comparison teaches of costs ---------------===//
//
// How much slower work is when much of it runs at once, and what of it is away from
// queues alone; what a hand-off takes, and which part of it the producer pays; what the
// memory carries. Each from the windows of candidates against those of the one with the
// fewest queues.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

/// Bytes a second through all queues.
static double carriedBy(const Candidate &c) {
  double sum = 0;
  for (const NodeSample &node : c.profile.nodes)
    sum += node.bytes;
  return sum / c.profile.length;
}

/// Many queues gave far less than promised, and fewer of them gave more by as much as less goes
/// through queues for a row: all hand-offs share the memory, and it carries no more. No cost of a
/// single one would say that.
bool ModelPolicy::learnMemory() {
  const Candidate *few = nullptr, *many = nullptr;
  const Candidate &won = contest->candidates()[contest->winner()];
  bool known = knowledge.mostBytes < 1e300;
  for (const Candidate &c : contest->candidates())
    if (c.profile.windows && c.cuts) {
      few = !few || c.cuts < few->cuts ? &c : few;
      many = !many || c.cuts > many->cuts ? &c : many;
      knowledge.carriedBytes = std::max(knowledge.carriedBytes, carriedBy(c));
    }
  if (known) { // of fewer queues more may stay in the caches: what was asked of the memory and came
               // is not the most
    bool asked = won.cuts && carriedBy(won) > 0.85 * knowledge.mostBytes &&
                 std::exp(won.mean()) > 0.9 * won.predicted;
    knowledge.mostBytes = (asked ? 1.5 : 1) * knowledge.carriedBytes;
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

namespace {
/// What the nodes took for a row of the sources, and what they should: work alone, and hand-offs by
/// the machine's figures, of those that take and of those that give.
struct NodeTimes {
  std::vector<double> took, alone, pops, pushes;
  double sum(const std::vector<double> &values) const {
    double result = 0;
    for (double value : values)
      result += value;
    return result;
  }
};

/// Hand-offs, as multiples of the machine's figures.
struct HandOffs {
  double pop = 0, push = 0;
};
} // namespace

/// `c` against `base`, whose nodes took what `plain` says. Nodes that did nothing in one of them
/// are left out.
static NodeTimes nodeTimes(const Topology &topology, const Costs &plain, const Candidate &c,
                           const Profile &base, const std::vector<char> &baseQueued) {
  NodeTimes result;
  double rows = base.sourceRows(topology) / base.length; // a second
  auto extra = [&](uint32_t v) {
    return double(c.configuration.queued[v]) - double(baseQueued[v]);
  };
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v) {
    const NodeSample &now = c.profile.nodes[v];
    double before = base.nodes[v].rows;
    bool known = now.rows > 0 && before > 0 && rows > 0;
    // Times a row, at the rates of the base: how many rows are in queues does not count.
    double scale = known ? before / now.rows / base.length / rows : 0;
    result.took.push_back(now.busy * c.profile.onProcessor() * scale);
    result.alone.push_back(
        known ? plain.loadOf(v, hasQueues(topology.graph, c.configuration)) / rows : 0);
    result.pops.push_back(known ? extra(v) * plain.handOff[v] / rows : 0);
    double pushed = 0;
    for (uint32_t w : topology.to[v]) {
      const std::vector<uint32_t> &from = topology.from[w];
      size_t caller = size_t(std::lower_bound(from.begin(), from.end(), v) - from.begin());
      pushed += extra(w) * plain.share[w][caller] * plain.handOff[w] / rows;
    }
    result.pushes.push_back(known ? pushed : 0);
  }
  return result;
}

/// Those that neither take from a queue nor fill one.
static bool aside(const Topology &topology, const NodeTimes &times, uint32_t v) {
  return times.pops[v] == 0 && times.pushes[v] == 0 && topology.from[v].size() <= 1 &&
         times.alone[v] > 0;
}

/// How much longer nodes took that are aside: the median, by their work, as a few of them may have
/// become dearer alone. Below 0: there are too few of them.
static double slowerBy(const Topology &topology, const NodeTimes &times) {
  std::vector<std::pair<double, double>> factors; // and the work alone
  double alone = 0, seen = 0;
  for (uint32_t v = 0; v < times.took.size(); ++v)
    if (aside(topology, times, v))
      factors.emplace_back(times.took[v] / times.alone[v], times.alone[v]), alone += times.alone[v];
  if (alone <= 0.2 * times.sum(times.alone))
    return -1;
  std::sort(factors.begin(), factors.end());
  auto middle = std::find_if(factors.begin(), factors.end(),
                             [&](const auto &f) { return (seen += f.second) >= alone / 2; });
  return middle->first;
}

/// Least squares over the nodes, the time of each as uncertain as its root; where nodes that take
/// are those that give, `pushing` of all is the producers' as before.
static HandOffs fitHandOffs(const NodeTimes &times, double slower, double pushing) {
  double due = times.sum(times.pops), all = times.sum(times.took) / slower - times.sum(times.alone);
  double mean = times.sum(times.took) / double(times.took.size());
  HandOffs usual{all / due * (1 - pushing), all / due * pushing};
  if (all <= 0)
    return {};
  double pops = 0, pushes = 0, mixed = 0, popped = 0, pushed = 0;
  for (size_t v = 0; v < times.took.size(); ++v) {
    double weight = 1 / (times.took[v] + mean), over = times.took[v] / slower - times.alone[v];
    pops += weight * times.pops[v] * times.pops[v];
    pushes += weight * times.pushes[v] * times.pushes[v];
    mixed += weight * times.pops[v] * times.pushes[v];
    popped += weight * times.pops[v] * over;
    pushed += weight * times.pushes[v] * over;
  }
  constexpr double doubt = 0.05; // how firmly it stays what it was
  popped += doubt * pops * usual.pop;
  pushed += doubt * pushes * usual.push;
  pops *= 1 + doubt;
  pushes *= 1 + doubt;
  double both = pops * pushes - mixed * mixed;
  if (both <= 0)
    return usual;
  return {std::max(0.0, (popped * pushes - pushed * mixed) / both),
          std::max(0.0, (pushed * pops - popped * mixed) / both)};
}

/// What nodes that are aside took beyond what all work is slower by: none of that is a hand-off's,
/// it comes wherever the queues are. The median of candidates, as a machine that moves makes some
/// of them far dearer. By node: seconds for a row of the sources; 0 where it is little, below 0
/// where it is not known.
static std::vector<double> coldTimes(const Topology &topology, const std::vector<NodeTimes> &all,
                                     const std::vector<double> &slower) {
  constexpr double much = 0.03, muchOfIt = 0.25; // of all work, and of the node's
  std::vector<double> cold(topology.graph.nodes.size());
  for (uint32_t v = 0; v < cold.size(); ++v) {
    std::vector<double> overs;
    double alone = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (aside(topology, all[i], v))
        overs.push_back(all[i].took[v] / slower[i] - all[i].alone[v]), alone = all[i].alone[v];
    double over = overs.empty() ? 0 : median(overs);
    cold[v] = overs.empty()                                                       ? -1
              : over > muchOfIt * alone && over > much * all[0].sum(all[0].alone) ? over
                                                                                  : 0;
  }
  return cold;
}

/// What the work of a row was more with queues than without, against what the model held it to be.
void ModelPolicy::learnCosts() {
  const Candidate *base = nullptr, *best = nullptr;
  for (const Candidate &c : contest->candidates()) {
    if (!c.profile.windows)
      continue;
    knowledge.learnBytes(c.profile);
    base = !base || c.cuts < base->cuts ? &c : base;
  }
  for (const Candidate &c :
       contest->candidates()) // the best with queues: what comes next is near it
    if (base && c.profile.windows && c.cuts > base->cuts && (!best || c.mean() > best->mean()))
      best = &c;
  bool memory = learnMemory();
  if (memory) // that is why work is slower
    knowledge.slowdown = {};
  if (!best)
    return;
  const Profile &before = base->configuration == profiled ? profile : base->profile;
  if (!memory)
    learnSlowdown(*base, before);
  learnHandOffs(*base, *best, before, memory);
  if (!memory)
    learnWaits(*best);
}

/// How much slower all work is, and some of it alone.
void ModelPolicy::learnSlowdown(const Candidate &base, const Profile &before) {
  Knowledge warm = knowledge;
  warm.cold.assign(warm.cold.size(), 0);
  Costs plain = estimate(topology, before, base.configuration, warm);
  std::vector<NodeTimes> all;
  std::vector<double> slower;
  for (const Candidate &c : contest->candidates()) {
    if (c.profile.windows < 2 || &c == &base)
      continue;
    NodeTimes times = nodeTimes(topology, plain, c, before, base.configuration.queued);
    double factor = slowerBy(topology, times);
    if (factor <= 0)
      continue;
    knowledge.slowdown.learn(running(c.profile), factor);
    all.push_back(std::move(times));
    slower.push_back(factor);
  }
  if (base.cuts || all.empty())
    return;
  std::vector<double> found = coldTimes(topology, all, slower);
  double rows = before.sourceRows(topology);
  for (uint32_t v = 0; v < found.size(); ++v)
    if (found[v] >= 0)
      knowledge.cold[v] = found[v] * rows / before.nodes[v].rows;
}

/// Of `best` against `base`, whose nodes took what `before` says.
void ModelPolicy::learnHandOffs(const Candidate &base, const Candidate &best, const Profile &before,
                                bool memory) {
  Knowledge byMachine = knowledge;
  byMachine.handOffFactor = 1;
  NodeTimes times = nodeTimes(topology, estimate(topology, before, base.configuration, byMachine),
                              best, before, base.configuration.queued);
  // Only a difference that is none of chance teaches anything.
  double chance = std::min(probabilityLower(base.rowCosts, best.rowCosts),
                           probabilityLower(best.rowCosts, base.rowCosts));
  if (chance > 0.1 || times.sum(times.pops) <= 0)
    return;
  HandOffs found =
      fitHandOffs(times, knowledge.slowdown.at(running(best.profile)), knowledge.pushing);
  // Waiting for the memory is not the single hand-off's.
  knowledge.handOffFactor = std::clamp(found.pop + found.push, 0.1, memory ? 1.0 : 1000.0);
  if (found.pop + found.push > 0)
    knowledge.pushing = std::clamp(found.push / (found.pop + found.push), 0.05, 0.95);
}

/// What is lost to threads that sleep and are woken is no work of any node, but comes with each
/// hand-off: as much dearer as it takes to predict what came.
void ModelPolicy::learnWaits(const Candidate &best) {
  constexpr double much = 1.25;
  double came = std::exp(best.mean()), low = knowledge.handOffFactor, high = 1000;
  auto predicted = [&](double factor) {
    knowledge.handOffFactor = factor;
    costs = estimate(topology, profile, profiled, knowledge);
    return solver().predict(best.configuration).rate;
  };
  if (predicted(low) <= much * came)
    return;
  for (int i = 0; i < 20; ++i) {
    double middle = std::sqrt(low * high);
    (predicted(middle) > came ? low : high) = middle;
  }
  knowledge.handOffFactor = low;
}

} // namespace sluice::elastic
