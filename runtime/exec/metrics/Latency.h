//===- Latency.h - how long tuples are on their way --------------*- C++ -*-===//
//
// A batch is stamped where a source hands it on; what a segment makes of it has its
// stamp. Where a segment hands nothing on, the way of its tuples ends, and the thread
// counts how long it was. So it is of batches, weighted by their tuples: what a source
// keeps before it forwards (a millisecond at most) is not in it.
//
// Only where somebody will look (Options::timesWays): a clock is read twice for each way.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/metrics/Counters.h"
#include <bit>

namespace sluice {

/// Tuples by the cycles that their way took: eight slots to an octave. Written by one thread.
struct LatencyCounts {
  static constexpr uint32_t kSlots = 8 * 62;
  Counter counts[kSlots] = {};

  static uint32_t slotOf(uint64_t cycles) {
    if (cycles < 8)
      return uint32_t(cycles);
    uint32_t octave = uint32_t(std::bit_width(cycles)) - 1;
    return 8 * (octave - 2) + (uint32_t(cycles >> (octave - 3)) & 7);
  }
  /// What is above all cycles of the slot, as a number of cycles.
  static double endOf(uint32_t slot) {
    if (slot < 8)
      return slot + 1;
    return double(8 + slot % 8 + 1) * double(uint64_t(1) << (slot / 8 - 1));
  }

  /// `tuples` were on their way from `birth` until now. Clocks of two processors may differ a
  /// little.
  void add(uint64_t birth, uint64_t tuples) {
    counts[slotOf(uint64_t(std::max<int64_t>(int64_t(CycleClock::now() - birth), 0)))].add(tuples);
  }
};

/// The tuples whose way has ended, as far as it was timed.
uint64_t timedTuples(const Sample &);
/// Seconds within which the way of that share of them ended: above it by an eighth at most. Below
/// 0: there are none.
double latencyWithin(const Sample &, double share);

} // namespace sluice
