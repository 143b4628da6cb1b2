//===- Statistics.h - small samples, drifts ----------------*- C++ -*-===//
//
// What the policy needs to tell a difference from noise. The test assumes nothing of
// the noise but that it is the same for both.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <vector>

namespace sluice::elastic {

/// 0 if there are no values.
double median(std::vector<double>);

/// The test of Mann and Whitney (1947): the probability that `a` would rank as low against `b` as
/// it does if both were from one distribution. Exact up to 20 values each (a tie counts half), else
/// by the normal approximation. 1 if one of them is empty.
double probabilityLower(const std::vector<double> &a, const std::vector<double> &b);

/// A cumulative sum that detects a drift (Page, 1954). It adds up what a value is above the mean
/// and an allowance, and never falls below 0.
struct Cusum {
  double allowance = 0, limit = 1, sum = 0;
  /// True if the sum is above the limit.
  bool add(double aboveMean);
};

} // namespace sluice::elastic
