//===- CostLearner.h - what a comparison teaches of costs --*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Comparison.h"
#include "runtime/elastic/model/load/LoadModel.h"

namespace sluice::elastic {

/// Corrects what is known of costs by a comparison that has ended: how much slower work is when
/// more of it runs, which nodes are cold, what a hand-off takes and which part of it the producer
/// pays, and what the memory carries. Candidates are held against the one with the fewest queues.
class CostLearner {
public:
  CostLearner(LoadModel &load, const Comparison &comparison)
      : load(load), knowledge(load.knowledge), comparison(comparison) {}
  void learn();

private:
  bool learnMemory();
  void learnMostBytes();
  void learnSlowdown(const Candidate &base, const Profile &before);
  void learnHandOffs(const Candidate &base, const Candidate &best, const Profile &before,
                     bool memory);
  void learnWaits(const Candidate &best);

  LoadModel &load;
  Knowledge &knowledge; // of `load`
  const Comparison &comparison;
};

} // namespace sluice::elastic
