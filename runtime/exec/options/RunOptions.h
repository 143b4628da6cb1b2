//===- RunOptions.h - the command line of a run --------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/options/CheckpointOptions.h"
#include "runtime/exec/options/ClockKind.h"
#include "runtime/exec/options/RunOptionTable.h"
#include "runtime/remote/link/LinkOptions.h"
#include "runtime/value/Text.h"
#include "sluice/abi.h"
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct Job;
class KeptFiles;

/// What the command line and the environment say. Read-only once threads run.
struct RunOptions {
  std::string dataDir;        // where relative file names start
  bool deterministic = false; // one tuple at a time, sources in turn
  ClockKind clock = ClockKind::Real;
  uint32_t batchRows = 0;            // rows of a batch, at most; 0: as compiled
  uint32_t memory = 1024;            // MiB that all queues may hold
  double stopTimeout = 5;            // seconds, see Watchdog; 0: for ever
  uint64_t memoryLimit = 0;          // bytes that heaps, arenas and batches may take; 0: not given
  uint32_t threads = 0;              // workers; 0: as compiled, or Workers.cpp decides
  const char *threadsFrom = nullptr; // the option or variable that said so; null: none did
  /// Which of the switchable ports start as queues: all, none, or names of operators.
  std::string queues = "none";
  const char *queuesFrom = nullptr;  // the option or variable that said so; null: none did
  std::string width;                 // workers that may run a port at once: N or OPERATOR=N,...
  std::string elastic = "model";     // the policy, or off
  const char *elasticFrom = nullptr; // the option or variable that said so; null: none did
  std::vector<std::pair<std::string, double>> elasticOptions; // constants of the policy
  bool constantsAsked = false;                                // --elastic-option=help
  double latency = 0, cpus = 0; // bounds for the policy: seconds, processors; 0: none
  std::string traceFile;        // of the policy's decisions; empty: none
  FloatText floatText = FloatText::Spl;
  uint32_t seed = 0;      // of random(); 0: another one in each run
  uint32_t chaos = 0;     // seed of random changes of modes and levels (for tests); 0: none
  uint32_t saveEvery = 0; // batches after which state is saved and restored (for tests)
  CheckpointOptions checkpoints;
  bool sampling = false;                 // times come from the Profiler, not from the cycle counter
  bool stats = false;                    // print a table of the counters at the end
  std::string metricsFile;               // write the counters there at the end; empty: nowhere
  int32_t pe = -1;                       // which PE of a job this is; -1: the launcher, or no job
  const Job *job = nullptr;              // of which it is one; null: none
  bool isHosted = false;                 // it is one PE, and who has started it carries its links
  bool printsJob = false;                // describe the job as JSON, and run nothing
  uint32_t pes = 0;                      // how many the user takes it for; 0: not given
  std::string jobFile;                   // where the PEs are; empty: they are started here
  std::string newJob;                    // hosts of a file that is to be written; empty: none is
  uint32_t restart = 0;                  // how often the launcher starts a PE again
  KeptFiles *kept = nullptr;             // of a launcher that does so with state; null: of none
  remote::LinkOptions links;             // between PEs; how large frames are is the stream's
  bool mayListen = false;                // servers: beyond loopback
  std::optional<std::string> console;    // --console: where it listens; empty: at a free port
  bool consolePauses = false;            // it may pause the adaptation
  bool consoleTaps = false;              // it may show tuples
  std::vector<std::string> consoleHides; // names of attributes whose values it never shows
  std::string consoleToken;              // the file of its token; empty: it makes one
  std::string consoleHost;               // the name by which a proxy reaches it; empty: none
  std::string metricsAt;                 // --metrics: where it listens; empty: nowhere
  int process = 0;                 // the number of the job: of its launcher, or its only process
  bool exchange = true;            // Export and Import connect jobs
  int traceLevel = 1;              // 0 off, 1 error, 2 warn, 3 info, 4 debug, 5 trace
  std::vector<std::string> given;  // the arguments of the command line, without what is secret
  std::vector<std::string> values; // by submission-time value: what was given, or its default
  std::vector<std::string> shown;  // by submission-time value: what messages and files may have
  std::vector<bool> isDefault;     // by submission-time value; the default of a list is a literal

  /// True if a console, a server of metrics or a host looks at the program from its beginning.
  bool isWatched() const { return console || !metricsAt.empty() || isHosted; }
  /// True if latency paths are to be timed: the result will be looked at.
  bool timesLatency() const {
    return stats || latency > 0 || !metricsFile.empty() || !traceFile.empty() || isWatched();
  }
  /// True if segments are to be timed.
  bool timesSegments() const {
    return stats || elastic != "off" || !metricsFile.empty() || !traceFile.empty() || isWatched();
  }
};

/// Reads the command line and the environment. If the run ends here (help, an error) it prints what
/// there is to say, sets exitCode and returns nothing.
std::optional<RunOptions> parseOptions(const ProgramDesc &, int argc, char **argv, int &exitCode);

} // namespace sluice
