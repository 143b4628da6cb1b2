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

struct Options {
  double period = 0.5, skip = 1, cpuLimit = 1;
  bool sumOfNodes = true; // what throughput is: the rows of all nodes, or of the sources
  bool placement = true;  // false: every queue that may be, for ever
  bool history = true, satisfaction = true;
  double loadChange = 0.2;
  uint32_t loadPeriods = 6;
  LevelOptions levels;
  QueueOptions queues;
  SatisfactionOptions sf;
};

class Coordinator final : public Policy {
public:
  Coordinator(const Options &, const Graph &, const Machine &, const Configuration &start);
  Decision begin() override;
  Decision step(const Sample &) override;

private:
  enum class State : uint8_t {
    Base,  // the next sample is what a search for queues begins with
    Trial, // ... is of the search's target
    Level, // ... is what the number of workers is judged by
    Watch  // ... is compared with the first one
  };
  using Numbers = std::vector<std::pair<std::string, double>>;
  /// A sample, as far as it is of interest.
  struct Measured {
    double throughput;
    double busy; // share of the processors
    std::vector<double> costs;
  };

  const Options options;
  const Graph graph;
  const Machine machine;
  Configuration now;
  State state = State::Base;
  std::vector<uint32_t> changeable;
  LevelSearch levels;
  QueueSearch queues;
  LoadWatch load;
  Adjustment last;
  std::set<uint32_t> searched; // numbers of workers where queues were searched
  uint32_t fromThreads = 0;    // the number of workers before the present one; 0: there was none
  double fromThroughput = 0;
  std::string note; // why there was no search, for the next decision's reason

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
