//===- ModelPlant.h - a closed-form program for tests of policies -*- C++ -*-===//
//
// A program whose rate is a formula: regions of nodes that are called directly, each
// run by one thread at a time, and processors that all share. Written apart from the
// policy's own model: it goes from the sources down and knows no hand-off but the true
// one. Noise is seeded. Rows are one for one, so loads are seconds a source row.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace sluice::elastic {

/// Where the machine has put our processors, for so many seconds on the average: what a hand-off
/// takes there, and how many processors' work they do where something is queued.
struct Place {
  double handOff, cpus, seconds;
};

struct Plant {
  Graph graph;
  std::vector<double> cost;  // by node: seconds a row that it gets
  std::vector<double> share; // by node: rows a source row
  double handOff = 50e-9;    // of a batch
  double pushing = 0.5;      // the producers' part of it
  bool pushSeen = false;     // in their busy times; else all is in the consumer's
  double rowsPerBatch = 64;
  double bytesPerRow = 16;
  double following =
      0; // what it brings that workers follow a batch through its queues, where all are: a share
  std::vector<double> cold; // by node: seconds a row in addition if anything is queued; empty: none
  std::vector<double> sleep; // by node: seconds a row that it sleeps, on no processor; empty: none
  double depth = 0;          // batches that each queue holds
  uint32_t cpus = 2;
  double noise = 0; // standard deviation of an interval's rate
  double dips = 0;  // share of intervals in which a neighbour takes 30 %
  double halts = 0; // share of intervals after which others have all processors for four times as
                    // long, before it ends
  double queueLatency = -1;  // seconds that each queue adds; below 0: not measured
  double limit = 0;          // rows a second that sources are given; 0: as many as can be
  double fresh = 0;          // seconds of queues in which they bring 40 % more than later
  std::vector<Place> places; // that take turns at random; none: always the same
  size_t place = 0;
  double placeEnds = 0;
  const Configuration *fixed = nullptr; // with which it would do `fixedRows` while it does `rows`
  double rows = 0, fixedRows = 0;
  double time = 0;
  uint64_t seed = 1;

  /// Each node that sleeps brings a worker.
  Machine machine() const {
    auto sleepers = std::count_if(sleep.begin(), sleep.end(), [](double s) { return s > 0; });
    return {cpus, cpus + uint32_t(sleepers), 50, 0, 0, 17000};
  }

  //===--- the formula ---------------------------------------------------------------===//

  /// The hand-off of node v in seconds a source row.
  double queueCost(uint32_t v) const { return share[v] / rowsPerBatch * handOff; }

  double coldCost(uint32_t v, const Configuration &c) const {
    return !cold.empty() && std::count(c.queued.begin(), c.queued.end(), 1) ? cold[v] : 0;
  }

  /// Seconds a source row that node v sleeps, and that all do.
  double sleepOf(uint32_t v) const { return sleep.empty() ? 0 : sleep[v] * share[v]; }
  double asleep() const {
    double sum = 0;
    for (uint32_t v = 0; v < graph.nodes.size(); ++v)
      sum += sleepOf(v);
    return sum;
  }

  /// Seconds a source row of the busiest region, sleep included, and of all on processors.
  std::pair<double, double> loads(const Configuration &c) const {
    size_t n = graph.nodes.size();
    std::vector<std::vector<uint32_t>> from(n);
    for (uint32_t v = 0; v < n; ++v)
      for (uint32_t w : graph.nodes[v].to)
        from[w].push_back(v);
    // Nodes are numbered callers first. parts[v]: regions that run v, with which share of it.
    std::vector<std::vector<std::pair<uint32_t, double>>> parts(n);
    std::vector<double> region(n), node(n);
    double all = 0;
    for (uint32_t v = 0; v < n; ++v) {
      double own = (cost[v] + coldCost(v, c)) * share[v], q = c.queued[v] ? queueCost(v) : 0;
      if (graph.nodes[v].source || c.queued[v])
        parts[v] = {{v, 1}};
      else
        for (uint32_t u : from[v])
          for (auto [r, s] : parts[u]) {
            double add = s / double(from[v].size());
            auto known = std::find_if(parts[v].begin(), parts[v].end(),
                                      [&, r = r](auto &p) { return p.first == r; });
            if (known == parts[v].end())
              parts[v].emplace_back(r, add);
            else
              known->second += add;
          }
      if (parts[v].size() > 1) // regions meet: who comes second appends
        q += queueCost(v) * 0.5;
      for (uint32_t u : from[v])
        for (auto [r, s] : parts[u])
          region[r] += q * pushing * s / double(from[v].size());
      for (auto [r, s] : parts[v])
        region[r] += (own + sleepOf(v) + q * (1 - pushing)) * s;
      node[v] = own + sleepOf(v);
      all += own + q;
    }
    double longest = 0;
    for (uint32_t v = 0; v < n; ++v) {
      longest = std::max(longest, region[v] / (c.queued[v] ? c.width[v] : 1));
      longest = std::max(longest, node[v] / (c.queued[v] ? c.width[v] : 1));
    }
    return {longest, all};
  }

