//===- Report.h - what --stats and --metrics-json ask for ------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

/// Opens the file of --metrics-json. 0, or the exit code: it cannot be written, which was reported.
int openMetrics(Program &);
/// Prints and writes what --stats and --metrics-json ask for, after all threads have ended. Returns
/// `exitCode`, or another one if that fails.
int reportCounters(Program &, int exitCode);

} // namespace sluice
