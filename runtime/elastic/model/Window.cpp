//===- Window.cpp - what a window shows -----------------------------===//
//
// Rates, the work of a row, what waits in queues and how long it takes to get through.
// Queues fill and drain for long where batches are slow, so a rate is the work that was
// done, not what went in or came out.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

namespace {
/// Work done in the upper and lower half of the graph, in rows of the sources: they differ while
/// queues fill or drain.
struct Halves {
  double upper = 0, lower = 0, both = 0;
};
} // namespace

static Halves halves(const Topology &topology, const Profile &profile, const Costs &costs,
                     const Sample &sample) {
  double all = costs.totalLoad(), done[2] = {0, 0}, due[2] = {0, 0}, seen = 0;
  for (uint32_t v : topology.order) {
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

/// A batch more or less at the ends of the window is neither filling nor draining.
double ModelPolicy::unevenness(const Sample &sample) const {
  Profile one(sample);
  return 0.15 + 3 / std::max(1.0, one.sourceBatches(topology));
}

/// Whether what the queues of another configuration still hold is worked off.
bool ModelPolicy::draining(const Sample &sample) const {
  Halves h = halves(topology, profile, costs, sample);
  return h.lower - h.upper > unevenness(sample) * h.lower;
}

/// Whether the profile is of the load before the change as well: by it, what is set does not do as
/// much before its queues as behind them. False if there is no time to measure it again.
bool ModelPolicy::ofBothLoads(const Sample &sample) const {
  if (!changed || contests != 1 || contest->windows() || applied != profiled ||
      sample.time > began + options.resettle / 2)
    return false;
  Halves h = halves(topology, profile, costs, sample);
  return std::abs(h.lower - h.upper) > unevenness(sample) * std::max(h.lower, h.upper);
}

/// Far more of the processors than in the profile: the rate is not what is set gives.
bool ModelPolicy::othersBusy(const Sample &sample) const {
  return sample.others > (0.3 + 1.5 * profile.others / profile.length) * sample.length;
}

/// Rows a second of the sources at which the busiest region has all its time: one thread at a time
/// is inside.
double ModelPolicy::busiestAllows() const {
  std::vector<uint32_t> region = solver().regions(applied.queued);
  std::vector<double> taken(region.size());
  bool queues = hasQueues(graph, applied);
  for (uint32_t v : topology.order)
    taken[region[v]] += costs.loadOf(v, queues) / applied.width[region[v]];
  return costs.rate / std::max(1e-12, *std::max_element(taken.begin(), taken.end()));
}

/// Rows a second of the sources, by the work that was done: what is in a queue is not done, and
/// what was does not count. While queues fill, more is done before the busiest region than it can
/// take for long. With several sources, whose rates may part, what they submit.
double ModelPolicy::rateOf(const Sample &sample) const {
  if (topology.sources.size() != 1)
    return sample.throughput(graph);
  Halves h = halves(topology, profile, costs, sample);
  bool filling = h.upper - h.lower > unevenness(sample) * h.upper;
  return filling ? std::min(h.both, busiestAllows()) : h.both;
}

/// Seconds of work for a row of the sources.
double ModelPolicy::rowCost(const Sample &sample) const {
  Profile one(sample);
  double rows = costs.rate > 0 && topology.sources.size() == 1
                    ? halves(topology, profile, costs, sample).both * sample.length
                    : one.sourceRows(topology);
  return one.busy() * one.onProcessor() / std::max(1.0, rows);
}

/// By node: the seconds of work that a row causes from there on.
std::vector<double> ModelPolicy::workBelow() const {
  std::vector<double> below(graph.nodes.size());
  for (auto at = topology.order.rbegin(); at != topology.order.rend(); ++at) {
    uint32_t v = *at;
    if (profile.nodes[v].rows <= 0)
      continue;
    below[v] = costs.load[v] * profile.length / profile.nodes[v].rows;
    for (uint32_t w : topology.to[v]) {
      double arrived = 0;
      for (uint32_t u : topology.from[w])
        arrived += profile.nodes[u].rows;
      below[v] += below[w] * profile.nodes[w].rows / std::max(1.0, arrived);
    }
  }
  return below;
}

/// Rows in a batch there, as it was in the profile.
double ModelPolicy::batchRows(uint32_t node) const {
  const NodeSample &n = profile.nodes[node];
  return n.batches > 0 ? n.rows / n.batches : 0;
}

/// Seconds until what waits in queues has gone all its way, all processors at it.
double ModelPolicy::backlogOf(const Sample &sample) const {
  std::vector<double> below = workBelow();
  double work = 0;
  for (uint32_t v = 0; v < below.size(); ++v)
    work += sample.nodes[v].depth * batchRows(v) * below[v];
  return work / std::max(1.0, processors());
}

/// The backlog that a window of `plan` would leave: what the sources bring until all queues are
/// full or as much is in flight as they let be (runtime/exec), at most.
double ModelPolicy::backlogAfter(const Plan &plan) const {
  constexpr double kept =
      8; // batches in a queue that is full: 16 at most, fewer where there are many queues
  std::vector<double> below = workBelow(), called = costs.load;
  double room = 0, brought = 0, longest = 0;
  for (auto at = topology.order.rbegin(); at != topology.order.rend(); ++at) {
    uint32_t v = *at;
    if (plan.configuration.queued[v])
      room += kept * batchRows(v) * below[v];
    else
      for (size_t i = 0; i < topology.from[v].size(); ++i)
        called[topology.from[v][i]] += costs.share[v][i] * called[v];
  }
  for (uint32_t s : topology.sources) // as fast as a source is that only fills its queues
    brought += profile.nodes[s].rows / profile.length / std::max(called[s], 1e-3) * below[s];
  for (uint32_t s : topology.sources)
    longest = std::max(longest, below[s]);
  double left = std::min(room, std::max(0.0, brought - processors()) *
                                   (warmUp + windowOf(plan.predicted.rate)));
  if (double each =
          knowledge.machine.inFlight * double(plan.configuration.threads + topology.sources.size()))
    left = std::min(left, each * longest * profile.sourceRows(topology) /
                              std::max(1.0, profile.sourceBatches(topology)));
  return left / std::max(1.0, processors());
}

/// As measured; else the longest way through the queues, by what is in them and how fast they are
/// emptied (Little).
double ModelPolicy::latencyOf(const Sample &sample) const {
  if (sample.latency >= 0)
    return sample.latency;
  std::vector<double> until(graph.nodes.size());
  double longest = 0;
  for (uint32_t v : topology.order) {
    for (uint32_t u : topology.from[v])
      until[v] = std::max(until[v], until[u]);
    const NodeSample &n = sample.nodes[v];
    if (n.batches > 0)
      until[v] += n.depth * sample.length / n.batches;
    longest = std::max(longest, until[v]);
  }
  return longest;
}

} // namespace sluice::elastic
