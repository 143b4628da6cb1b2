//===- Restarts.h - a program of one process that is started again --*- C++ -*-===//
#pragma once
#include "runtime/base/process.h"
#include "runtime/exec/options/RunOptions.h"
#include <functional>

namespace sluice {

/// Whether a process was ended by a signal, by a fault that it has reported, or by abort() and the
/// like: not by an error.
bool hasDied(const os::ChildEnd &);
/// The exit code that stands for its end.
int codeOf(const os::ChildEnd &);

/// Has a launcher hold what processes say to `kept`. Null: the system cannot, and nothing is held.
KeptFiles *keepFor(os::ParentSignals &, KeptFiles &kept);

/// Runs a program with --restart and --checkpoint in a process of its own. One that has died is
/// started again and goes on from its last checkpoint. Returns the exit code
/// of the last one.
int runWithRestarts(const char *mainName, RunOptions, const std::function<int(RunOptions)> &run);

} // namespace sluice