  double sources() const {
    return double(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                [](const Node &n) { return n.source; }));
  }

  double rate(const Configuration &c) const {
    auto [longest, all] = loads(c);
    double most =
        std::min({double(cpus) / all, (sources() + c.threads) / (all + asleep()), 1 / longest});
    bool everywhere = double(std::count(c.queued.begin(), c.queued.end(), 0)) == sources();
    most *= everywhere ? 1 + following : 1;
    return limit > 0 ? std::min(limit, most) : most;
  }

  //===--- places ------------------------------------------------------------------===//

  double rateAt(const Place &where, const Configuration &c) const {
    Plant there = *this;
    there.places.clear();
    there.handOff = where.handOff;
    bool queues = std::count(c.queued.begin(), c.queued.end(), 1);
    auto [longest, all] = there.loads(c);
    return std::min((queues ? where.cpus : 1) / all, 1 / longest);
  }

  /// In the long run.
  double meanRate(const Configuration &c) const {
    double sum = 0, seconds = 0;
    for (const Place &p : places)
      sum += p.seconds * rateAt(p, c), seconds += p.seconds;
    return sum / seconds;
  }

  /// From `begin` on for `length` seconds.
  double rateMoving(const Configuration &c, double begin, double length) {
    double before = rows;
    for (double at = begin; at < begin + length;) {
      for (; placeEnds <= at; placeEnds += -places[place].seconds * std::log(1 - uniform()))
        place = places.size() < 2
                    ? 0
                    : (place + 1 + size_t(uniform() * double(places.size() - 1))) % places.size();
      double until = std::min(placeEnds, begin + length);
      rows += (until - at) * rateAt(places[place], c);
      fixedRows += fixed ? (until - at) * rateAt(places[place], *fixed) : 0;
      at = until;
    }
    return (rows - before) / length;
  }

  //===--- measuring ---------------------------------------------------------------===//

  double uniform() {
    seed += 0x9e3779b97f4a7c15;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum;
  }

  Sample measure(const Configuration &c, const Decision &d) {
    Sample s;
    s.length = d.interval;
    time += d.warmUp + d.interval;
    s.time = time;
    double slow = std::exp(noise * normal());
    if (uniform() < dips)
      slow *= 0.7;
    double real = places.empty() ? rate(c) : rateMoving(c, time - d.interval, d.interval),
           full = real;
    if (fresh > 0 && std::count(c.queued.begin(), c.queued.end(), 1)) {
      fresh -= d.warmUp + d.interval;
      slow *= 1.4;
    }
    if (limit > 0)
      full = std::min(limit, rate(c) * slow), slow = full / real;
    else
      full = real * slow;
    double stretch = limit > 0 ? 1 : 1 / slow; // what a slow interval does to busy times
    double rows = full * s.length, busy = 0, inside = 0, own = 0;
    std::vector<double> pushes(
        graph.nodes.size()); // seconds a source row; one caller each, where it is seen
    for (uint32_t v = 0; v < graph.nodes.size() && pushSeen; ++v)
      for (uint32_t w : graph.nodes[v].to)
        pushes[v] += c.queued[w] ? pushing * queueCost(w) : 0;
    for (uint32_t v = 0; v < graph.nodes.size(); ++v) {
      NodeSample n;
      n.rows = rows * share[v];
      n.batches = n.rows / rowsPerBatch;
      n.queued = c.queued[v] ? n.batches : 0;
      n.depth = c.queued[v] ? depth : 0;
      n.bytes = n.queued * rowsPerBatch * bytesPerRow;
      n.busy = rows * stretch *
               ((cost[v] + coldCost(v, c)) * share[v] + pushes[v] +
                (c.queued[v] ? queueCost(v) * (pushSeen ? 1 - pushing : 1) : 0)) *
               std::exp(noise * normal());
      n.waited = rows * sleepOf(v);
      busy += n.busy;
      inside += n.inside();
      s.nodes.push_back(n);
    }
    // Threads of the sources take what they can, the workers the rest; with enough rows none of
    // them waits long.
    own = limit > 0 ? std::min(inside, sources() * s.length * 0.999)
                    : std::min(inside, sources() * s.length);
    if (std::any_of(c.queued.begin(), c.queued.end(), [](char q) { return q; }) && limit > 0)
      own = std::min(own, inside / 2);
    s.busy = inside - own;
    s.idle = limit > 0 ? std::max(0.0, c.threads * s.length - s.busy) : 0;
    s.cpu = busy;
    if (halts > 0 && uniform() < halts) {
      s.others = 4 * d.interval * cpus;
      s.length += 4 * d.interval;
      s.time = time += 4 * d.interval;
    }
    if (queueLatency >= 0)
      s.latency = queueLatency * double(std::count(c.queued.begin(), c.queued.end(), 1));
    if (limit == 0)
      for (uint32_t v = 0; v < graph.nodes.size(); ++v)
        if (graph.nodes[v].source)
          s.nodes[v].blocked = std::max(0.0, s.length - own / sources());
    return s;
  }
};

