//===- NodeTimes.cpp - what nodes took, and what they should ---------------===//
#include "runtime/elastic/model/compare/NodeTimes.h"
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>
#include <numeric>

namespace sluice::elastic {

NodeTimes::NodeTimes(const Topology &topology, const Costs &plain, const Candidate &c,
                     const Profile &base, const std::vector<char> &baseQueued) {
  double rows = base.sourceRows(topology) / base.length; // a second
  auto extra = [&](uint32_t v) {
    return double(c.configuration.queued[v]) - double(baseQueued[v]);
  };
  bool queues = hasQueues(topology.graph, c.configuration);
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v) {
    const NodeSample &now = c.profile.nodes[v];
    double before = base.nodes[v].rows;
    bool known = now.rows > 0 && before > 0 && rows > 0;
    // Times are for a row at the rates of the base, so the rows that wait in queues do not count.
    double scale = known ? before / now.rows / base.length / rows : 0;
    took.push_back(now.busy * c.profile.onProcessor() * scale);
    alone.push_back(known ? plain.runningOf(v, queues) / rows : 0);
    pops.push_back(known ? extra(v) * plain.handOff[v] / rows : 0);
    double pushed = 0;
    for (uint32_t w : topology.to[v]) {
      const std::vector<uint32_t> &from = topology.from[w];
      size_t caller = size_t(std::lower_bound(from.begin(), from.end(), v) - from.begin());
      pushed += extra(w) * plain.share[w][caller] * plain.handOff[w] / rows;
    }
    pushes.push_back(known ? pushed : 0);
  }
}

double NodeTimes::sum(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool NodeTimes::aside(const Topology &topology, uint32_t v) const {
  return pops[v] == 0 && pushes[v] == 0 && topology.from[v].size() <= 1 && alone[v] > 0;
}

std::optional<double> NodeTimes::slowedBy(const Topology &topology) const {
  std::vector<std::pair<double, double>> factors; // and the work alone
  double work = 0, seen = 0;
  for (uint32_t v = 0; v < took.size(); ++v)
    if (aside(topology, v))
      factors.emplace_back(took[v] / alone[v], alone[v]), work += alone[v];
  if (work <= 0.2 * sum(alone))
    return std::nullopt;
  std::sort(factors.begin(), factors.end());
  auto middle = std::find_if(factors.begin(), factors.end(),
                             [&](const auto &f) { return (seen += f.second) >= work / 2; });
  return middle->first;
}

HandOffs fitHandOffs(const NodeTimes &times, double slower, double pushing) {
  double due = NodeTimes::sum(times.pops),
         all = NodeTimes::sum(times.took) / slower - NodeTimes::sum(times.alone);
  double mean = NodeTimes::sum(times.took) / double(times.took.size());
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
  constexpr double doubt = 0.05; // how firmly the fit stays at the usual
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

std::vector<double> coldTimes(const Topology &topology, const std::vector<NodeTimes> &all,
                              const std::vector<double> &slowed) {
  constexpr double much = 0.03, muchOfIt = 0.25; // shares of all work and of the node's
  std::vector<double> cold(topology.graph.nodes.size());
  for (uint32_t v = 0; v < cold.size(); ++v) {
    std::vector<double> overs;
    double alone = 0;
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].aside(topology, v))
        overs.push_back(all[i].took[v] / slowed[i] - all[i].alone[v]), alone = all[i].alone[v];
    double over = overs.empty() ? 0 : median(overs);
    cold[v] = overs.empty()                                                           ? -1
              : over > muchOfIt * alone && over > much * NodeTimes::sum(all[0].alone) ? over
                                                                                      : 0;
  }
  return cold;
}

} // namespace sluice::elastic
