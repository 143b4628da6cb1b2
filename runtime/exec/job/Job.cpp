//===- Job.cpp - what all PEs of a job know -------------------------------===//
#include "runtime/exec/job/Job.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace sluice {

Job newJob() {
  Job job;
  job.id = os::secretBits();
  for (size_t at = 0; at < job.token.size(); at += sizeof(uint64_t)) {
    uint64_t bits = os::secretBits();
    memcpy(job.token.data() + at, &bits, sizeof bits);
  }
  return job;
}

LocalJob::LocalJob(JobSize size) : made(newJob()), ledger(size) {
  if (!ledger) {
    failed = "there is no memory that its PEs share";
    return;
  }
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  directory = std::string(runtime && *runtime ? runtime : "/tmp") + "/sluice-job-XXXXXX";
  if (int error = os::makePrivateDirectory(directory)) {
    failed = directory + ": " + os::errorText(-error);
    directory.clear();
    return;
  }
  made.isWatched = true;
  made.ledger = &ledger;
  for (uint32_t pe = 0; pe < size.pes; ++pe)
    made.addresses.push_back("unix:" + directory + "/pe" + std::to_string(pe) + ".sock");
}

LocalJob::~LocalJob() { remove(); }

void LocalJob::remove() {
  std::error_code ignored;
  if (!directory.empty())
    std::filesystem::remove_all(directory, ignored);
}

} // namespace sluice