/// Source, `costs` in a chain. Seconds a row.
inline Plant pipeline(const std::vector<double> &costs, uint32_t cpus) {
  Plant plant;
  plant.cpus = cpus;
  plant.graph.domains = uint32_t(costs.size()) + 1;
  plant.graph.nodes.push_back({"Source", 0, true, false, false, 1, {1}});
  plant.cost.push_back(10e-9);
  for (uint32_t i = 1; i <= costs.size(); ++i) {
    plant.graph.nodes.push_back({"Op" + std::to_string(i), i, false, true, false, 1, {}});
    if (i < costs.size())
      plant.graph.nodes[i].to = {i + 1};
    plant.cost.push_back(costs[i - 1]);
  }
  plant.share.assign(plant.cost.size(), 1);
  return plant;
}

/// Levels of nodes; each row passes one node of a level.
inline Plant levels(const std::vector<uint32_t> &widths, double cost, uint32_t cpus) {
  Plant plant;
  plant.cpus = cpus;
  plant.graph.nodes.push_back({"Source", 0, true, false, false, 1, {}});
  plant.cost = {10e-9};
  plant.share = {1};
  uint32_t before = 0, count = 1;
  for (uint32_t width : widths) {
    uint32_t first = uint32_t(plant.graph.nodes.size());
    for (uint32_t i = 0; i < width; ++i) {
      plant.graph.nodes.push_back(
          {"Op" + std::to_string(first + i), first + i, false, true, false, 1, {}});
      plant.cost.push_back(cost);
      plant.share.push_back(1.0 / width);
    }
    uint32_t edges = std::max(width, count);
    for (uint32_t i = 0; i < edges; ++i)
      plant.graph.nodes[before + i * count / edges].to.push_back(first + i * width / edges);
    before = first, count = width;
  }
  plant.graph.domains = uint32_t(plant.graph.nodes.size());
  return plant;
}

/// The best rate that any cuts and number of threads bring a chain: for each bound the fewest cuts,
/// by trying all bounds there are (sums of runs of nodes).
inline double bestOfPipeline(const Plant &plant) {
  Configuration c = initialConfiguration(plant.graph);
  c.threads = plant.cpus;
  double best = plant.rate(c), total = plant.loads(c).second;
  for (double bound = total; bound > total / 1000; bound *= 0.995) {
    std::fill(c.queued.begin(), c.queued.end(), 0);
    double run = plant.cost[0];
    for (uint32_t v = 1; v < plant.cost.size(); ++v) {
      run += plant.cost[v];
      if (run > bound && plant.graph.nodes[v].changeable) {
        c.queued[v] = 1;
        run = plant.cost[v];
      }
    }
    best = std::max(best, plant.rate(c));
  }
  return best;
}

/// Any graph: the best that single changes lead to, from all direct and from all queued.
inline double bestByClimbing(const Plant &plant) {
  double best = 0;
  for (bool queued : {false, true}) {
    Configuration c = initialConfiguration(plant.graph);
    c.threads = plant.cpus;
    for (uint32_t v = 0; v < c.queued.size(); ++v)
      c.queued[v] = queued && plant.graph.nodes[v].changeable;
    double now = plant.rate(c);
    for (bool better = true; better;) {
      better = false;
      for (uint32_t v = 0; v < c.queued.size(); ++v) {
        if (!plant.graph.nodes[v].changeable)
          continue;
        c.queued[v] = !c.queued[v];
        double then = plant.rate(c);
        if (then > now * 1.0001)
          now = then, better = true;
        else
          c.queued[v] = !c.queued[v];
      }
    }
    best = std::max(best, now);
  }
  return best;
}

/// A policy that runs a plant until it has settled, or for `intervals`.
struct Session {
  std::unique_ptr<Policy> policy;
  Configuration configuration;
  Decision last;
  double settledAt = -1;
  uint32_t intervals = 0, changes = 0;
  std::vector<Decision> decisions;

  Session(Plant &plant, const Constants &constants = {}, const char *name = "model") {
    configuration = initialConfiguration(plant.graph);
    std::string error;
    policy = makePolicy(name, constants, plant.graph, plant.machine(), configuration, error);
    if (policy)
      last = policy->begin();
    apply(last, configuration);
  }
  /// `otherwise` changes what the policy is shown.
  void step(Plant &plant, const std::function<void(Sample &)> &otherwise = {}) {
    Sample sample = plant.measure(configuration, last);
    if (otherwise)
      otherwise(sample);
    last = policy->step(sample);
    apply(last, configuration);
    decisions.push_back(last);
    ++intervals;
    changes += last.changes();
    if (last.kind == Kind::Settled)
      settledAt = plant.time;
  }
  void settle(Plant &plant, uint32_t most = 500) {
    settledAt = -1;
    for (uint32_t i = 0; i < most && settledAt < 0; ++i)
      step(plant);
  }
};

} // namespace sluice::elastic
