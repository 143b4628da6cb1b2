//===- Episode.h - the search for one load -----------------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/ModelOptions.h"

namespace sluice::elastic {

/// The search that began with the program or with the last alarm: its time and its comparisons.
struct Episode {
  double began = -1;       // seconds since the program began; below 0: no rows yet
  bool afterAlarm = false; // it was not the first one
  uint32_t comparisons = 0;

  /// When its comparisons must end, in seconds since the program began.
  double end(const ModelOptions &options) const {
    return began + (afterAlarm ? options.resettle : options.settle);
  }
  bool mayCompare() const { return comparisons < (afterAlarm ? mostAfterAlarm : most); }
  /// Nothing else is compared in it.
  void close() { comparisons = most; }

private:
  static constexpr uint32_t most = 6, mostAfterAlarm = 3;
};

} // namespace sluice::elastic
