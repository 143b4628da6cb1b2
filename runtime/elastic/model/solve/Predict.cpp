//===- Predict.cpp - how fast a configuration would be ---------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::elastic {

namespace {
/// Work in seconds in a second, in two parts: what limited sources bring, and what grows with
/// speed.
struct Work {
  double still = 0, grows = 0;
  void add(const Work &other, double factor = 1) {
    still += factor * other.still;
    grows += factor * other.grows;
  }
  double at(double speed) const { return still + speed * grows; }
  /// The speed at which the work fills `room`.
  double speedIn(double room) const {
    return grows <= 0 ? std::numeric_limits<double>::infinity()
                      : std::max(0.0, room - still) / grows;
  }
};
} // namespace

struct Solver::Calls {
  std::vector<Work> inside;  // by node: its calls, with all that they call directly
  std::vector<Work> domains; // by domain: all that one thread at a time does in it
  Work all;                  // of all nodes
  Work own;                  // of the threads of sources, with what they call directly
  Work bytes;                // bytes a second through queues
  Work longest;              // of the region that bounds the speed
  double speed = std::numeric_limits<double>::infinity();
  double slower = 1; // the factor by which all work is slowed down at that speed
  uint32_t bottleneck = 0;
  bool queues = false; // Topology.h, hasQueues()

  void bound(const Work &work, uint32_t node) {
    if (double s = work.speedIn(1); s < speed)
      speed = s, bottleneck = node, longest = work;
  }
  /// Lowers the speed to what is left as all work slows down, and sets by what it does.
  void slow(const Slowdown &slowdown, double room) {
    double low = 0, high = std::min(speed, all.speedIn(room));
    speed = high;
    if (!slowdown.known() || !std::isfinite(high))
      return;
    for (int i = 0; i < 40; ++i) {
      double middle = i ? (low + high) / 2 : high;
      for (int k = 0; k < 4; ++k)
        slower = slowdown.at(std::min(room, slower * all.at(middle)));
      bool fits =
          slower * longest.at(middle) <= 1 + 1e-9 && slower * all.at(middle) <= room * (1 + 1e-9);
      (fits ? low : high) = middle;
      if (fits && !i)
        break;
    }
    speed = low;
  }
};

std::vector<uint32_t> Solver::regions(const std::vector<char> &queued) const {
  std::vector<uint32_t> region(topology.order.size());
  for (uint32_t v : topology.order) {
    ++counted;
    const std::vector<uint32_t> &from = topology.from[v];
    bool one = !queued[v] && !from.empty() &&
               std::all_of(from.begin(), from.end(),
                           [&](uint32_t u) { return region[u] == region[from[0]]; });
    region[v] = one ? region[from[0]] : v;
  }
  return region;
}

/// Adds the calls of `v` and what its callers pay for them. All that it calls was added before.
/// `collisions`: the speed at which direct callers meet each other.
void Solver::addCalls(const Configuration &configuration, const std::vector<uint32_t> &region,
                      double collisions, uint32_t v, Calls &calls) const {
  const std::vector<Node> &nodes = topology.graph.nodes;
  const std::vector<uint32_t> &from = topology.from[v];
  auto part = [&](double value) {
    return Work{value * costs.fixed[v], value * (1 - costs.fixed[v])};
  };
  Work below = calls.inside[v], &inside = calls.inside[v]; // so far what its callees added
  Work own = part(costs.loadOf(v, calls.queues)), handOff = part(costs.handOff[v]);
  calls.all.add(own);
  inside.add(own);
  bool queued = configuration.queued[v], source = nodes[v].source;
  if (!queued && !source && region[v] == v && from.size() > 1) {
    handOff.still *= std::min(1.0, inside.at(collisions));
    handOff.grows *= std::min(1.0, inside.at(collisions));
  } else if (!queued) {
    handOff = {};
  }
  if (queued)
    calls.bytes.add(part(costs.bytes[v]));
  calls.all.add(handOff);
  inside.add(handOff, 1 - costs.pushing);
  double width = queued ? configuration.width[v] : 1;
  Work each; // of the workers that run it at the same time
  each.add(inside, 1 / width);
  calls.bound(each, v);
  calls.bound(below, v);
  if (width == 1 && nodes[v].domain < calls.domains.size())
    calls.domains[nodes[v].domain].add(inside);
  if (source)
    calls.own.add(inside);
  for (size_t k = 0; k < from.size(); ++k) {
    uint32_t u = from[k];
    double share = costs.share[v][k];
    calls.inside[u].add(handOff, costs.pushing * share);
    if (queued)
      continue;
    calls.inside[u].add(inside, share);
    if (nodes[u].domain == nodes[v].domain && nodes[u].domain < calls.domains.size())
      calls.domains[nodes[u].domain].add(inside, -share); // the caller counts it
  }
}

