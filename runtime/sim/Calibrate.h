//===- Calibrate.h - what this machine charges ------------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Machine.h"

namespace sluice::sim {

/// Measures hand-offs (with the code of runtime/queue), copies, cache lines and wakes on this
/// machine. Takes the lower quartile of several short runs, a few seconds in all. What needs two
/// hardware threads keeps its default if there is only one. SMT and cacheBytes are not measured.
Machine calibrate();

} // namespace sluice::sim
