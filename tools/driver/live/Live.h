//===- Live.h - programs that run -------------------------------*- C++ -*-===//
#pragma once
#include "runtime/trace/Lines.h"
#include "tools/driver/DriverOptions.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>

namespace sluice::driver {

int jobsCommand();
int statsCommand(const DriverOptions &);
int stopCommand(const DriverOptions &);
int consoleCommand(const DriverOptions &);

/// A process of a job.
struct JobProcess {
  int process = 0;
  int32_t pe = -1; // -1: it runs all of the program
};

/// A job of this user, by its entries in the registry.
struct LiveJob {
  int number = 0; // of its launcher, or its only process
  std::string program;
  int64_t started = 0; // seconds since 1970
  std::vector<JobProcess> processes;
};

/// All jobs of this user that run, the oldest first.
llvm::Expected<std::vector<LiveJob>> findLiveJobs();
/// The job of a number or of a program; an error if there is none, or several.
llvm::Expected<LiveJob> findLiveJob(llvm::StringRef name);

/// What a process has said of itself.
struct LiveLook {
  std::optional<trace::Header> header;
  std::optional<trace::Figures> earlier, later; // with a while in between
};
/// Asks the processes of jobs and waits until all have shown figures twice, for `seconds` at most.
/// By job and process.
llvm::Expected<std::map<std::pair<int, int>, LiveLook>> lookAt(const std::vector<LiveJob> &,
                                                               double seconds);
/// Tuples a second of the sources of a process; below 0: not known.
double rateOf(const LiveLook &);

} // namespace sluice::driver
