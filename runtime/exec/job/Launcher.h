//===- Launcher.h - starts the PEs of a job ---------------------*- C++ -*-===//
//
// The launcher is the process that the user started. It forks one process for each PE, so that code
// compiled in memory is there in all of them, and waits for these. It has no power that another
// process manager lacks: a PE is what `--pe=K --job=FILE` starts as well.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/job/Ledger.h"
#include "runtime/exec/options/RunOptions.h"
#include <functional>

namespace sluice {

/// Runs a job. `run(options)` runs one and returns its exit code; it is called in a
/// process of its own. Returns the exit code of the job: that of the first PE that failed.
///
/// Signals that end a program go to all PEs, which drain. A PE that dies of a signal is reported.
/// One that has died or failed is started again as often as --restart says; then the others are
/// told to end. Where checkpoints are made all are started again when one has died, together, and a
/// failure ends the job.
int launch(const char *mainName, const RunOptions &, JobSize,
           const std::function<int(RunOptions)> &run);

} // namespace sluice
