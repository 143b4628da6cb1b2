//===- Slowdown.h - how much slower work is when more of it runs -*- C++ -*-===//
#pragma once
#include <vector>

namespace sluice::elastic {

/// How much longer work takes while more of it runs at the same time: hardware threads share cores,
/// and all share the memory.
class Slowdown {
public:
  /// The factor with `running` seconds of work in a second, at least 1. It never falls as `running`
  /// rises.
  double at(double running) const;
  /// Work took `factor` times as long as alone. The last 32 observations count.
  void learn(double running, double factor);
  bool known() const { return !levels.empty(); }

private:
  struct Level {
    double running, factor, count; // count: observations whose mean it is
  };
  std::vector<Level> measured; // observations, oldest first
  std::vector<Level> levels;   // rising in both
};

} // namespace sluice::elastic
