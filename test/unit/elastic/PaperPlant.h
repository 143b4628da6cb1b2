//===- PaperPlant.h - a pipeline in closed form -----------------*- C++ -*-===//
//
// What a chain of operators gives for a set of queues and a number of workers, as a
// formula: no time, no chance but a fixed sequence of noise. Drives a policy as adapt/
// does and keeps what it decided.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic::testing {

struct Pipeline {
  std::vector<double> costs; // seconds a row; [0] is the source's
  double queueCost = 1e-7;   // of a row through a ring
  uint32_t cpus = 8;         // workers beyond these (and the source) add nothing
  double perWorker = 0.002;  // each worker slows all by this share
  double noise = 0.01;       // at most, up or down
  double offered = 1e300;    // rows per second that the source has

  Graph graph() const {
    Graph result;
    for (uint32_t i = 0; i < costs.size(); ++i) {
      Node node;
      node.name = i ? "Work_" + std::to_string(i) : "Source";
      node.domain = i;
      node.source = i == 0;
      node.changeable = i != 0;
      if (i + 1 < costs.size())
        node.to = {i + 1};
      result.nodes.push_back(node);
    }
    result.domains = uint32_t(costs.size());
    return result;
  }

  /// Rows per second: the slowest region, or what all workers manage together.
  double throughput(const Configuration &c) const {
    double slowest = 0, region = costs[0], work = 0;
    for (size_t i = 1; i <= costs.size(); ++i) {
      if (i == costs.size() || c.queued[i]) {
        slowest = std::max(slowest, region);
        region = 0;
      }
      if (i == costs.size())
        break;
      region += costs[i] + (c.queued[i] ? queueCost : 0);
      bool behindQueue = std::find(c.queued.begin(), c.queued.begin() + long(i) + 1, 1) !=
                         c.queued.begin() + long(i) + 1;
      work += behindQueue ? costs[i] + (c.queued[i] ? queueCost : 0) : 0;
    }
    double rate = 1 / slowest;
    if (work > 0)
      rate = std::min(rate, std::min(c.threads, cpus) / work);
    return std::min(offered, rate / (1 + perWorker * c.threads));
  }
};

/// Between -1 and 1; the same for the same n.
inline double noiseOf(uint64_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return double(z >> 11) / double(1ull << 52) - 1;
}

class Experiment {
public:
  Experiment(Pipeline pipeline, const char *policy, const Constants &constants, uint32_t maxThreads)
      : pipeline(std::move(pipeline)), graph(this->pipeline.graph()),
        now(initialConfiguration(graph)) {
    Machine machine;
    machine.cpus = this->pipeline.cpus;
    machine.maxThreads = maxThreads;
    made = makePolicy(policy, constants, graph, machine, now, error);
    if (made)
      carryOut(made->begin());
  }

  Sample measure() {
    Sample sample;
    sample.time = time;
    sample.length = decisions.back().interval;
    double rate = pipeline.throughput(now) * (1 + pipeline.noise * noiseOf(samples));
    for (double cost : pipeline.costs) {
      NodeSample node;
      node.rows = rate * sample.length;
      node.busy = node.rows * cost;
      sample.nodes.push_back(node);
    }
    return sample;
  }

  const Decision &step() {
    time += decisions.back().warmUp + decisions.back().interval;
    Sample sample = measure();
    ++samples;
    carryOut(made->step(sample));
    return decisions.back();
  }

  /// Until it has settled; false: not within so many samples.
  bool settle(size_t most) {
    for (size_t i = 0; i < most; ++i)
      if (step().kind == Kind::Settled)
        return true;
    return false;
  }

  /// How many of the next samples led to a change.
  size_t changesIn(size_t count) {
    size_t changes = 0;
    for (size_t i = 0; i < count; ++i)
      changes += step().changes();
    return changes;
  }

  uint32_t queues() const { return uint32_t(std::count(now.queued.begin(), now.queued.end(), 1)); }
  size_t trials() const {
    return size_t(std::count_if(decisions.begin(), decisions.end(),
                                [](const Decision &d) { return d.changes(); }));
  }

  Pipeline pipeline;
  Graph graph;
  Configuration now;
  std::string error;
  std::unique_ptr<Policy> made;
  std::vector<Decision> decisions;
  double time = 0;
  uint64_t samples = 0;

private:
  void carryOut(Decision decision) {
    for (size_t i = 0; i < decision.queues.size(); ++i) {
      auto [node, queued] = decision.queues[i];
      faults += !graph.nodes[node].changeable || now.queued[node] == char(queued) ||
                (i && decision.queues[i - 1].first >= node);
    }
    faults += decision.reason.empty() || (decision.threads && *decision.threads == now.threads);
    apply(decision, now);
    decisions.push_back(std::move(decision));
  }

public:
  size_t faults = 0; // changes that change nothing or may not be
};

inline Pipeline equalCosts(size_t operators, double cost) {
  Pipeline result;
  result.costs.assign(operators + 1, cost);
  result.costs[0] = cost / 10;
  return result;
}

} // namespace sluice::elastic::testing
