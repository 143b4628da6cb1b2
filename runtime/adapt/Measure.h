//===- Measure.h - two snapshots become what a policy is told ---*- C++ -*-===//
#pragma once
#include "runtime/adapt/Nodes.h"
#include "runtime/base/os.h"
#include "runtime/exec/metrics/CounterSample.h"

namespace sluice::adapt {

/// The counters of a program and the processor time used, at one moment.
struct Snapshot {
  CounterSample counters;
  os::CpuTime cpu;
};
Snapshot takeSnapshot(const Program &);

/// What happened between the two, as long as `set` was the configuration. `began`: when the program
/// did (os::now()).
elastic::Sample measure(const Nodes &, const ProgramDesc &, const elastic::Configuration &set,
                        int64_t began, const Snapshot &earlier, Snapshot later);

} // namespace sluice::adapt
