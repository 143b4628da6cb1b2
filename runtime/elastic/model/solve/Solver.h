//===- Solver.h - the best cuts, widths and threads --------*- C++ -*-===//
//
// A model of the run time. A call of a node takes the node's own work, the work of the
// nodes that it calls directly, and its part of a hand-off for each queue that it fills.
// One thread at a time is inside a node, and so below it. So a call takes no more than
// all time, whoever calls. The same holds for the sum of a domain. A parallel port
// divides its region by its width. All work together has the processors, and takes
// longer the more of it runs at once. A thread that sleeps in a call takes no
// processor, but is not there for another one: so all calls together have the threads.
// The solver finds the cuts with the best rate, makes regions even, and finds the
// fewest threads.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/costs/Costs.h"

namespace sluice::elastic {

/// What the model says of a configuration.
struct Prediction {
  // How many times as much as in the profile the sources that are not limited could submit. The
  // other members are for this speed.
  double speed = 0;
  double rate = 0;         // rows a second of all sources
  double work = 0;         // processors in use
  double ownWork = 0;      // of these: by threads of sources, with what they call directly
  double longest = 0;      // seconds in a second of the busiest region
  uint32_t bottleneck = 0; // the first node of that region
  double even = 1;         // the mean region against the longest, at most 1
};

/// A configuration that the solver proposes.
struct Plan {
  Configuration configuration;
  Prediction predicted;
  uint32_t cuts = 0; // queued changeable boundaries
};

/// Refers to its topology and costs. All queries are pure; they cache and count.
class Solver {
public:
  /// Up to so many processors, one thread more than they can run costs a tenth: a thread that is
  /// preempted inside a region holds up much. With more processors it makes up for threads that are
  /// being woken.
  static constexpr double fewProcessors = 4;
  /// `processors`: how many may be used. `capped`: there are more, and plans must not use them.
  Solver(const Topology &, const Costs &, double processors, uint32_t maxThreads,
         bool capped = false);

  Prediction predict(const Configuration &) const;
  /// The plan with the best rate, and the fewest threads that reach it.
  Plan best() const;
  /// At most `cuts` cuts, as even as can be, and threads for them.
  Plan withCuts(uint32_t cuts) const;
  /// The evenest plan with more cuts than `plan`, up to `most` times as many, whose regions take at
  /// most `least` times as long. If all processors have work, a thread that waits for a longer
  /// region is lost. `plan` if there is none.
  Plan evenest(const Plan &plan, double least, double most) const;
  /// At least `least` cuts, where regions take longest (a region may be one that cannot be cut).
  /// `plan` if there are not so many.
  Plan finer(const Plan &plan, uint32_t least) const;
  /// The plans in which one queue is at the next place along its chain, up or down; the best first.
  /// Costs that are a little wrong put a queue a place too far. Only if much work is between the
  /// two places, a twenty-fifth of all.
  std::vector<Plan> moved(const Plan &plan) const;
  /// `plan` with a queue wherever several regions would call a node directly. What they share then
  /// no longer moves from core to core.
  Plan meeting(const Plan &plan) const;
  /// All plans from now on are such as meeting() makes.
  void alwaysMeet() { meet = true; }
  /// The most workers that are of use: for each queue as many as its width, one for each node in
  /// which regions meet (a thread that finds it taken leaves its batch there), and one to spare if
  /// more than one can run. With few processors, at most those beside the sources, which help while
  /// they wait, and sleepers().
  uint32_t usefulThreads(const Configuration &) const;
  /// How many workers are asleep in the middle of calls for much of the time: those of queues whose
  /// regions sleep at the rates of the profile, as many as their width. Each needs a thread of its
  /// own, however many processors there are.
  uint32_t sleepers(const Configuration &) const;
  /// The fewest cuts and threads with which no region takes more than `share` of the time at the
  /// rates of the profile.
  Plan sustain(double share) const;
  Plan allDirect() const;
  Plan allQueued(uint32_t threads) const;
  /// The workers that a configuration needs for its work. `help`: sources help while they wait.
  uint32_t threadsFor(const Configuration &, bool help) const;
  /// By node: the first node of its region, which is the node itself if several regions call it.
  std::vector<uint32_t> regions(const std::vector<char> &queued) const;
  /// Steps so far: a measure of effort that does not depend on the machine.
  uint64_t steps() const { return counted; }

private:
  /// Which boundaries are queued at a speed and a bound, and what follows.
  struct Cut {
    std::vector<char> queued;
    std::vector<uint32_t> width;
    uint32_t cuts = 0;
    double work = 0, asleep = 0, longest = 0, bytes = 0;
    bool feasible = true;
  };
  /// A place of a queue along its chain.
  struct Place {
    uint32_t node;
    double lower, upper; // seconds in a second that the regions below and above take then
  };
  struct Calls; // what calls take (Predict.cpp)
  void addCalls(const Configuration &, const std::vector<uint32_t> &region, double collisions,
                uint32_t node, Calls &) const;
  Calls callsOf(const Configuration &, const std::vector<uint32_t> &region,
                double collisions) const;
  double scaled(double speed, uint32_t node, double value) const;
  double at(double speed, uint32_t node, double value) const;
  double runningAt(double speed, uint32_t node) const;
  double loadAt(double speed, uint32_t node) const;
  double slowdownAt(double speed) const;
  double threadsInUse(uint32_t threads) const;
  double capacity(uint32_t threads) const;
  bool mayCut(uint32_t node) const;
  double shareOf(uint32_t node, uint32_t caller) const;
  Cut cutAt(double speed, double bound) const;
  void cutBelow(double speed, double bound, uint32_t node, double &inside,
                const std::vector<double> &calls, Cut &cut) const;
  double widen(double speed, double bound, double room, uint32_t node, double own, double inside,
               const std::vector<double> &calls, Cut &cut) const;
  Cut balanced(double speed, double bound, uint32_t cuts) const;
  void shift(double bound, double speed, Cut &cut) const;
  bool chained(uint32_t caller, uint32_t callee) const;
  Place placeOf(double bound, double speed, bool down, const std::vector<char> &queued,
                const Place &present) const;
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
  // Processor time of all nodes: what limited sources bring, and the rest, which grows with the
  // speed. Loads of all nodes.
  double stillWork = 0, growingWork = 0, allLoads = 0;
  mutable double lastSpeed = -1, lastSlowdown = 1;
  mutable uint64_t counted = 0;
};

} // namespace sluice::elastic
