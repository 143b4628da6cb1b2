//===- RunJob.h - a program in one or several processes ---------*- C++ -*-===//
#pragma once
#include "runtime/exec/job/Ledger.h"
#include "runtime/exec/options/RunOptions.h"
#include <functional>

namespace sluice {

/// Runs a program that has so many PEs; 0: it was not built for several. What runs here is, as the
/// options say, all of it, one PE, or the launcher. `run(options)` runs a program or a PE in this
/// process. Returns the exit code.
int runJob(const char *mainName, RunOptions, JobSize, const std::function<int(RunOptions)> &run);

} // namespace sluice
