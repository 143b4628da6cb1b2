//===- Reading.cpp - what a sample shows -----------------------------------===//
#include "runtime/elastic/model/load/Reading.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

/// The work done in the upper and the lower half of the graph, in rows a second of the sources. The
/// halves differ while queues fill or drain.
struct Reading::Halves {
  double upper = 0, lower = 0, both = 0;
};

Reading::Halves Reading::halves() const {
  const Profile &profile = load.profile();
  const Costs &costs = load.present();
  double all = costs.totalLoad(), done[2] = {0, 0}, due[2] = {0, 0}, seen = 0;
  for (uint32_t v : load.topology.order) {
    if (profile.nodes[v].rows <= 0)
      continue;
    size_t half = seen > all / 2;
    seen += costs.load[v];
    due[half] += costs.load[v];
    done[half] += costs.load[v] * (sample.nodes[v].rows / sample.length) /
                  (profile.nodes[v].rows / profile.length);
  }
  Halves result;
  result.upper = due[0] > 0 ? costs.rate * done[0] / due[0] : 0;
  result.lower = due[1] > 0 ? costs.rate * done[1] / due[1] : result.upper;
  result.both = due[0] + due[1] > 0 ? costs.rate * (done[0] + done[1]) / (due[0] + due[1]) : 0;
  return result;
}

/// The share by which halves may differ without filling or draining: a batch more or less at the
/// ends of the interval.
double Reading::unevenness() const {
  Profile one(sample);
  return 0.15 + 3 / std::max(1.0, one.sourceBatches(load.topology));
}

bool Reading::draining() const {
  Halves h = halves();
  return h.lower - h.upper > unevenness() * h.lower;
}

bool Reading::uneven() const {
  Halves h = halves();
  return std::abs(h.lower - h.upper) > unevenness() * std::max(h.lower, h.upper);
}

bool Reading::othersBusy() const {
  const Profile &profile = load.profile();
  return sample.others > (0.3 + 1.5 * profile.others / profile.length) * sample.length;
}

/// Rows a second of the sources at which the busiest region has all its time. One thread at a time
/// is inside a region.
double Reading::busiestAllows() const {
  const Costs &costs = load.present();
  std::vector<uint32_t> region = load.solver().regions(set.queued);
  std::vector<double> taken(region.size());
  bool queues = hasQueues(load.graph, set);
  for (uint32_t v : load.topology.order)
    taken[region[v]] += costs.loadOf(v, queues) / set.width[region[v]];
  return costs.rate / std::max(1e-12, *std::max_element(taken.begin(), taken.end()));
}

double Reading::rate() const {
  if (load.topology.sources.size() != 1)
    return sample.throughput(load.graph);
  Halves h = halves();
  // While queues fill, more is done before the busiest region than it can take for long.
  bool filling = h.upper - h.lower > unevenness() * h.upper;
  return filling ? std::min(h.both, busiestAllows()) : h.both;
}

double Reading::rowCost() const {
  Profile one(sample);
  double rows = load.present().rate > 0 && load.topology.sources.size() == 1
                    ? halves().both * sample.length
                    : one.sourceRows(load.topology);
  return one.work() / std::max(1.0, rows);
}

double Reading::latency() const {
  if (sample.latency >= 0)
    return sample.latency;
  std::vector<double> until(load.graph.nodes.size());
  double longest = 0;
  for (uint32_t v : load.topology.order) {
    for (uint32_t u : load.topology.from[v])
      until[v] = std::max(until[v], until[u]);
    const NodeSample &n = sample.nodes[v];
    if (n.batches > 0)
      until[v] += n.depth * sample.length / n.batches;
    longest = std::max(longest, until[v]);
  }
  return longest;
}

} // namespace sluice::elastic
