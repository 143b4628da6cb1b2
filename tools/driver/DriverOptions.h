//===- DriverOptions.h - the driver's command line -----------------*- C++ -*-===//
//
// Parsing, error messages and --help come from one table of commands and options. Options that
// start with --mlir- go to MLIR as they are. After the source file, arguments NAME=VALUE and the
// options of a run go to the program.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/Phases.h"
#include "frontend/diagnostics/Diagnostics.h"
#include "passes/print/PrintGraph.h"
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::driver {

enum class Command {
  Run,
  Build,
  Check,
  Ir,
  Graph,
  Explain,
  Job,
  Jobs,
  Console,
  Stats,
  Stop,
  Submit,
  ClusterUp,
  ClusterDown,
  Doc,
  ExplainError,
  New,
  TraceShow,
  TracePlot,
  TraceReplay,
  TraceDiff,
  TracePerfetto,
  CheckpointList,
  CheckpointShow,
  CheckpointVerify,
  CheckpointNow,
  CheckpointRemove,
  Test,
  Bench,
  Install,
  Uninstall,
  Package,
  Help,
  Version
};

/// Of commands for a cluster.
struct ClusterOptions {
  std::string address; // HOST or HOST:PORT, or several with commas between them
  std::string from, savepoint, folder, listens;
  unsigned hosts = 2, slots = 4, port = 8081;
  bool hasStandby = false; // a second master
  bool waits = false;      // until the job has ended
  bool endsAtOnce = false; // without what is on its way
};

struct DriverOptions {
  Command command = Command::Help;
  std::string input, second;     // input: a file or `-`; of new, a name; second: of trace diff
  std::vector<std::string> more; // behind input: files and folders of check, words of doc, numbers
  std::string main, appDir, output, target, cpu, emit;
  std::optional<GraphFormat> format; // of graph; none: as the ending of `output` says
  std::optional<Phase> stopAfter;
  std::optional<std::array<Phase, 2>> diff; // of ir: two phases
  std::vector<std::string> only;            // of ir: operators
  BoundaryChoice boundaries = BoundaryChoice::Auto;
  MergeOrder mergeOrder = MergeOrder::Exact;
  std::string pes = "1";
  ClusterOptions cluster;
  std::string hosts = "localhost"; // of job
  std::vector<std::string> toolkits;
  std::vector<std::pair<std::string, std::string>> compileTimeValues;
  std::vector<std::string> templateArgs; // of files in mixed mode
  std::vector<std::string> programArgs;  // NAME=VALUE and run options
  std::vector<std::string> mlirFlags;
  std::vector<std::string> rest; // of commands that are scripts
  unsigned optLevel = 2;
  unsigned errorLimit = 20; // 0: none
  unsigned columns = 0;     // of a terminal; 0: ask it
  bool follow = false, numbers = false;
  Diagnostics::Warnings warnings = Diagnostics::Warnings::Shown;
  bool verifyDiagnostics = false, timing = false;
  bool source = false;                     // of ir: lines of the program, too
  bool json = false, allowMissing = false; // of check
  bool allowNative = false;                // C++ of toolkits that are not the application's own
  bool closeWindows = false;               // windows fire when their input ends

  bool fromStdin() const { return input == "-"; }
  /// `input` and `more`.
  std::vector<std::string> words() const;
  /// The file that the command writes: by -o, or by the name of its input. Empty or `-`: the
  /// console.
  std::string written() const;
  /// The source file in messages.
  std::string sourceName() const { return fromStdin() ? "<stdin>" : input; }
};

/// Parses the command line. A returned exit code >= 0 ends the driver: help was
/// printed (0) or the usage was wrong (2).
int parseCommandLine(int argc, char **argv, DriverOptions &options);

} // namespace sluice::driver
