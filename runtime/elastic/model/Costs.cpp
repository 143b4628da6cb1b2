//===- Costs.cpp - costs, shares and limits from samples ------------===//
#include "runtime/elastic/model/Costs.h"
#include <algorithm>
#include <numeric>

namespace sluice::elastic {

//===--- the graph ------------------------------------------------------------------===//

namespace {
/// Depth first without recursion: a pipeline may be thousands of nodes long.
struct DepthFirst {
  const Graph &graph;
  std::vector<char> state; // 0: not seen, 1: on the path, 2: done
  std::vector<uint32_t> finished;
  std::vector<std::vector<uint32_t>> forward; // edges that do not lead back into the path

  explicit DepthFirst(const Graph &graph)
      : graph(graph), state(graph.nodes.size()), forward(graph.nodes.size()) {
    for (uint32_t v = 0; v < graph.nodes.size(); ++v)
      if (graph.nodes[v].source)
        visit(v);
    for (uint32_t v = 0; v < graph.nodes.size(); ++v)
      visit(v);
  }
  void visit(uint32_t root) {
    if (state[root])
      return;
    std::vector<std::pair<uint32_t, size_t>> path{{root, 0}};
    state[root] = 1;
    while (!path.empty()) {
      auto &[v, next] = path.back();
      if (next == graph.nodes[v].to.size()) {
        state[v] = 2;
        finished.push_back(v);
        path.pop_back();
        continue;
      }
      uint32_t w = graph.nodes[v].to[next++];
      if (state[w] == 1)
        continue;
      forward[v].push_back(w);
      if (!state[w]) {
        state[w] = 1;
        path.emplace_back(w, 0);
      }
    }
  }
};
} // namespace

Topology::Topology(const Graph &graph) : graph(graph), from(graph.nodes.size()) {
  DepthFirst search(graph);
  order.assign(search.finished.rbegin(), search.finished.rend());
  to = std::move(search.forward);
  for (uint32_t v = 0; v < graph.nodes.size(); ++v) {
    std::sort(to[v].begin(), to[v].end());
    to[v].erase(std::unique(to[v].begin(), to[v].end()), to[v].end());
    for (uint32_t w : to[v])
      from[w].push_back(v);
    if (graph.nodes[v].source)
      sources.push_back(v);
  }
}

//===--- samples --------------------------------------------------------------------===//

void Profile::add(const Sample &sample) {
  nodes.resize(sample.nodes.size());
  length += sample.length;
  workers += sample.busy;
  idle += sample.idle;
  cpu += sample.cpu;
  others += sample.others;
  ++windows;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeSample &from = sample.nodes[i];
    nodes[i].rows += from.rows;
    nodes[i].batches += from.batches;
    nodes[i].bytes += from.bytes;
    nodes[i].queued += from.queued;
    nodes[i].busy +=
        std::max(0.0, from.busy); // differences of sampled clocks: a little below 0 at times
    nodes[i].blocked += from.blocked;
    nodes[i].depth = from.depth;
  }
}

