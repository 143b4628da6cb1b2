//===- LatencyCounts.h - how long tuples take, in slots ---------*- C++ -*-===//
//
// A batch is stamped (Batch::birth) when a source forwards it, and what a segment makes of it has
// the same stamp. Where a segment forwards nothing the latency path of its tuples ends, and the
// thread counts how long it was. So latency is that of batches, weighted by their tuples: the time
// that a source keeps a tuple before it forwards (a millisecond at most) is not part of it.
//
// Paths are timed only if the result will be looked at (RunOptions::timesLatency). The clock is
// read twice for each, but not where many small batches are made of one: of those the paths that
// end in the same tick are as long as the last one that was timed, up to kUntimed tuples.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/counters/Counters.h"
#include "runtime/exec/counters/Meter.h"
#include <algorithm>
#include <bit>

namespace sluice {

/// Tuples by the cycles that their latency path took: eight slots to an octave. Written by one
/// thread, read by anybody.
struct LatencyCounts {
  static constexpr uint32_t kSlots = 8 * 62;
  static constexpr uint64_t kUntimed = 64;
  Counter counts[kSlots] = {};

  /// The slot of a number of cycles.
  static uint32_t slotOf(uint64_t cycles) {
    if (cycles < 8)
      return uint32_t(cycles);
    uint32_t octave = uint32_t(std::bit_width(cycles)) - 1;
    return 8 * (octave - 2) + (uint32_t(cycles >> (octave - 3)) & 7);
  }
  /// The end of a slot, in cycles: all numbers in it are below.
  static double endOf(uint32_t slot) {
    if (slot < 8)
      return slot + 1;
    return double(8 + slot % 8 + 1) * double(uint64_t(1) << (slot / 8 - 1));
  }

  /// A latency path from `birth` until now, in the `tick`th millisecond, has ended for `tuples`
  /// tuples. The clocks of two processors may differ a little, so the difference may be negative.
  void add(uint64_t birth, uint64_t tuples, uint32_t tick) {
    untimed += tuples;
    if (birth != last.birth || tick != last.tick || untimed > kUntimed) {
      int64_t cycles = int64_t(CycleClock::now() - birth);
      last = {birth, tick, slotOf(uint64_t(std::max<int64_t>(cycles, 0)))};
      untimed = 0;
    }
    counts[last.slot].add(tuples);
  }

private:
  /// What was timed last.
  struct Timed {
    uint64_t birth = 0;
    uint32_t tick = 0, slot = 0;
  } last;
  uint64_t untimed = 0; // tuples since then
};

} // namespace sluice
