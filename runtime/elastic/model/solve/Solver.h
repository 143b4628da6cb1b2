//===- Solver.h - the best cuts, widths and threads --------*- C++ -*-===//
//
// A model of the run time. A call into a node takes D: its own work, that of the
// nodes that it calls directly (as much as it calls them), and its part of a hand-off
// for each queue that it fills. One thread at a time is inside a node and so below it, so
// D bounds the rate, whoever calls; so does the sum of a domain. A parallel port
// divides its region by its width. All work together has the processors, and takes
// longer the more of it runs at once. The solver finds the cut set with the best rate,
// balanced, then the fewest threads.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/costs/Costs.h"

namespace sluice::elastic {

struct Prediction {
  double speed =
      0; // sources that are not limited could submit this many times as much as in the profile
  double rate = 0;         // rows a second of all sources
  double work = 0;         // processors in use then
  double ownWork = 0;      // of these: source threads with what they call directly
  double longest = 0;      // share of a second of the busiest region then
  uint32_t bottleneck = 0; // its first node
  double even = 1;         // the mean region against the longest
};

struct Plan {
  Configuration configuration;
  Prediction predicted;
  uint32_t cuts = 0; // queues that need not be
};

class Solver {
public:
  /// Processors, of which one thread that is stopped inside a region holds up so much that one more
  /// than they can run costs a tenth (measured on two); among many it makes up for those that are
  /// being woken.
  static constexpr double fewProcessors = 4;
  /// `processors`: those that may be used; `capped`: there are more, and the plan must see to it
  /// that they are not.
  Solver(const Topology &, const Costs &, double processors, uint32_t maxThreads,
         bool capped = false);

  Prediction predict(const Configuration &) const;
  /// The best rate, then the fewest threads that bring it.
  Plan best() const;
  /// At most `cuts` queues that need not be, as even as can be, and threads for them.
  Plan withCuts(uint32_t cuts) const;
  /// Of those with up to `most` times as many queues, regions at least `least` times as short as in
  /// `plan`, the evenest: where all processors have work, a thread that waits for a longer region
  /// is lost.
  Plan evenest(const Plan &plan, double least, double most) const;
  /// At least `least` queues, where regions are longest; the longest itself may be one that cannot
  /// be cut.
  Plan finer(const Plan &plan, uint32_t least) const;
  /// Those in which one queue is at the next place along its chain, up or down; the best first:
  /// costs that are a little wrong put a queue a place too far. Only where there is much work
  /// between them, a twenty-fifth of all.
  std::vector<Plan> moved(const Plan &plan) const;
  /// With a queue wherever several regions would call a node directly: what they share no longer
  /// goes from core to core with them.
  Plan meeting(const Plan &plan) const;
  /// All plans from now on are such.
  void alwaysMeet() { meet = true; }
  /// More are of no use: workers for each queue as many as its width, one for each node that
  /// regions meet in (who finds it taken leaves it his batch), and one to spare, but not where only
  /// one can run. Where processors are few, no more than there are for beside the sources, which
  /// work for others while they wait for space.
  uint32_t usefulThreads(const Configuration &) const;
  /// The fewest queues and threads with which no region is busier than `share` at the rates of the
  /// profile.
  Plan sustain(double share) const;
  Plan allDirect() const;
  Plan allQueued(uint32_t threads) const;
  /// Those that `configuration` can use; `help`: counting on sources that work for others while
  /// they wait for space.
  uint32_t threadsFor(const Configuration &, bool help) const;
  /// By node: the first node of the region that it is called in; its own number if several regions
  /// call it.
  std::vector<uint32_t> regions(const std::vector<char> &queued) const;
  /// Steps taken so far, as a measure that does not depend on the machine.
  uint64_t steps() const { return counted; }

private:
  struct Cut {
    std::vector<char> queued;
    std::vector<uint32_t> width;
    uint32_t cuts = 0;
    double work = 0, longest = 0, bytes = 0;
    bool feasible = true;
  };
  struct Calls; // what calls take, ModelPredict.cpp
  double scaled(double speed, uint32_t node, double value) const;
  double at(double speed, uint32_t node, double value) const;
  double slowdownAt(double speed) const;
  double capacity(uint32_t threads) const;
  bool mayCut(uint32_t node) const;
  double shareOf(uint32_t node, uint32_t caller) const;
  Cut cutAt(double speed, double bound) const;
  void cutBelow(double speed, double bound, uint32_t node, double &inside,
                const std::vector<double> &calls, Cut &cut) const;
  Cut balanced(double speed, double bound, uint32_t cuts) const;
  void shift(double bound, double speed, Cut &cut) const;
  bool slide(double bound, double speed, uint32_t node, bool down, Cut &cut,
             std::vector<uint32_t> &region, std::vector<double> &total) const;
  Plan finish(const Cut &) const;
  uint32_t nextPlace(const Configuration &, uint32_t node, bool up) const;
  void closeMeetings(std::vector<char> &queued) const;

  const Topology &topology;
  const Costs &costs;
  double processors;
  uint32_t maxThreads;
  bool capped, meet = false;
  std::vector<char> cuttable;
  double stillWork = 0, growingWork = 0; // of all nodes: what limited sources bring, and the rest
  mutable double lastSpeed = -1, lastSlowdown = 1;
  mutable uint64_t counted = 0;
};

} // namespace sluice::elastic
