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

/// $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp; one that leaves room for the names of sockets.
static std::string parentOfJobs() {
  constexpr size_t kMost = 64; // of the 107 bytes that such a name may have
  for (const char *variable : {"XDG_RUNTIME_DIR", "TMPDIR"})
    if (const char *named = getenv(variable); named && *named == '/' && strlen(named) <= kMost)
      return named;
  return "/tmp";
}

LocalJob::LocalJob(JobSize size) : made(newJob()), ledger(size) {
  if (!ledger) {
    failed = "there is no memory that its PEs share";
    return;
  }
  directory = parentOfJobs() + "/sluice-job-XXXXXX";
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
