//===- Backlog.cpp - the work that waits in queues -------------------------===//
#include "runtime/elastic/model/load/Backlog.h"
#include <algorithm>
#include <utility>

namespace sluice::elastic {

void Backlog::update(double now) {
  double before = std::exchange(seconds, now);
  drainedSeconds = before - seconds;
}

double Backlog::drainTime() const { return std::min(drainMost, seconds); }

/// By node: the seconds of work that one of its rows causes, in the node and all that it leads to.
static std::vector<double> workBelow(const LoadModel &load) {
  const Topology &topology = load.topology;
  const Profile &profile = load.profile();
  std::vector<double> below(topology.graph.nodes.size());
  for (auto at = topology.order.rbegin(); at != topology.order.rend(); ++at) {
    uint32_t v = *at;
    if (profile.nodes[v].rows <= 0)
      continue;
    below[v] = load.present().load[v] * profile.length / profile.nodes[v].rows;
    for (uint32_t w : topology.to[v]) {
      double arrived = 0;
      for (uint32_t u : topology.from[w])
        arrived += profile.nodes[u].rows;
      below[v] += below[w] * profile.nodes[w].rows / std::max(1.0, arrived);
    }
  }
  return below;
}

/// Rows in a batch of that node in the profile.
static double batchRows(const Profile &profile, uint32_t node) {
  const NodeSample &n = profile.nodes[node];
  return n.batches > 0 ? n.rows / n.batches : 0;
}

double backlogOf(const LoadModel &load, const Sample &sample) {
  std::vector<double> below = workBelow(load);
  double work = 0;
  for (uint32_t v = 0; v < below.size(); ++v)
    work += sample.nodes[v].depth * batchRows(load.profile(), v) * below[v];
  return work / std::max(1.0, load.processors());
}

double backlogAfter(const LoadModel &load, const Plan &plan, double seconds) {
  // Batches in a full queue: 16 at most, fewer where there are many queues.
  constexpr double kept = 8;
  const Topology &topology = load.topology;
  const Profile &profile = load.profile();
  const Costs &costs = load.present();
  std::vector<double> below = workBelow(load), called = costs.load;
  double room = 0, brought = 0, longest = 0;
  for (auto at = topology.order.rbegin(); at != topology.order.rend(); ++at) {
    uint32_t v = *at;
    if (plan.configuration.queued[v])
      room += kept * batchRows(profile, v) * below[v];
    else
      for (size_t i = 0; i < topology.from[v].size(); ++i)
        called[topology.from[v][i]] += costs.share[v][i] * called[v];
  }
  for (uint32_t s : topology.sources) { // as fast as a source is that only fills its queues
    brought += profile.nodes[s].rows / profile.length / std::max(called[s], 1e-3) * below[s];
    longest = std::max(longest, below[s]);
  }
  double left = std::min(room, std::max(0.0, brought - load.processors()) * seconds);
  if (double each = load.knowledge.machine.inFlight *
                    double(plan.configuration.threads + topology.sources.size()))
    left = std::min(left, each * longest * profile.sourceRows(topology) /
                              std::max(1.0, profile.sourceBatches(topology)));
  return left / std::max(1.0, load.processors());
}

} // namespace sluice::elastic
