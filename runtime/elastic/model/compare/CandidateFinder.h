//===- CandidateFinder.h - what is worth comparing ---------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Compared.h"
#include "runtime/elastic/model/load/Timing.h"

namespace sluice::elastic {

/// Finds configurations that are worth comparing. Of those it leaves out what was compared under
/// this load.
class CandidateFinder {
public:
  CandidateFinder(const ModelOptions &options, const LoadModel &load, const Timing &timing,
                  const Episode &episode, const Compared &compared)
      : options(options), load(load), timing(timing), episode(episode), compared(compared) {}

  /// For the first comparison of an episode: the most important first, from what is set, all direct
  /// and the model's proposal to the neighbours of the proposal. `again`: after an alarm.
  std::vector<Candidate> first(const Configuration &set, bool again);
  /// For the next one: the winner of `last`, and up to three others near it or better by what
  /// `last` taught.
  std::vector<Candidate> next(const Comparison &last);

private:
  using List = std::vector<Candidate>;
  int toward(const Comparison &last) const;
  void addAllQueued(const Solver &, const Plan &best, bool again, List &) const;
  void addQueues(const Solver &, double least, List &) const;
  void addRegions(const Solver &, const Plan &around, List &) const;
  void addMoved(const Solver &, const Plan &around, List &) const;
  void addNeighbours(const Solver &, const Plan &around, int toward, List &) const;
  void addThreads(const Solver &, const char *name, const Plan &around, uint32_t number,
                  List &) const;
  void addCuts(const Solver &, const char *name, const Plan &around, Plan, List &) const;
  void add(List &, std::string name, const Plan &) const;

  const ModelOptions &options;
  const LoadModel &load;
  const Timing &timing;
  const Episode &episode;
  const Compared &compared;
  uint32_t centre = 0; // cuts of the plan that the others of the last list are near to
};

} // namespace sluice::elastic
