//===- Profile.cpp - the sum of samples of one configuration ---------------===//
#include "runtime/elastic/model/costs/Profile.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::elastic {

void Profile::add(const Sample &sample) {
  nodes.resize(sample.nodes.size());
  length += sample.length;
  workers += sample.busy;
  idle += sample.idle;
  cpu += sample.cpu;
  others += sample.others;
  ++intervals;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeSample &from = sample.nodes[i];
    nodes[i].rows += from.rows;
    nodes[i].batches += from.batches;
    nodes[i].bytes += from.bytes;
    nodes[i].queued += from.queued;
    // A difference of sampled clocks may be a little below 0.
    nodes[i].busy += std::max(0.0, from.busy);
    nodes[i].waited += from.waited;
    nodes[i].blocked += from.blocked;
    nodes[i].depth = from.depth;
  }
}

double Profile::sourceBatches(const Topology &topology) const {
  double sum = 0;
  for (uint32_t s : topology.sources)
    sum += nodes[s].batches;
  // A source that counts no batches has those that its callees count.
  for (uint32_t s : topology.sources)
    if (nodes[s].batches == 0)
      for (uint32_t v : topology.to[s])
        sum += nodes[v].batches;
  return sum;
}

double Profile::sourceRows(const Topology &topology) const {
  double sum = 0;
  for (uint32_t s : topology.sources)
    sum += nodes[s].rows;
  return sum;
}

double Profile::busy() const {
  return std::accumulate(nodes.begin(), nodes.end(), 0.0,
                         [](double sum, const NodeSample &n) { return sum + n.busy; });
}

double Profile::work() const {
  return std::accumulate(nodes.begin(), nodes.end(), busy() * onProcessor(),
                         [](double sum, const NodeSample &n) { return sum + n.waited; });
}

double Profile::onProcessor() const {
  double all = busy();
  return cpu > 0 && all > cpu ? cpu / all : 1;
}

double running(const Profile &profile) {
  return profile.busy() * profile.onProcessor() / profile.length;
}

bool timesKnown(const Profile &profile, const Profile &before) {
  for (size_t v = 0; v < profile.nodes.size(); ++v)
    if (profile.nodes[v].rows > 0 && profile.nodes[v].inside() <= 0 && before.nodes[v].inside() > 0)
      return false;
  return true;
}

double distance(const Profile &a, const Profile &b) {
  auto inside = [](const Profile &p) {
    return std::accumulate(p.nodes.begin(), p.nodes.end(), 0.0,
                           [](double sum, const NodeSample &n) { return sum + n.inside(); });
  };
  double allA = std::max(1e-12, inside(a)), allB = std::max(1e-12, inside(b)), sum = 0;
  for (size_t v = 0; v < std::min(a.nodes.size(), b.nodes.size()); ++v)
    sum += std::abs(a.nodes[v].inside() / allA - b.nodes[v].inside() / allB);
  return sum / 2;
}

} // namespace sluice::elastic