/// What all calls take, and the speed that they allow.
Solver::Calls Solver::callsOf(const Configuration &configuration,
                              const std::vector<uint32_t> &region, double collisions) const {
  const std::vector<Node> &nodes = topology.graph.nodes;
  Calls calls;
  calls.queues = hasQueues(topology.graph, configuration);
  calls.inside.resize(nodes.size());
  calls.domains.resize(topology.graph.domains);
  for (auto i = topology.order.rbegin(); i != topology.order.rend(); ++i) {
    ++counted;
    addCalls(configuration, region, collisions, *i, calls);
  }
  for (uint32_t v : topology.order)
    if (nodes[v].domain < calls.domains.size() &&
        (!configuration.queued[v] || configuration.width[v] == 1))
      calls.bound(calls.domains[nodes[v].domain], v);
  calls.slow(costs.slowdown, capacity(configuration.threads));
  calls.speed = std::min(calls.speed, calls.bytes.speedIn(costs.mostBytes));
  return calls;
}

Prediction Solver::predict(const Configuration &configuration) const {
  std::vector<uint32_t> region = regions(configuration.queued);
  Calls calls = callsOf(configuration, region, 0);
  if (std::isfinite(calls.speed))
    calls = callsOf(configuration, region, calls.speed);
  if (!std::isfinite(calls.speed))
    calls.speed = 1;
  auto taken = [&](uint32_t v) { // seconds in a second of the region of `v`
    return calls.slower * calls.inside[v].at(calls.speed) /
           (configuration.queued[v] ? configuration.width[v] : 1);
  };
  Prediction result;
  result.speed = calls.speed;
  result.work = calls.slower * calls.all.at(calls.speed);
  result.ownWork = calls.slower * calls.own.at(calls.speed);
  result.bottleneck = calls.bottleneck;
  result.longest = taken(calls.bottleneck);
  double sum = 0, longest = 0, count = 0;
  for (uint32_t v : topology.order) {
    if (!configuration.queued[v] && !topology.graph.nodes[v].source)
      continue;
    sum += taken(v);
    longest = std::max(longest, taken(v));
    ++count;
  }
  result.even = longest > 0 ? sum / (count * longest) : 1;
  result.rate = costs.limitedRate + (costs.rate - costs.limitedRate) * calls.speed;
  return result;
}

/// Processors that `threads` workers and the sources can use. A limited source does not help.
double Solver::capacity(uint32_t threads) const {
  double sources = 0;
  for (uint32_t s : topology.sources)
    sources += costs.limited[s] ? std::min(1.0, costs.load[s]) : 1;
  return std::min(processors, sources + threads);
}

uint32_t Solver::threadsFor(const Configuration &configuration, bool help) const {
  // With no more threads than there is work for, each wait is lost, and losses add up.
  double headroom = help ? 1.1 : 1;
  Configuration most = configuration;
  most.threads = maxThreads;
  Prediction p = predict(most);
  double sources = help ? capacity(0) : p.ownWork;
  double need = std::ceil(headroom * p.work - sources - 0.02),
         useful = usefulThreads(configuration);
  double room = std::ceil(processors - (help ? sources : 0)); // sources that help use processors
  return uint32_t(std::clamp(need, 1.0, std::clamp(room, 1.0, useful)));
}

uint32_t Solver::usefulThreads(const Configuration &configuration) const {
  std::vector<uint32_t> region = regions(configuration.queued);
  uint64_t running = 0;
  for (uint32_t v = 0; v < topology.graph.nodes.size(); ++v) {
    bool meeting = !configuration.queued[v] && region[v] == v && topology.from[v].size() > 1;
    running += configuration.queued[v] ? configuration.width[v] : meeting;
  }
  uint64_t spare = running > 1; // one is awake while another one goes to sleep
  if (processors <= fewProcessors)
    running =
        std::min(running + spare, uint64_t(std::max(1.0, std::ceil(processors - capacity(0)))));
  else
    running += spare;
  return uint32_t(std::clamp<uint64_t>(running, 1, maxThreads));
}

} // namespace sluice::elastic
