//===- DealtCounts.h - tuples of batches that ran for all channels -*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/Counters.h"
#include <cstddef>
#include <vector>

namespace sluice {

/// Where one channel runs a batch for all, its ports count all tuples of the batch. This says how
/// many of them are of each channel: the tuples of a batch go to the channels in turn. Four
/// counters change for a batch, whatever the number of channels. One thread at a time counts, any
/// thread reads.
class DealtCounts {
public:
  explicit DealtCounts(uint32_t channels) : ran(channels), steps(channels) {}

  /// Channel `by` runs `rows` tuples, of which the first is of channel `first`.
  void add(uint32_t by, uint32_t first, uint32_t rows) { count(by, first, rows, 1); }
  /// It has not run them: takes that back.
  void takeBack(uint32_t by, uint32_t first, uint32_t rows) { count(by, first, rows, -1); }

  /// By channel: how many more tuples are of it than its ports have counted.
  std::vector<int64_t> missing() const {
    std::vector<int64_t> result(ran.size());
    uint64_t share = rounds.get();
    for (std::size_t k = 0; k < ran.size(); ++k) {
      share += steps[k].get();
      result[k] = int64_t(share - ran[k].get());
    }
    return result;
  }

private:
  void count(uint32_t by, uint32_t first, uint32_t rows, int64_t sign) {
    const auto width = uint32_t(ran.size());
    const uint32_t end = first + rows % width; // of those that get one more than the others
    rounds.add(uint64_t(sign * (rows / width + (end > width))));
    steps[first].add(uint64_t(sign));
    if (end != width)
      steps[end % width].add(uint64_t(-sign));
    ran[by].add(uint64_t(sign * int64_t(rows)));
  }

  Counter rounds = {};        // tuples that each channel got
  std::vector<Counter> ran;   // by channel: tuples that it has run for all
  std::vector<Counter> steps; // what it got more than the channel before it; wraps around
};

} // namespace sluice
