//===- SplitPlan.h - in how many passes, and how wide -----------*- C++ -*-===//
//
// n streams become m streams in one pass, or in several narrow ones with longer runs: merges, one
// pass in which inputs meet outputs, and splits. The plan is the cheapest for a device, by dynamic
// programming over the widths.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/external/Bowtie.h"
#include <vector>

namespace sluice::external {

struct Pass {
  Stage stage;
  Turn turn;
  double run; // bytes, mean
};

struct Plan {
  std::vector<Pass> passes;
  double secondsPerByte = 0; // of the device, all passes

  /// Bytes/s that are read and written, for each byte that comes: 1 / (sum of 1 / rate of a pass).
  double rate() const { return 2 / secondsPerByte; }
};

/// What is to be planned: the first pass reads from the device, and the last one writes there, if
/// `whole` says so.
struct Problem {
  Device device;
  double memory; // bytes
  Stage whole;
};

/// The cheapest plan. inputs and outputs are at most kMostStreams.
Plan planSplit(const Problem &);
/// All in one pass.
Plan onePass(const Problem &);
/// Only passes of 2 inputs or 2 outputs.
Plan binaryPasses(const Problem &);

constexpr uint64_t kMostStreams = 10'000'000;

} // namespace sluice::external
