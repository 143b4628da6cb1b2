//===- Costs.cpp - costs, shares and limits from a profile -----------------===//
#include "runtime/elastic/model/costs/Costs.h"
#include <algorithm>
#include <numeric>

namespace sluice::elastic {

double Costs::totalLoad() const { return std::accumulate(load.begin(), load.end(), 0.0); }

double Costs::totalRunning() const {
  return totalLoad() - std::accumulate(wait.begin(), wait.end(), 0.0);
}

bool Costs::allLimited(const Topology &topology) const {
  return !topology.sources.empty() && std::all_of(topology.sources.begin(), topology.sources.end(),
                                                  [&](uint32_t s) { return limited[s]; });
}

/// Seconds of the hand-offs of `n`, by the machine's figures.
static double handOffSeconds(const Machine &machine, const NodeSample &n, double bytesPerRow) {
  return 1e-9 * (n.batches * machine.handOffNanos +
                 n.rows * (machine.rowNanos + bytesPerRow * machine.byteNanos));
}

/// Sets how the rows of each node are shared out over its callers. Samples count only a node's own
/// rows. So where several callers meet, each is taken to send as many rows as it gets.
static void shareRows(const Topology &topology, const Profile &profile, Costs &costs) {
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v) {
    std::vector<double> &share = costs.share[v];
    for (uint32_t u : topology.from[v])
      share.push_back(profile.nodes[u].rows);
    double sum = std::accumulate(share.begin(), share.end(), 0.0);
    for (double &s : share)
      s = sum > 0 ? s / sum : 1.0 / double(share.size());
  }
}

/// By node: seconds in a second of its work and of what it calls directly. `clock`: by how much
/// longer work takes by the clock than on a processor, as threads are preempted.
static std::vector<double> calledBy(const Topology &topology, const Costs &costs,
                                    const Configuration &configuration, double clock) {
  bool queues = hasQueues(topology.graph, configuration);
  std::vector<double> inside(costs.wait);
  for (uint32_t v = 0; v < inside.size(); ++v)
    inside[v] += clock * costs.runningOf(v, queues);
  for (auto v = topology.order.rbegin(); v != topology.order.rend(); ++v)
    if (!configuration.queued[*v])
      for (size_t i = 0; i < topology.from[*v].size(); ++i)
        inside[topology.from[*v][i]] += costs.share[*v][i] * inside[*v];
  return inside;
}

/// Whether anything holds sources back: producers wait for space, workers are hardly ever idle, or
/// a region sleeps and works all the time. `inside`: calledBy().
static bool pressure(const Topology &topology, const Profile &profile,
                     const Configuration &configuration, const std::vector<double> &inside) {
  bool queues = std::find(configuration.queued.begin(), configuration.queued.end(), 1) !=
                configuration.queued.end();
  double blocked = 0;
  for (size_t v = 0; v < profile.nodes.size(); ++v)
    blocked += topology.graph.nodes[v].source ? 0 : profile.nodes[v].blocked;
  for (size_t v = 0; v < profile.nodes.size(); ++v)
    if (configuration.queued[v] && profile.nodes[v].waited > 0 &&
        inside[v] > 0.9 * configuration.width[v])
      return true;
  return queues &&
         (blocked > 0.05 * profile.length || profile.idle < 0.1 * (profile.workers + profile.idle));
}

/// Finds the limited sources. If nothing holds a source back, and its thread neither works nor
/// helps nor waits for space for over a quarter of the time, it waits for time or data. So does one
/// that sleeps in its own code for nearly all the time: nothing else could make it faster. `all`:
/// seconds that threads were inside of nodes.
static void findLimited(const Topology &topology, const Profile &profile,
                        const Configuration &configuration, double all, Costs &costs) {
  constexpr double nearlyAll = 0.9;
  // A thread that is preempted does not wait.
  std::vector<double> inside = calledBy(topology, costs, configuration, 1 / profile.onProcessor());
  if (pressure(topology, profile, configuration, inside))
    return;
  double own = 0, slack = 0;
  std::vector<double> slacks;
  for (uint32_t s : topology.sources) {
    own += inside[s];
    slacks.push_back(std::max(0.0, 1 - inside[s] - profile.nodes[s].blocked / profile.length));
    slack += slacks.back();
  }
  // Threads were inside beyond workers and calls, as those of sources helped.
  double helped = std::max(0.0, (all - profile.workers) / profile.length - own);
  for (size_t i = 0; i < slacks.size(); ++i) {
    uint32_t s = topology.sources[i];
    costs.limited[s] = slacks[i] - (slack > 0 ? helped * slacks[i] / slack : 0) > 0.25 ||
                       costs.wait[s] > nearlyAll;
    costs.limitedRate += costs.limited[s] ? profile.nodes[s].rows / profile.length : 0;
  }
}

/// Sets the share of the rows of each node that limited sources bring.
static void spreadLimits(const Topology &topology, Costs &costs) {
  for (uint32_t v : topology.order) {
    costs.fixed[v] = costs.limited[v];
    for (size_t i = 0; i < topology.from[v].size(); ++i)
      costs.fixed[v] += costs.share[v][i] * costs.fixed[topology.from[v][i]];
  }
}

Costs estimate(const Topology &topology, const Profile &profile, const Configuration &configuration,
               const Knowledge &knowledge) {
  size_t count = topology.graph.nodes.size();
  Costs costs;
  costs.load.resize(count);
  costs.wait.resize(count);
  costs.cold.resize(count);
  costs.handOff.resize(count);
  costs.bytes.resize(count);
  costs.mostBytes = knowledge.mostBytes;
  costs.pushing = knowledge.pushing;
  costs.slowdown = knowledge.slowdown;
  costs.fixed.resize(count);
  costs.limited.resize(count);
  costs.share.resize(count);
  costs.rate = profile.sourceRows(topology) / profile.length;
  bool queues = hasQueues(topology.graph, configuration);
  double known = 0, sum = 0;
  for (double bytes : knowledge.bytesPerRow)
    if (bytes >= 0)
      ++known, sum += bytes;
  double alone = profile.onProcessor() / knowledge.slowdown.at(running(profile)), inside = 0;
  for (size_t v = 0; v < count; ++v) {
    const NodeSample &n = profile.nodes[v];
    double bytes = knowledge.bytesPerRow[v] >= 0 ? knowledge.bytesPerRow[v]
                   : known > 0                   ? sum / known
                                                 : 0;
    costs.cold[v] = knowledge.cold[v] * n.rows / profile.length;
    costs.wait[v] = n.waited / profile.length;
    costs.load[v] = costs.wait[v] +
                    std::max(0.0, n.busy * alone / profile.length - (queues ? costs.cold[v] : 0));
    costs.handOff[v] =
        knowledge.handOffFactor * handOffSeconds(knowledge.machine, n, bytes) / profile.length;
    costs.bytes[v] = n.rows * bytes / profile.length;
    inside += n.inside();
  }
  shareRows(topology, profile, costs);
  findLimited(topology, profile, configuration, inside, costs);
  spreadLimits(topology, costs);
  return costs;
}

} // namespace sluice::elastic
