//===- Team.h - the threads of the workers ----------------------*- C++ -*-===//
//
// A team makes the threads that run Scheduler::work(). It is opened before the scheduler exists,
// because only then is known how many threads there are: OMP_THREAD_LIMIT may allow fewer than
// were asked for. Which class a build uses is the CMake option SLUICE_TEAM.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace sluice::queue {

class Team {
public:
  using Body = std::function<void(uint32_t worker)>;

  /// Bytes of each thread's stack: reserved, not used. A worker that waits for space runs other
  /// batches, without a limit of depth. OpenMP has one size for all teams of a process.
  static constexpr size_t kStackBytes = size_t(64) << 20;

  /// Ends the threads of a team that never ran; join() must have been called if it did.
  virtual ~Team() = default;
  /// Makes at most `threads` threads, at least 1. Returns how many there are. Called once.
  virtual uint32_t open(uint32_t threads) = 0;
  /// Each thread calls body(worker) once, with numbers from 0. Called once, after open().
  virtual void run(Body body) = 0;
  /// Returns when all calls have returned and the threads have ended.
  virtual void join() = 0;
};

/// The team that this build uses.
std::unique_ptr<Team> makeTeam();

/// For a thread that is not of the team but runs operators: a parallel region that such an operator
/// opens with OpenMP gets at most `threads` threads. The affinity of the thread stays.
void limitOwnRegions(uint32_t threads);

} // namespace sluice::queue
