//===- Measure.h - two snapshots become what a policy is told ---*- C++ -*-===//
#pragma once
#include "runtime/adapt/Nodes.h"
#include "runtime/base/os.h"
#include "runtime/exec/metrics/CounterSample.h"

namespace sluice::adapt {

/// The counters of a program and the processor time that it has used, at one moment.
struct Snapshot {
  CounterSample counters;
  os::CpuTime cpu;
};
/// Any thread, while the program runs.
Snapshot takeSnapshot(const Program &);

/// The sample of the interval between two snapshots, while `set` was the configuration. `began`:
/// when the program began (os::now()).
elastic::Sample measure(const Nodes &, const ProgramDesc &, const elastic::Configuration &set,
                        int64_t began, const Snapshot &earlier, Snapshot later);

} // namespace sluice::adapt
