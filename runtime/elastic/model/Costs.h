//===- Costs.h - what the model policy knows of a program --*- C++ -*-===//
//
// From samples: what each node costs, how its rows are shared out over those that
// call it, what a queue in front of it would cost, and which sources wait for time
// or data. All loads are seconds of work in a second at the rates of the profile, so
// that one factor says how much faster the program could be.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"

namespace sluice::elastic {

/// The graph in the form that the solver walks: callers before those they call.
struct Topology {
  explicit Topology(const Graph &);
  const Graph &graph;
  std::vector<uint32_t> order; // edges that close a loop are left out of all three
  std::vector<std::vector<uint32_t>> to, from;
  std::vector<uint32_t> sources;
};

/// The sum of samples that were taken under one configuration.
struct Profile {
  Profile() = default;
  explicit Profile(const Sample &sample) { add(sample); }
  double length = 0, workers = 0, idle = 0, cpu = 0, others = 0;
  uint32_t windows = 0;
  std::vector<NodeSample> nodes;
  void add(const Sample &);
  double sourceBatches(const Topology &) const;
  double sourceRows(const Topology &) const;
  double busy() const;
  /// Busy time is read from a clock that runs on while a thread is preempted: what of it was
  /// processor time.
  double onProcessor() const;
};

/// How much slower work is while that much of it runs at once: hardware threads share cores, all
/// share the memory.
class Slowdown {
public:
  /// With `running` seconds of work in a second; 1 at least.
  double at(double running) const;
  /// It took `factor` times as long as alone. What was learnt for less is not above that for more.
  void learn(double running, double factor);
  bool known() const { return !levels.empty(); }

private:
  struct Level {
    double running, factor, count;
  };
  std::vector<Level> measured; // the last ones, by `running`
  std::vector<Level> levels;   // rising
};

/// What is learnt over the whole run, whatever the configuration.
struct Knowledge {
  explicit Knowledge(const Machine &machine, size_t nodes)
      : machine(machine), cold(nodes), bytesPerRow(nodes, -1) {}
  Machine machine;
  double handOffFactor = 1; // measured hand-offs against those of `machine`
  double pushing =
      0.25; // the producer's share: it writes what its core holds, the consumer fetches it
  Slowdown slowdown;
  std::vector<double>
      cold; // by node: seconds that a row takes longer as soon as anything is queued: batches come
            // back from the other processors' caches, wherever the queues are
  std::vector<double> bytesPerRow; // below 0: not known; only queues count bytes
  double carriedBytes = 0;         // a second through all queues together: the most so far
  double mostBytes = 1e300;        // the memory carries no more
  void learnBytes(const Profile &);
};

struct Costs {
  std::vector<double> load;    // by node: seconds of work in a second, without hand-offs
  std::vector<double> cold;    // by node: in addition if anything is queued
  std::vector<double> handOff; // by node: in addition if it is queued, both sides
  double pushing = 0.25;       // the producer's share of it
  Slowdown slowdown;           // of all work
  std::vector<double> bytes;   // by node: a second, if it is queued
  double mostBytes = 1e300;    // of all queues together
  std::vector<double> fixed;   // by node: the share of its rows that limited sources bring
  std::vector<std::vector<double>> share; // by node: of its rows, by caller as in Topology::from
  std::vector<char> limited;              // by node: a source that waits for time or data
  double rate = 0;                        // rows a second of all sources
  double limitedRate = 0;                 // of those that are limited
  /// Of one node. `queues`: something is queued that might be called.
  double loadOf(uint32_t node, bool queues) const { return load[node] + (queues ? cold[node] : 0); }
  double totalLoad() const;
  bool allLimited(const Topology &) const;
};

/// Whether anything is queued that might be called.
bool hasQueues(const Graph &, const Configuration &);

/// The seconds in a second that the nodes were busy.
double running(const Profile &);

/// What `profile`, measured under `configuration`, says.
Costs estimate(const Topology &, const Profile &, const Configuration &, const Knowledge &);

} // namespace sluice::elastic
