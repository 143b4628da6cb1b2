//===- Job.h - what all PEs of a job know -----------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/job/Ledger.h"
#include "runtime/remote/host/HostPipe.h"
#include "runtime/remote/peer/Socket.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// Sockets over which PE 0 tells the others what to do for checkpoints.
struct Channels {
  std::vector<remote::Socket> members; // in PE 0: of PE 1 and so on
  remote::Socket coordinator;          // in each other one: of PE 0
};

/// Where the PEs of a job are, and how they know each other. The same in all of them.
struct Job {
  uint64_t id = 0;                        // frames say it
  std::array<uint8_t, 32> token = {};     // a secret of the job: who lacks it is refused
  std::vector<std::string> addresses;     // by PE: unix:PATH, or HOST:PORT
  bool isWatched = false;                 // a launcher says when a PE dies
  Ledger *ledger = nullptr;               // of a job with a launcher; else null
  bool isAgain = false;                   // this one was started before
  Channels channels;                      // of a job with a launcher that makes checkpoints
  std::unique_ptr<remote::HostPipe> host; // that carries all links of this PE; null: there is none

  bool hasEnded(uint32_t pe) const { return ledger && ledger->hasEnded(pe); }
};

/// A job with an id and a token that nobody else has, and no addresses.
Job newJob();

/// A job on this machine: sockets in a directory of its own, which only the user can enter. The
/// destructor removes it.
class LocalJob {
public:
  explicit LocalJob(JobSize);
  ~LocalJob();
  LocalJob(const LocalJob &) = delete;

  Job &job() { return made; }
  /// Removes the directory before the destructor does.
  void remove();
  /// What is wrong; empty: nothing.
  const std::string &problem() const { return failed; }

private:
  Job made;
  Ledger ledger;
  std::string directory, failed;
};

} // namespace sluice
