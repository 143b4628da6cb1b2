//===- Options.h - the command line of a run --------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct Options {
  std::string dataDir;
  bool deterministic = false;
  uint32_t batchRows = 0;            // 0: as compiled
  uint32_t memory = 1024;            // MiB that queues may hold
  uint32_t threads = 0;              // workers; 0: one a hardware thread
  std::string queues = "none";       // all, none or operators, of the switchable ports
  const char *queuesFrom = nullptr;  // who said so, for messages; null: nobody
  std::string elastic = "model";     // the policy, or off
  const char *elasticFrom = nullptr; // who said so; null: nobody
  std::vector<std::pair<std::string, double>> elasticOptions; // constants of the policy
  double latency = 0, cpus = 0; // bounds for the policy: seconds, processors; 0: none
  std::string traceFile;        // of the policy's decisions; empty: nowhere
  std::string width;            // N or OPERATOR=N,...: workers that may run a shared port at once
  uint32_t chaos = 0;           // a seed: modes and levels change at random (for tests)
  bool sampling = false;   // times by looking at threads (Profiler.h), not by the cycle counter
  bool stats = false;      // print a table of the counters at the end
  std::string metricsFile; // write them there; empty: nowhere
  /// Somebody will look at how long tuples are on their way.
  bool timesLatency() const {
    return stats || latency > 0 || !metricsFile.empty() || !traceFile.empty();
  }
  /// Or at what segments take.
  bool timesSegments() const {
    return stats || elastic != "off" || !metricsFile.empty() || !traceFile.empty();
  }
  int traceLevel = 1;             // 0 off, 1 error, 2 warn, 3 info, 4 debug, 5 trace
  std::vector<std::string> given; // the words of the command line
  /// By submission value: what was given, or its default.
  std::vector<std::string> values;
};

/// Reads the command line. If the run ends here (help, an error), prints what
/// there is to say, sets exitCode and returns nothing.
std::optional<Options> parseOptions(const ProgramDesc &, int argc, char **argv, int &exitCode);

} // namespace sluice
