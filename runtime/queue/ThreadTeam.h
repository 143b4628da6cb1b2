//===- ThreadTeam.h - a team of plain threads -------------------*- C++ -*-===//
//
// For ThreadSanitizer, which does not follow libomp's barriers, and for targets without OpenMP.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/queue/Team.h"
#include <vector>

namespace sluice::queue {

class ThreadTeam final : public Team {
public:
  uint32_t open(uint32_t threads) override { return size = threads; }
  void run(Body body) override {
    for (uint32_t i = 0; i < size; ++i)
      threads.emplace_back([body, i] { body(i); }, kStackBytes);
  }
  void join() override { threads.clear(); } // an os::Thread joins when it is destroyed

private:
  uint32_t size = 0;
  std::vector<os::Thread> threads;
};

} // namespace sluice::queue
