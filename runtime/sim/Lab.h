//===- Lab.h - a simulated program that can be measured ---------*- C++ -*-===//
//
// What adapt/ is to a real program: applies configurations and makes samples. A
// window of seconds is measured on a stretch of milliseconds of simulated time,
// after the rings have found their levels, and scaled; noise from the seed is
// added as a real measurement has it. Threads and rings keep their state between
// windows.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/sim/Engine.h"
#include "runtime/sim/Random.h"

namespace sluice::sim {

struct Experiment {
  Application app;
  Machine machine;
  std::string runtime = "sluice";
  uint32_t threads = 0; // workers at most; 0: one a hardware thread
  uint64_t seed = 1;
  double effort = 1; // length of the stretches, against the usual
  bool noise = true;
  bool sampled =
      false; // operators' costs as IBM's profiler sees them: 100 looks a second, copies not counted
};

class Lab {
public:
  explicit Lab(Experiment setup);

  const Experiment &setup() const { return parameters; }
  const elastic::Graph &graph() const { return shape; }
  /// What a policy is told of the machine.
  elastic::Machine policyMachine() const;
  const elastic::Configuration &configuration() const { return set; }
  double time() const { return clock; }

  void configure(const elastic::Configuration &);
  /// The load changes (Application::later).
  void changeLoad();
  /// Lets `warmUp` seconds pass and measures the next `window`.
  elastic::Sample measure(double warmUp, double window);
  /// Rows per second of the sources in a configuration, without noise, of a stretch; time does not
  /// pass.
  double rate(const elastic::Configuration &);
  /// The same, as it stays: with many more queues than threads rates drift for long, and single
  /// stretches vary.
  double lastingRate(const elastic::Configuration &);
  /// How a configuration divides the application, under the load of now.
  Plan planOf(const elastic::Configuration &) const;
  /// Nobody could run any more: a mistake of the model.
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

  static constexpr size_t kEnough = 8; // stretches of one configuration

  Experiment parameters;
  elastic::Graph shape;
  Runtime runtime;
  Engine engine;
  std::vector<Totals> stretches; // of the configuration that is set
  Totals shown;                  // the one that stands for the window
  elastic::Configuration set;
  Random random;
  bool later = false, changed = true, isStuck = false;
  double clock = 0;
};

} // namespace sluice::sim
