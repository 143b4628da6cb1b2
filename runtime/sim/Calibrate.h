//===- Calibrate.h - what this machine charges ------------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Machine.h"

namespace sluice::sim {

/// Measures hand-off (with the code of runtime/queue), copies, cache lines and wakes on
/// this machine: lower quartiles of several short runs, a few seconds in all. What needs two
/// hardware threads keeps its default where there is one. Not measured: SMT, cacheBytes.
Machine calibrate();

} // namespace sluice::sim
