//===- Statistics.h - small samples, drifts ----------------*- C++ -*-===//
//
// What the model policy needs to tell a difference from noise: tests that assume
// nothing of the noise but that it is the same for both, and detectors of change.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice::elastic {

/// 0 for none.
double median(std::vector<double>);

/// Mann and Whitney (1947): the probability that `a` would rank as low below `b` as it does, if
/// both were from one distribution. Exact up to 20 values each (ties count half), else by the
/// normal approximation.
double probabilityLower(const std::vector<double> &a, const std::vector<double> &b);

/// Page (1954): adds up what a value is above `mean + allowance`, never below 0.
struct Cusum {
  double allowance = 0, limit = 1, sum = 0;
  /// True once the sum is past the limit.
  bool add(double aboveMean);
};

} // namespace sluice::elastic