double Profile::sourceBatches(const Topology &topology) const {
  double sum = 0;
  for (uint32_t s : topology.sources)
    sum += nodes[s].batches;
  // Sources that do not count batches: those of whom they call.
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

double Profile::onProcessor() const {
  double all = busy();
  return cpu > 0 && all > cpu ? cpu / all : 1;
}

void Knowledge::learnBytes(const Profile &profile) {
  for (size_t i = 0; i < bytesPerRow.size(); ++i) {
    const NodeSample &n = profile.nodes[i];
    if (n.queued > 0 && n.batches > 0 && n.rows > 0 && n.bytes > 0)
      bytesPerRow[i] = n.bytes / (n.rows * std::min(1.0, n.queued / n.batches));
  }
}

bool hasQueues(const Graph &graph, const Configuration &configuration) {
  for (size_t v = 0; v < graph.nodes.size(); ++v)
    if (configuration.queued[v] && graph.nodes[v].changeable)
      return true;
  return false;
}

double running(const Profile &profile) {
  return profile.busy() * profile.onProcessor() / profile.length;
}

//===--- slower together ------------------------------------------------------------===//

double Slowdown::at(double running) const {
  double below = 1, factor = 1; // nothing is slowed down alone
  for (const Level &level : levels) {
    if (running <= level.running)
      return factor + (level.factor - factor) * std::max(0.0, running - below) /
                          std::max(1e-9, level.running - below);
    below = level.running;
    factor = level.factor;
  }
  return factor;
}

void Slowdown::learn(double running, double factor) {
  constexpr size_t kept = 32;
  if (measured.size() == kept)
    measured.erase(measured.begin());
  measured.push_back({std::max(1.0, running), std::clamp(factor, 1.0, 8.0), 1});
  std::vector<Level> sorted = measured;
  std::sort(sorted.begin(), sorted.end(), [](const Level &a, const Level &b) {
    return a.running != b.running ? a.running < b.running : a.factor < b.factor;
  });
  levels.clear();
  for (Level next : sorted) { // what falls is noise: one mean for both
    for (; !levels.empty() && levels.back().factor >= next.factor; levels.pop_back()) {
      const Level &last = levels.back();
      double count = last.count + next.count;
      next = {(last.running * last.count + next.running * next.count) / count,
              (last.factor * last.count + next.factor * next.count) / count, count};
    }
    levels.push_back(next);
  }
}

//===--- costs ----------------------------------------------------------------------===//

double Costs::totalLoad() const { return std::accumulate(load.begin(), load.end(), 0.0); }

bool Costs::allLimited(const Topology &topology) const {
  return !topology.sources.empty() && std::all_of(topology.sources.begin(), topology.sources.end(),
                                                  [&](uint32_t s) { return limited[s]; });
}

/// What it takes to hand `n` over, by the machine's figures.
static double handOffSeconds(const Machine &machine, const NodeSample &n, double bytesPerRow) {
  return 1e-9 * (n.batches * machine.handOffNanos +
                 n.rows * (machine.rowNanos + bytesPerRow * machine.byteNanos));
}

/// How the rows of each node are shared out over its callers. Only a node's own rows are counted,
/// so for a merge we take it that callers send what they get.
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

/// The seconds in a second that the thread of each source spends on what it calls directly.
static std::vector<double> calledBy(const Topology &topology, const Costs &costs,
                                    const Configuration &configuration) {
  bool queues = hasQueues(topology.graph, configuration);
  std::vector<double> inside(costs.load);
  for (uint32_t v = 0; v < inside.size(); ++v)
    inside[v] = costs.loadOf(v, queues);
  for (auto v = topology.order.rbegin(); v != topology.order.rend(); ++v)
    if (!configuration.queued[*v])
      for (size_t i = 0; i < topology.from[*v].size(); ++i)
        inside[topology.from[*v][i]] += costs.share[*v][i] * inside[*v];
  return inside;
}

/// Whether anything holds sources back: somebody waits for space, or workers have hardly a moment
/// to themselves.
static bool pressure(const Topology &topology, const Profile &profile,
                     const Configuration &configuration) {
  bool queues = std::find(configuration.queued.begin(), configuration.queued.end(), 1) !=
                configuration.queued.end();
  double blocked = 0;
  for (size_t v = 0; v < profile.nodes.size(); ++v)
    blocked += topology.graph.nodes[v].source ? 0 : profile.nodes[v].blocked;
  return queues &&
         (blocked > 0.05 * profile.length || profile.idle < 0.1 * (profile.workers + profile.idle));
}

/// A source whose thread neither works, nor helps, nor waits for space for over a quarter of the
/// time waits for time or data, if nothing holds it back.
static void findLimited(const Topology &topology, const Profile &profile,
                        const Configuration &configuration, double busy, Costs &costs) {
  if (pressure(topology, profile, configuration))
    return;
  std::vector<double> inside = calledBy(topology, costs, configuration);
  double clock = 1 / profile.onProcessor(); // preempted is not waiting
  double own = 0, slack = 0;
  std::vector<double> slacks;
  for (uint32_t s : topology.sources) {
    own += inside[s] * clock;
    slacks.push_back(
        std::max(0.0, 1 - inside[s] * clock - profile.nodes[s].blocked / profile.length));
    slack += slacks.back();
  }
  // What nodes were busy beyond workers and calls: the sources' threads helped.
  double helped = std::max(0.0, (busy - profile.workers) / profile.length - own);
  for (size_t i = 0; i < slacks.size(); ++i) {
    uint32_t s = topology.sources[i];
    costs.limited[s] = slacks[i] - (slack > 0 ? helped * slacks[i] / slack : 0) > 0.25;
    costs.limitedRate += costs.limited[s] ? profile.nodes[s].rows / profile.length : 0;
  }
}

/// Which share of the rows of each node limited sources bring.
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
  double alone = profile.onProcessor() / knowledge.slowdown.at(running(profile)), busy = 0;
  for (size_t v = 0; v < count; ++v) {
    const NodeSample &n = profile.nodes[v];
    double bytes = knowledge.bytesPerRow[v] >= 0 ? knowledge.bytesPerRow[v]
                   : known > 0                   ? sum / known
                                                 : 0;
    costs.cold[v] = knowledge.cold[v] * n.rows / profile.length;
    costs.load[v] = std::max(0.0, n.busy * alone / profile.length - (queues ? costs.cold[v] : 0));
    costs.handOff[v] =
        knowledge.handOffFactor * handOffSeconds(knowledge.machine, n, bytes) / profile.length;
    costs.bytes[v] = n.rows * bytes / profile.length;
    busy += n.busy;
  }
  shareRows(topology, profile, costs);
  findLimited(topology, profile, configuration, busy, costs);
  spreadLimits(topology, costs);
  return costs;
}

} // namespace sluice::elastic
