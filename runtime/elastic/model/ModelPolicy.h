//===- ModelPolicy.h - --elastic=model ---------------------*- C++ -*-===//
//
// Predict, then verify. The costs that a profile shows go into a model of the run
// time (solve/Solver.h). The configuration that it finds best and others near it
// are measured against each other (compare/Comparison.h), and what is better by more
// than noise stays. Then the policy watches (Watch.h). It begins again, from what is
// set, when the load has changed so much that another configuration should pay.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/Retry.h"
#include "runtime/elastic/model/Settling.h"
#include "runtime/elastic/model/Watch.h"
#include "runtime/elastic/model/compare/CandidateFinder.h"
#include "runtime/elastic/model/load/Backlog.h"
#include "runtime/elastic/model/load/Reading.h"

namespace sluice::elastic {

std::unique_ptr<Policy> makeModel(const Values &, const Graph &, const Machine &,
                                  const Configuration &start);

/// The state machine of the policy. It turns what its parts find into decisions:
///
///   Start -> Profile -> Compare -> Chosen -> Compare, ..., -> Watching
///   Watching: an alarm, or a trial is due -> Compare
class ModelPolicy final : public Policy {
public:
  ModelPolicy(const ModelOptions &, const Graph &, const Machine &, const Configuration &start);
  Decision begin() override;
  Decision step(const Sample &) override;

private:
  enum class State : uint8_t {
    Start,    // no rows yet
    Profile,  // measures what nodes cost
    Compare,  // measures the candidates of `comparison`
    Chosen,   // the winner is set: the next comparison begins, or the policy settles
    Watching, // it has settled
  };
  Decision profileStep(const Sample &);
  Decision compareStep(const Sample &);
  Decision chosenStep(const Sample &);
  Decision watchStep(const Sample &);

  // Changes of state.
  Decision propose(double now);
  Decision compare(std::vector<Candidate>, double now, double end, Kind first, std::string reason);
  Decision measureNext(Kind, std::string reason);
  Decision choose(double now);
  Decision goBack(const Ledger::Entry &, std::string reason);
  Decision tryAgain(const Ledger::Entry &, double now, double end);
  Decision settle(double now, std::string reason);
  Decision alarm(double now);

  void learn(const Profile &);
  bool judge(double now);
  bool profileIsPoor(const Reading &, double now) const;
  ComparisonRules rules(const std::vector<Candidate> &, uint32_t most) const;
  void startWatching(const Profile &normal);
  Decision to(Kind, const Configuration &, double interval, std::string reason);
  Decision wait(double interval, std::string reason) const;

  const ModelOptions options;
  LoadModel load;
  Episode episode;
  Timing timing;
  Compared compared;
  CandidateFinder finder;
  Settling settling;
  Retry retry;
  Watch watch;
  Backlog backlog;
  std::optional<Comparison> comparison; // the last one
  State state = State::Start;
  Configuration applied; // what is set
  Candidate first;       // what was set at the start, as it was profiled
  struct {
    double rate = 0; // rows a second
    Profile profile;
  } chosen;                  // what won the last comparison
  double promisedBefore = 1; // when it settled: the predicted best against what was set
  uint32_t repeats = 0;      // how often the interval at hand was measured again
};

} // namespace sluice::elastic
