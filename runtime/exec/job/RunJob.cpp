//===- RunJob.cpp - a program in one or several processes -----------------===//
#include "runtime/exec/job/RunJob.h"
#include "runtime/base/process.h"
#include "runtime/base/text/Words.h"
#include "runtime/exchange/Registry.h"
#include "runtime/exec/job/JobFile.h"
#include "runtime/exec/job/Launcher.h"
#include "runtime/exec/job/Restarts.h"
#include "runtime/exec/job/StartConsole.h"
#include <cstdio>

namespace sluice {

/// What of the options does not fit a program of `count` PEs. Empty: nothing.
static std::string misfit(const RunOptions &options, uint32_t count) {
  uint32_t real = std::max(count, 1u);
  if (options.pes && options.pes != real)
    return "the program was built to run as " + std::to_string(real) + " process" +
           (real == 1 ? "" : "es") + ", not " + std::to_string(options.pes) +
           ": `sluice build --pes=" + std::to_string(options.pes) + " FILE.spl` builds it so";
  if (!count && (options.pe >= 0 || !options.newJob.empty()))
    return "the program runs as one process: `--pes=N` of `sluice build`, `run` and `job` asks for "
           "N, and `sluice explain FILE.spl --pes=N` says what cannot be apart";
  if (options.pe >= 0 && uint32_t(options.pe) >= count)
    return "there is no PE " + std::to_string(options.pe) + ": the program has " +
           counted(count, "PE") + ", from 0 on";
  return "";
}

/// Whether a program of one process is started again.
static bool restartsOne(const RunOptions &options) {
  return options.restart && options.checkpoints.makes();
}

/// The first option of the command line that only several PEs have a use for; else empty.
static std::string ofSeveralPes(const RunOptions &options) {
  for (size_t i = 0; i < options.given.size(); ++i) {
    std::string_view word = options.given[i], name = word.substr(0, word.find('='));
    for (const char *each :
         {"--restart", "--receive", "--transport", "--transport-option", "--delivery"})
      if (name == each && !(restartsOne(options) && name == "--restart")) {
        bool isApart = word == name && i + 1 < options.given.size();
        return options.given[i] + (isApart ? "=" + options.given[i + 1] : "");
      }
  }
  return "";
}

/// Runs one PE for a host, which says which.
static int runHosted(const char *mainName, RunOptions options, const JobSize &size,
                     const std::function<int(RunOptions)> &run) {
  std::string problem;
  Job job;
  job.host = remote::HostPipe::open(size.program, std::max(size.pes, 1u), problem);
  if (!job.host) {
    fprintf(stderr, "%s: error: --hosted: the host cannot be used: %s\n", mainName,
            problem.c_str());
    return 1;
  }
  job.id = job.host->job();
  options.pe = int32_t(job.host->pe());
  options.checkpoints.isHosted = job.host->saves();
  options.checkpoints.resumes = !job.host->state().empty();
  options.checkpoints.blocksFrom = UINT64_MAX; // all of the state goes to the host
  options.job = &job;
  return run(std::move(options));
}

/// Behind the end of all processes of a job that was started here.
static int ended(int job, int code) {
  exchange::Registry registry;
  if (registry.open().empty())
    registry.forget(job);
  return code;
}

int runJob(const char *mainName, RunOptions options, JobSize size,
           const std::function<int(RunOptions)> &run) {
  if (options.isHosted)
    return runHosted(mainName, std::move(options), size, run);
  const uint32_t count = size.pes;
  auto wrong = [&](const std::string &what, int code) {
    fprintf(stderr, "%s: error: %s\n", mainName, what.c_str());
    return code;
  };
  if (std::string what = misfit(options, count); !what.empty())
    return wrong(what, 2);
  if (!options.newJob.empty()) {
    std::string problem = writeJobFile(options.jobFile, options.newJob, count, mainName);
    return problem.empty() ? 0 : wrong(problem, 1);
  }
  options.process = os::processNumber();
  if (options.isWatched())
    if (std::string problem = startConsole(options); !problem.empty())
      return wrong((options.console ? "--console: " : "--metrics: ") + problem, 1);
  if (std::string useless = count < 2 ? ofSeveralPes(options) : ""; !useless.empty())
    fprintf(stderr,
            "%s: warning: %s has no effect: the program runs as one process. "
            "`sluice build --pes=3 FILE.spl` builds it to run as three\n",
            mainName, useless.c_str());
  if (!count && restartsOne(options) && size.staysDown[0])
    fprintf(stderr,
            "%s: warning: --restart has no effect: `config restartable` of an operator is false\n",
            mainName);
  else if (!count && restartsOne(options))
    return ended(os::processNumber(), runWithRestarts(mainName, std::move(options), run));
  if (!count)
    return run(std::move(options));
  if (options.pe < 0)
    return ended(options.process, launch(mainName, options, size, run));
  Job job;
  if (std::string problem = readJobFile(options.jobFile, job); !problem.empty())
    return wrong(problem, 1);
  if (job.addresses.size() != count)
    return wrong(options.jobFile + " has addresses of " + counted(job.addresses.size(), "PE") +
                     ", and the program has " + std::to_string(count),
                 1);
  options.job = &job;
  return run(std::move(options));
}

} // namespace sluice
