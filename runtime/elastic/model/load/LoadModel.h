//===- LoadModel.h - what the present load costs -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/ModelOptions.h"
#include "runtime/elastic/model/costs/Costs.h"
#include "runtime/elastic/model/solve/Solver.h"

namespace sluice::elastic {

/// What the policy knows of the program and its present load: the profile that costs are estimated
/// from, what was learnt over the whole run, and the limits of the machine.
class LoadModel {
public:
  LoadModel(const ModelOptions &, const Graph &, const Machine &);
  LoadModel(const LoadModel &) = delete; // `topology` refers to `graph`
  LoadModel &operator=(const LoadModel &) = delete;

  /// Takes `profile`, measured under `configuration`, as the profile of the load.
  void learn(const Profile &profile, const Configuration &configuration);
  /// Estimates the costs again with what is known now.
  void estimateAgain();
  /// A model of the run time with the present costs. It refers to this object.
  Solver solver() const;

  /// Processors that the program may use, perhaps a fraction.
  double processors() const;
  /// Whether the user allows fewer processors than there are.
  bool capped() const;
  /// The most workers that can be of use on these processors, if each node that sleeps has one.
  uint32_t mostThreads() const;
  bool allLimited() const { return costs.allLimited(topology); }

  const Graph graph;
  const Topology topology;
  Knowledge knowledge;

  const Profile &profile() const { return seen; }
  const Configuration &profiled() const { return seenUnder; }
  const Costs &present() const { return costs; }

private:
  const double cpus; // ModelOptions::cpus
  const uint32_t maxThreads;
  Profile seen;
  Configuration seenUnder;
  Costs costs;
};

} // namespace sluice::elastic
