//===- Statistics.cpp - small samples, drifts ------------------------------===//
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + long(middle), values.end());
  double high = values[middle];
  if (values.size() % 2)
    return high;
  return (*std::max_element(values.begin(), values.begin() + long(middle)) + high) / 2;
}

/// The share of all orders of `m` and `n` values in which at most `u` pairs have the value of the
/// first kind above that of the second.
static double exactTail(size_t m, size_t n, double u) {
  // ways[i][s]: the number of orders in which, of the values seen so far in ascending order, i are
  // of the first kind, with s such pairs.
  std::vector<std::vector<double>> ways(m + 1, std::vector<double>(m * n + 1));
  ways[0][0] = 1;
  for (size_t seen = 0; seen < m + n; ++seen)
    for (size_t i = std::min(m, seen + 1); i-- > 0;) {
      size_t below = seen - i; // values of the second kind, if this one is of the first
      if (below > n)
        continue;
      for (size_t s = 0; s + below <= m * n; ++s)
        ways[i + 1][s + below] += ways[i][s];
    }
  double all = 0, tail = 0;
  for (size_t s = 0; s <= m * n; ++s) {
    all += ways[m][s];
    tail += double(s) <= u ? ways[m][s] : 0;
  }
  return tail / all;
}

double probabilityLower(const std::vector<double> &a, const std::vector<double> &b) {
  if (a.empty() || b.empty())
    return 1;
  double u = 0;
  for (double x : a)
    for (double y : b)
      u += x > y ? 1 : x == y ? 0.5 : 0;
  double m = double(a.size()), n = double(b.size());
  if (a.size() <= 20 && b.size() <= 20)
    return exactTail(a.size(), b.size(), u);
  double z = (u + 0.5 - m * n / 2) / std::sqrt(m * n * (m + n + 1) / 12);
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

bool Cusum::add(double aboveMean) {
  sum = std::max(0.0, sum + aboveMean - allowance);
  return sum > limit;
}

} // namespace sluice::elastic
