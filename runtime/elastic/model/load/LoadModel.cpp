//===- LoadModel.cpp - what the present load costs -------------------------===//
#include "runtime/elastic/model/load/LoadModel.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

LoadModel::LoadModel(const ModelOptions &options, const Graph &graph, const Machine &machine)
    : graph(graph), topology(this->graph), knowledge(machine, graph.nodes.size()),
      cpus(options.cpus), maxThreads(std::max(1u, machine.maxThreads)) {}

void LoadModel::learn(const Profile &profile, const Configuration &configuration) {
  seen = profile;
  seenUnder = configuration;
  knowledge.learnBytes(seen);
  estimateAgain();
}

void LoadModel::estimateAgain() { costs = estimate(topology, seen, seenUnder, knowledge); }

Solver LoadModel::solver() const {
  return Solver(topology, costs, processors(), maxThreads, capped());
}

double LoadModel::processors() const {
  return cpus > 0 ? std::min(cpus, double(knowledge.machine.cpus)) : knowledge.machine.cpus;
}

bool LoadModel::capped() const { return cpus > 0 && cpus < knowledge.machine.cpus; }

uint32_t LoadModel::mostThreads() const {
  auto asleep = uint32_t(std::count_if(costs.wait.begin(), costs.wait.end(),
                                       [](double seconds) { return seconds > 0; }));
  return std::min(maxThreads, uint32_t(std::ceil(processors())) + asleep);
}

} // namespace sluice::elastic
