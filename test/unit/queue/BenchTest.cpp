//===- BenchTest.cpp - what a push costs ------------------------*- C++ -*-===//
//
// Not a test: prints figures, and only on request.
//   sluice-unit --gtest_also_run_disabled_tests --gtest_filter='QueueBench*'
//
//===----------------------------------------------------------------------===//
#include "runtime/queue/Scheduler.h"
#include "runtime/queue/Team.h"
#include <cstdio>
#include <gtest/gtest.h>

namespace sluice::queue {
namespace {

/// Counts, and can end a scheduler.
struct Counting {
  struct Saved {};
  using SelfT = Self<RealSys>;
  using PortT = Port<RealSys>;
  Saved enter(SelfT &, OwnershipToken<RealSys> &) { return {}; }
  void leave(SelfT &, OwnershipToken<RealSys> &, Saved) {}
  int32_t run(SelfT &, PortT &, Item) {
    if (++ran == expected)
      scheduler->finish();
    return 0;
  }
  int32_t runInline(SelfT &self, PortT &port, Item item) { return run(self, port, item); }
  int32_t runTicket(SelfT &, Run<RealSys> &, Item) { return 0; }
  int32_t handOut(SelfT &, Run<RealSys> &) { return 0; }
  bool isAlone(PortT &, Item) { return false; }
  uint64_t ran = 0, expected = ~0ull;
  Scheduler<RealSys, Counting> *scheduler = nullptr;
};

struct Bench {
  Counting client;
  OwnershipToken<RealSys> token;
  Port<RealSys> port;
  Scheduler<RealSys, Counting> scheduler;
  Self<RealSys> self;

  Bench(Mode mode, uint32_t ring)
      : port(token, {ring, 1 << 30}, mode), scheduler(options(), client),
        self(scheduler.makeSelf()) {
    client.scheduler = &scheduler;
  }
  static SchedulerOptions options() {
    SchedulerOptions result;
    result.cpus = os::usableCpus();
    return result;
  }
  double push(uint64_t count) {
    int32_t status;
    int64_t start = os::now();
    for (uint64_t i = 0; i < count; ++i)
      scheduler.push(self, port, nullptr, 64, status);
    return double(os::now() - start) / double(count);
  }
};

TEST(QueueBench, DISABLED_Push) {
  constexpr uint64_t kCount = 20'000'000;
  Bench direct(Mode::Direct, 64);
  printf("direct, run inline:                      %6.1f ns\n", direct.push(kCount));
  Bench queued(Mode::Queued, 64);
  printf("queued, no worker (helps every 64th):    %6.1f ns\n", queued.push(kCount));
  for (uint32_t ring : {8, 64, 1024}) {
    Bench across(Mode::Queued, ring);
    across.client.expected = kCount / 10;
    auto team = makeTeam();
    team->open(1);
    team->run([&](uint32_t worker) { across.scheduler.work(worker); });
    across.scheduler.setRunning(true);
    int64_t start = os::now();
    across.push(kCount / 10);
    across.scheduler.setRunning(false);
    team->join();
    double each = double(os::now() - start) / double(kCount / 10);
    auto &counters = across.scheduler.countersOf(0);
    printf("queued, one worker, ring of %4u:         %6.1f ns (%2.0f %% run by the worker, %llu "
           "entries)\n",
           ring, each, 100.0 * double(counters.batches) / double(kCount / 10),
           (unsigned long long)counters.entries);
  }
}

} // namespace
} // namespace sluice::queue
