//===- FlowFixture.h - pushes without workers -------------------*- C++ -*-===//
#pragma once
#include "Net.h"
#include "runtime/queue/Team.h"
#include <gtest/gtest.h>

namespace sluice::queue::test {
namespace { // nets of other tests are called so, too

struct TestNet : Net<CheckedSys> {
  using Net::Net;
  ~TestNet() { dropQueued(); }
};
using TestScheduler = TestNet::SchedulerT;
constexpr uint64_t kNever = ~0ull; // the net does not finish by itself

inline SchedulerOptions options(uint32_t tokens, int64_t budget = 1 << 20) {
  SchedulerOptions result;
  result.tokens = tokens;
  result.budget = budget;
  result.quantumNanos = 1'000'000'000; // the machine may be slow
  return result;
}

struct QueueFlow : testing::Test {
  TestNet net{3};
  TestScheduler scheduler{options(16), net}; // who runs entries here leaves them in the queue
  Self<CheckedSys> self = scheduler.makeSelf();
  void SetUp() override { net.start(scheduler, kNever); }
};

} // namespace
} // namespace sluice::queue::test
