//===- Random.h - reproducible chance ---------------------------*- C++ -*-===//
//
// Random numbers from a seed. They are the same on every machine and with every
// library, so a simulation can be repeated.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cmath>
#include <cstdint>

namespace sluice::sim {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() { // splitmix64
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return double(bits() >> 11) * 0x1p-53; }
  uint32_t below(uint32_t bound) { return uint32_t(bits() % bound); }

  double normal() {
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform());
  }

  /// A number of events, of which there are `mean` on average.
  double poisson(double mean) {
    if (mean > 30)
      return std::fmax(0, std::round(mean + std::sqrt(mean) * normal()));
    double limit = std::exp(-mean), product = uniform();
    double count = 0;
    for (; product > limit; product *= uniform())
      ++count;
    return count;
  }

private:
  uint64_t state;
};

} // namespace sluice::sim
