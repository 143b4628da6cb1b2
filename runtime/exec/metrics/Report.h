//===- Report.h - what --stats and --metrics-json ask for ------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <functional>
#include <string>

namespace sluice {

/// Opens the file of --metrics-json. 0, or the exit code: it cannot be written, which was reported.
int openMetrics(Program &);
/// Whether the table of --stats is shown while the program runs: on a terminal, if no other PE
/// would show one there.
bool showsStats(const Program &);
/// Shows it about once a second, on a thread of its own, until the end. What fused operators did is
/// derived as if all tuples that entered a segment had left it. `limit` says what limits the
/// program at the moment; empty: that is not known.
void showStatsUntil(Program &, const os::Event &end, const std::function<std::string()> &limit);
/// Prints and writes what --stats and --metrics-json ask for, after all threads have ended; without
/// --stats, what operators have left out. Returns `exitCode`, or another one if that fails.
int reportCounters(Program &, int exitCode, const std::string &summary);

} // namespace sluice
