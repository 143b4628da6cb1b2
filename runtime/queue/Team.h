//===- Team.h - the threads of the workers ----------------------*- C++ -*-===//
//
// All that the scheduler asks of a team: call a body once per worker, each on a
// thread of its own, and come back when all have returned.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include <vector>

namespace sluice::queue {

class ThreadTeam {
public:
  /// Stacks are sized for the longest path of the graph: helping has no depth limit.
  void start(uint32_t workers, size_t stackBytes, std::function<void(uint32_t worker)> body) {
    for (uint32_t i = 0; i < workers; ++i)
      threads.emplace_back([body, i] { body(i); }, stackBytes);
  }
  void join() { threads.clear(); } // a Thread joins when it goes

private:
  std::vector<os::Thread> threads;
};

} // namespace sluice::queue
