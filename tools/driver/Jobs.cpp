//===- Jobs.cpp - sluice jobs ---------------------------------------------===//
#include "runtime/exchange/Jobs.h"
#include "runtime/base/os.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"

using namespace sluice;
using namespace sluice::driver;

int driver::jobsCommand() {
  std::vector<exchange::RunningJob> jobs;
  std::vector<int64_t> silent;
  std::string problem = exchange::findJobs(2 * os::kNanos, jobs, silent);
  if (!problem.empty())
    return fail(llvm::createStringError(problem));
  for (int64_t process : silent)
    llvm::errs() << "sluice: warning: process " << process
                 << " does not answer: it is stopped, or of another version\n";
  llvm::outs() << (jobs.empty() ? "no running program exports or imports streams\n"
                                : exchange::jobsText(jobs));
  return 0;
}
