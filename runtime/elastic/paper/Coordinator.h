//===- Coordinator.h - workers and queues, one after the other -*- C++ -*-===//
//
// The primary adjustment is the number of workers, the secondary where queues are:
//
//   Base ---queues search---> Trial, Trial, ..., (Accept) ---> Level
//   Level: another number of workers -> Base; none better -> Watch
//   Base: history or satisfaction says that no search is needed -> as Level
//   Watch: the load has changed -> Base, without queues
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"
#include "runtime/elastic/paper/LevelSearch.h"
#include "runtime/elastic/paper/QueueSearch.h"
#include "runtime/elastic/paper/Rules.h"

namespace sluice::elastic::paper {

/// The values of the constants (Constants.cpp), which says what each one is.
struct PaperOptions {
  double period = 0.5;    // seconds of an interval
  double skip = 1;        // periods that pass unmeasured after a change
  double cpuLimit = 1;    // share of the processors in use, above which no workers are added
  bool sumOfNodes = true; // throughput is the rows of all nodes, else of the sources
  bool placement = true;  // queues are searched; else every changeable boundary is one
  bool history = true, satisfaction = true;
  double loadChange = 0.2;  // share by which throughput differs if the load has changed
  uint32_t loadPeriods = 6; // and for how many periods in a row
  LevelOptions levels;
  QueueOptions queues;
  SatisfactionOptions sf;
};

/// The state machine of `paper` and `threads`.
class Coordinator final : public Policy {
public:
  Coordinator(const PaperOptions &, const Graph &, const Machine &, const Configuration &start);
  Decision begin() override;
  Decision step(const Sample &) override;

private:
  enum class State : uint8_t {
    Base,  // the next sample is what a search for queues begins with
    Trial, // the next sample is of the target of the search
    Level, // the next sample is what the number of workers is judged by
    Watch  // the next sample is compared with the first one of this state
  };
  using Numbers = std::vector<std::pair<std::string, double>>;
  /// What the policy reads of a sample.
  struct Measured {
    double throughput;         // rows a second
    double busy;               // share of the processors in use
    std::vector<double> costs; // by node: seconds
  };

  const PaperOptions options;
  const Graph graph;
  const Machine machine;
  Configuration now; // what is set
  State state = State::Base;
  std::vector<uint32_t> changeable;
  LevelSearch levels;
  QueueSearch queues;
  LoadWatch load;
  Adjustment last;             // the last search for queues
  std::set<uint32_t> searched; // levels at which queues were searched
  uint32_t fromThreads = 0;    // the level before the present one; 0: there was none
  double fromThroughput = 0;   // rows a second at that level
  std::string note;            // why there was no search, for the next decision's reason

  Measured read(const Sample &) const;
  Decision base(const Measured &);
  Decision searchQueues(const Measured &);
  Decision trial(const Measured &);
  Decision tryFirst(const Measured &);
  Decision tryNext(const Measured &, uint32_t before, double reference);
  Decision accept(const Measured &);
  Decision endSearch(const Measured &);
  void remember();
  Decision revert(const Measured &);
  Decision level(const Measured &);
  Decision setThreads(const LevelSearch::Step &, const Measured &);
  std::string why(const LevelSearch::Step &, double throughput) const;
  Decision watch(const Measured &);
  Decision loadChanged(const Measured &);

  Decision wait(Kind, std::string reason, Numbers = {}) const;
  Decision change(Kind, const std::vector<char> &queued, uint32_t threads, std::string reason,
                  Numbers = {});
  std::vector<char> allQueued(bool queued) const;
  std::string operators() const;
  std::string rated(double throughput) const;
  Numbers numbers(const Measured &) const;
};

} // namespace sluice::elastic::paper
