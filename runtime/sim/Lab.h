//===- Lab.h - a simulated program that can be measured ---------*- C++ -*-===//
//
// The lab is to a simulated program what adapt/ is to a real one: it applies
// configurations and makes samples. An interval of seconds is measured on a stretch of
// milliseconds of simulated time, after the rings have found their levels, and scaled.
// Noise is added, from a seed. Threads and rings keep their state between intervals.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Engine.h"
#include "runtime/sim/Random.h"

namespace sluice::sim {

/// What is simulated.
struct Experiment {
  Application app;
  Machine machine;
  std::string runtime = "sluice";
  uint32_t threads = 0; // workers at most; 0: one for each hardware thread and each sleeper
  uint64_t seed = 1;    // of the noise
  double effort = 1;    // factor of the length of stretches
  bool noise = true;
  bool sampled = false; // costs as IBM's profiler sees them: 100 samples a second, without copies
};

/// A simulated program that can be measured.
class Lab {
public:
  explicit Lab(Experiment setup);

  const Experiment &setup() const { return parameters; }
  const elastic::Graph &graph() const { return shape; }
  /// What a policy is told of the machine.
  elastic::Machine policyMachine() const;
  const elastic::Configuration &configuration() const { return set; }
  /// Simulated seconds since the beginning.
  double time() const { return clock; }

  /// Sets a configuration.
  void configure(const elastic::Configuration &);
  /// Changes the load to the later one (Operator::later).
  void changeLoad();
  /// Lets `warmUp` seconds pass and measures the next `interval` seconds.
  elastic::Sample measure(double warmUp, double interval);
  /// Rows a second of the sources in a configuration, without noise, from one stretch. No time
  /// passes.
  double rate(const elastic::Configuration &);
  /// The same from many stretches. With many more queues than threads rates drift for long, and
  /// single stretches vary.
  double lastingRate(const elastic::Configuration &);
  /// How a configuration divides the application, under the present load.
  Plan planOf(const elastic::Configuration &) const;
  /// Whether all threads waited for each other: a mistake of the simulator.
  bool stuck() const { return isStuck; }

private:
  void replan();
  void balance();
  void stretch();
  double rateOf(const elastic::Configuration &, size_t passed, size_t count);
  void prepare();
  void addStretch();
  void measureStretch();
  std::vector<double> rates(const Totals &) const;
  elastic::NodeSample sampleOf(const Totals &, uint32_t region, const Member &, double rows) const;

  static constexpr size_t kEnough = 8; // stretches of one configuration that are measured at most

  Experiment parameters;
  elastic::Graph shape;
  Runtime runtime;
  Engine engine;
  std::vector<Totals> stretches; // of the configuration that is set
  Totals shown;                  // the stretch that stands for the interval
  elastic::Configuration set;
  Random random;
  bool later = false, changed = true, isStuck = false;
  double clock = 0;
};

} // namespace sluice::sim
