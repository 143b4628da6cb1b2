//===- ModelPolicy.h - --elastic=model --------------------------------*- C++ -*-===//
//
// Predict, then verify. The costs that a profile shows go into a model of the run time
// (ModelSolver.h); the configuration that it finds best, a few neighbours of it, all
// direct and all queued are measured against each other (ModelContest.h), and what is
// better by more than noise stays. Then it watches (ModelWatch.h) and begins again from
// where it is, when the load has changed so much that another configuration should pay.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Registry.h"
#include "runtime/elastic/model/Ledger.h"
#include "runtime/elastic/model/Solver.h"
#include "runtime/elastic/model/Watch.h"

namespace sluice::elastic {

std::vector<Constant> modelConstants();
std::unique_ptr<Policy> makeModel(const Values &, const Graph &, const Machine &,
                                  const Configuration &start);

/// The values of modelConstants().
struct ModelOptions {
  explicit ModelOptions(const Values &);
  double window, warmUp, watchWindow, settle, resettle, tie, noise, level, worth, gain, latency,
      cpus;
  uint32_t rounds;
};

class ModelPolicy : public Policy {
public:
  ModelPolicy(const ModelOptions &, const Graph &, const Machine &, const Configuration &start);
  Decision begin() override;
  Decision step(const Sample &) override;

private:
  static constexpr double drainMost = 0.5; // seconds that a backlog is given before the next window
  enum class State { Start, Profile, Compare, Chosen, Watching };
  Decision profileStep(const Sample &);
  Decision compareStep(const Sample &);
  Decision chosenStep(const Sample &);
  Decision watchStep(const Sample &);
  Decision propose(double now);
  Decision again(double now, const Solver &);
  void learnLoad(const Profile &now);
  void forgetTrials();
  std::vector<uint32_t> watchedRegions() const;
  Decision settled(double now, std::string reason);
  Decision to(Kind, const Configuration &, double window, std::string reason);
  Decision wait(double window, std::string reason);
  Decision compare(std::vector<Candidate>, double now, double end, Kind first, std::string reason);
  Decision tryNext(Kind, std::string reason);
  Decision choose(double now);
  void learnCosts();
  void learnSlowdown(const Candidate &base, const Profile &before);
  void learnHandOffs(const Candidate &base, const Candidate &best, const Profile &before,
                     bool memory);
  bool learnMemory();
  void learnWaits(const Candidate &);
  int toward() const;
  void remember();
  bool sameLoad() const;
  bool judge(double now);
  std::optional<Decision> giveUp();
  Decision change(const Ledger::Entry &, std::string reason);
  bool isFew(const Configuration &one, const Configuration &many) const;
  const Ledger::Entry *few(uint32_t most) const;
  std::optional<Decision> preferFew();
  void doubtQueues(double now);
  std::optional<Decision> doubt(double now, double end);
  Decision retry(const Ledger::Entry &, double now, double end);
  void scheduleRetry(double now);
  std::vector<Candidate> rivals(bool nearToo) const;
  Solver solver() const;
  void timeWindows();
  void timeBatches(const Sample &);
  double windowOf(double rate) const;
  double processors() const;
  bool capped() const;
  bool isLost(const Configuration &) const;
  bool meets(const Solver &, const Configuration &) const;
  std::vector<Candidate> candidates(const Solver &, bool warm);
  void addQueues(const Solver &, double least, std::vector<Candidate> &) const;
  void addRegions(const Solver &, const Plan &, std::vector<Candidate> &) const;
  void addMoved(const Solver &, const Plan &, std::vector<Candidate> &) const;
  void neighbours(const Solver &, const Plan &, int toward, std::vector<Candidate> &) const;
  void add(std::vector<Candidate> &, std::string name, const Plan &) const;
  double rateOf(const Sample &) const;
  double rowCost(const Sample &) const;
  double unevenness(const Sample &) const;
  bool draining(const Sample &) const;
  bool ofBothLoads(const Sample &) const;
  bool othersBusy(const Sample &) const;
  double busiestAllows() const;
  double latencyOf(const Sample &) const;
  std::vector<double> workBelow() const;
  double batchRows(uint32_t node) const;
  double backlogOf(const Sample &) const;
  double backlogAfter(const Plan &) const;

  ModelOptions options;
  Graph graph;
  Topology topology;
  Knowledge knowledge;
  uint32_t maxThreads;
  State state = State::Start;
  Configuration applied;
  Profile profile;        // what the costs are from
  Configuration profiled; // what was set then
  Candidate first;        // what is set, as it was profiled: its windows
  Costs costs;
  std::optional<Contest> contest;
  Watch watch;
  std::vector<Configuration> lost; // compared since the load last changed
  std::vector<Candidate> tried;    // those of them that were measured, with what they had last
  double began = -1;               // the first rows, or the last change of load
  double warmUp = 0;               // of a comparison
  double backlog = 0;              // seconds of work that queues held at the end of the last window
  double drained = 0;              // by how much less that was than before it
  double batches = 0;              // a second, of the sources, with what was set in the profile
  double expected = 0;             // rows a second with what is set
  Profile chosen;                  // of what is set, in the last comparison
  uint32_t centre = 0;             // queues of what the others are near to, in the last comparison
  Ledger ledger;                   // since the load last changed
  double wonMean = 0;              // in it, of what won the last comparison
  bool holding = false;  // what is set stayed for what it has had over a longer time, though in the
                         // last comparison
  Configuration better;  // had more
  bool retrying = false; // what had more at times, or should have, is compared with what is set
  struct Retry {
    Configuration configuration;
    double at;
  };
  std::optional<Retry> later; // once it has settled
  static constexpr double firstDelay = 2;
  double retryDelay = firstDelay; // seconds until then: the longer the more often
  double doubtEnds =
      -1;            // before it has settled: when what the model promised in vain is tried again
  double regret = 1; // what the model says could be had beyond what was found: it was refuted
  uint32_t contests = 0, repeats = 0;
  bool settledOnce = false, changed = false; // changed: the load, since the first settling
};

} // namespace sluice::elastic
