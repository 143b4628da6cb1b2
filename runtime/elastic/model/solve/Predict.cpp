//===- Predict.cpp - how fast a configuration would be ---------------------===//
#include "runtime/elastic/model/solve/Solver.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::elastic {

namespace {
/// Work in seconds in a second, in two parts: what limited sources bring, and what grows with
/// speed. Of both the thread sleeps a part.
struct Work {
  double still = 0, grows = 0, stillSleep = 0, growingSleep = 0;
  void add(const Work &other, double factor = 1) {
    still += factor * other.still;
    grows += factor * other.grows;
    stillSleep += factor * other.stillSleep;
    growingSleep += factor * other.growingSleep;
  }
  /// `slower`: how much longer all takes that takes a processor.
  double at(double speed, double slower = 1) const {
    double sleep = stillSleep + speed * growingSleep;
    return slower * (still + speed * grows - sleep) + sleep;
  }
  Work onProcessor() const { return {still - stillSleep, grows - growingSleep}; }
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
  double places = 0;         // threads that there are for it
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
    Work running = all.onProcessor();
    double low = 0, high = std::min({speed, running.speedIn(room), all.speedIn(places)});
    speed = high;
    if (!slowdown.known() || !std::isfinite(high))
      return;
    for (int i = 0; i < 40; ++i) {
      double middle = i ? (low + high) / 2 : high;
      for (int k = 0; k < 4; ++k)
        slower = slowdown.at(std::min(room, slower * running.at(middle)));
      bool fits = longest.at(middle, slower) <= 1 + 1e-9 &&
                  slower * running.at(middle) <= room * (1 + 1e-9) &&
                  all.at(middle, slower) <= places * (1 + 1e-9);
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
  auto part = [&](double value, double sleep = 0) {
    double still = costs.fixed[v], grows = 1 - still;
    return Work{value * still, value * grows, sleep * still, sleep * grows};
  };
  Work below = calls.inside[v], &inside = calls.inside[v]; // so far what its callees added
  Work own = part(costs.loadOf(v, calls.queues), costs.wait[v]), handOff = part(costs.handOff[v]);
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
  calls.places = threadsInUse(configuration.threads);
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
    return calls.inside[v].at(calls.speed, calls.slower) /
           (configuration.queued[v] ? configuration.width[v] : 1);
  };
  Prediction result;
  result.speed = calls.speed;
  result.work = calls.slower * calls.all.onProcessor().at(calls.speed);
  result.ownWork = calls.slower * calls.own.onProcessor().at(calls.speed);
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

/// Threads that can be inside of calls. A limited source does not help.
double Solver::threadsInUse(uint32_t threads) const {
  double sources = 0;
  for (uint32_t s : topology.sources)
    sources += costs.limited[s] ? std::min(1.0, costs.load[s]) : 1;
  return sources + threads;
}

/// Processors that `threads` workers and the sources can use.
double Solver::capacity(uint32_t threads) const {
  return std::min(processors, threadsInUse(threads));
}

uint32_t Solver::threadsFor(const Configuration &configuration, bool help) const {
  // With no more threads than there is work for, each wait is lost, and losses add up.
  double headroom = help ? 1.1 : 1;
  Configuration most = configuration;
  most.threads = maxThreads;
  Prediction p = predict(most);
  double sources = help ? capacity(0) : p.ownWork;
  double asleep = sleepers(configuration);
  double need = std::max(0.0, std::ceil(headroom * p.work - sources - 0.02)) + asleep,
         useful = usefulThreads(configuration);
  // Sources that help use processors.
  double room = std::ceil(processors - (help ? sources : 0)) + asleep;
  return uint32_t(std::clamp(need, 1.0, std::clamp(room, 1.0, useful)));
}

uint32_t Solver::sleepers(const Configuration &configuration) const {
  constexpr double much = 0.05; // of what the region takes, and a tenth of it of all work
  if (allLoads <= stillWork + growingWork)
    return 0;
  std::vector<uint32_t> region = regions(configuration.queued);
  std::vector<double> asleep(region.size()), all(region.size());
  for (uint32_t v : topology.order) {
    asleep[region[v]] += costs.wait[v];
    all[region[v]] += costs.load[v];
  }
  uint32_t count = 0;
  for (uint32_t v : topology.order)
    if (configuration.queued[v] && asleep[v] > much * std::max(all[v], allLoads / 10))
      count += configuration.width[v];
  return count;
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
        std::min(running + spare, uint64_t(std::max(1.0, std::ceil(processors - capacity(0)))) +
                                      sleepers(configuration));
  else
    running += spare;
  return uint32_t(std::clamp<uint64_t>(running, 1, maxThreads));
}

} // namespace sluice::elastic
