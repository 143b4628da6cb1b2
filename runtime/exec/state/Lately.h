//===- Lately.h - a rate over the last third of a second ---------*- C++ -*-===//
#pragma once
#include <algorithm>
#include <cstdint>

namespace sluice {

/// How much comes in a span of time, averaged over about the last third of a second: a source that
/// fills queues is much faster for a moment, and then waits until they drain. A longer gap counts
/// as that third of a second: a program that was stopped (SIGSTOP, a virtual machine that is
/// paused) is as fast afterwards as it was. By one thread.
class Lately {
public:
  /// `more` has come in the last `spent` ns.
  void add(double more, int64_t spent) {
    spent = std::min(spent, int64_t(kMemory));
    double kept = kMemory / (kMemory + double(spent));
    amount = (amount + more) * kept;
    nanos = (nanos + double(spent)) * kept;
  }
  /// What comes in `span` ns; 0 before the first add().
  double within(int64_t span) const { return nanos > 0 ? amount * double(span) / nanos : 0; }

private:
  static constexpr double kMemory = 300e6; // ns
  double amount = 0, nanos = 0;
};

} // namespace sluice
