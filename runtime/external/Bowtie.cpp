//===- Bowtie.cpp - streams on a slow device that meet in memory ----------===//
#include "runtime/external/Bowtie.h"
#include <algorithm>
#include <cmath>

namespace sluice::external {

/// Runs are as long as they can be if refilled : emptied is sqrt(inputs) : sqrt(outputs). Whole
/// numbers up to this come within 1 % of that.
static constexpr uint64_t kMostOfSmaller = 8;

static uint64_t seeksOf(const Stage &stage, const Turn &turn) {
  return (stage.reads ? turn.refilled : 0) + (stage.writes ? turn.emptied : 0);
}

/// How often a byte that goes through is moved on the device.
static double movesOf(const Stage &stage) { return double(stage.reads) + double(stage.writes); }

double bytesOfTurn(double memory, const Stage &stage, const Turn &turn) {
  return 2 * memory /
         (double(stage.outputs) / double(turn.emptied) +
          double(stage.inputs) / double(turn.refilled));
}

double meanRun(double memory, const Stage &stage, const Turn &turn) {
  return movesOf(stage) * bytesOfTurn(memory, stage, turn) /
         double(std::max<uint64_t>(seeksOf(stage, turn), 1));
}

Turn bestTurn(const Stage &stage) {
  if (!stage.reads || !stage.writes) // the other side costs nothing: serve all of it in each turn
    return {stage.reads ? 1 : stage.inputs, stage.writes ? 1 : stage.outputs};
  bool more = stage.outputs >= stage.inputs;
  uint64_t few = std::min(stage.inputs, stage.outputs),
           many = std::max(stage.inputs, stage.outputs);
  Turn best;
  double longest = 0;
  for (uint64_t a = 1; a <= std::min(few, kMostOfSmaller); ++a) {
    auto ideal = uint64_t(double(a) * std::sqrt(double(many) / double(few)));
    for (uint64_t b : {ideal, ideal + 1}) {
      b = std::clamp<uint64_t>(b, 1, many);
      Turn turn = more ? Turn{a, b} : Turn{b, a};
      if (double run = meanRun(1, stage, turn); run > longest * (1 + 1e-12)) {
        longest = run;
        best = turn;
      }
    }
  }
  return best;
}

double evenRun(double memory, const Stage &stage) {
  return memory / double((stage.reads ? stage.inputs : 0) + (stage.writes ? stage.outputs : 0));
}

double secondsPerByte(const Device &device, const Stage &stage, double run) {
  return (stage.reads ? 1 / device.readRate : 0) + (stage.writes ? 1 / device.writeRate : 0) +
         movesOf(stage) * device.seek / run;
}

} // namespace sluice::external
