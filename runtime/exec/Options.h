//===- Options.h - the command line of a run --------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct Options {
  std::string dataDir;
  bool deterministic = false;
  uint32_t batchRows = 0; // 0: as compiled
  uint32_t memory = 1024; // MiB that queues may hold
  uint32_t threads = 0;   // workers; 0: one a hardware thread
  std::string queues = "none"; // all, none or operators, of the switchable ports
  uint32_t chaos = 0;     // a seed: modes and levels change at random (for tests)
  bool stats = false;     // print a table of the counters at the end
  std::string metricsFile; // write them there; empty: nowhere
  int traceLevel = 1;     // 0 off, 1 error, 2 warn, 3 info, 4 debug, 5 trace
  /// By submission value: what was given, or its default.
  std::vector<std::string> values;
};

/// Reads the command line. If the run ends here (help, an error), prints what
/// there is to say, sets exitCode and returns nothing.
std::optional<Options> parseOptions(const ProgramDesc &, int argc, char **argv, int &exitCode);

} // namespace sluice
