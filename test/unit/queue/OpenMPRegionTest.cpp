//===- OpenMPRegionTest.cpp - native code that uses OpenMP itself ---------===//
//
// Compiled with OpenMP, as such a library would be.
//
//===----------------------------------------------------------------------===//
#include "runtime/queue/OpenMPTeam.h"
#include "runtime/queue/SchedulerOptions.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <omp.h>
#include <pthread.h>

using namespace sluice;
using namespace sluice::queue;

/// What a native function with a parallel loop gets here.
static int threadsOfARegion() {
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
  return threads;
}

TEST(OpenMPRegion, InsideAWorkerHasOneThread) {
  OpenMPTeam team;
  uint32_t size = team.open(3);
  std::atomic<int> most{0};
  team.run([&](uint32_t) {
    int threads = threadsOfARegion(), now = most.load();
    while (threads > now && !most.compare_exchange_weak(now, threads))
      ;
  });
  team.join();
  EXPECT_EQ(size, 3u);
  EXPECT_EQ(most.load(), 1);
}

TEST(OpenMPRegion, OutsideTheTeamHasWhatItWasGiven) {
  const uint32_t most = uint32_t(omp_get_max_threads()); // OMP_NUM_THREADS may ask for fewer
  for (uint32_t given : {0u, 1u, 2u}) {
    int threads = 0;
    os::Thread source(
        [&] {
          limitOwnRegions(given);
          threads = threadsOfARegion();
        },
        1 << 20);
    source.join();
    EXPECT_EQ(threads, int(std::clamp(given, 1u, most)));
  }
}

TEST(OpenMPRegion, SourcesShareWhatTheWorkersLeave) {
  SchedulerOptions options;
  options.cpus = 8;
  options.workers = 2;
  EXPECT_EQ(options.regionThreads(1), 6u);
  EXPECT_EQ(options.regionThreads(4), 1u);
  options.workers = 9;
  EXPECT_EQ(options.regionThreads(2), 1u);
  options.tokens = 0; // no workers
  EXPECT_EQ(options.regionThreads(2), 4u);
}

#ifdef __x86_64__ // qemu does not execute the same program again
/// Ends the process; 0: workers that are threads of an older region have their stacks.
[[noreturn]] static void checkStacksAfterARegion() {
  threadsOfARegion();
  OpenMPTeam team;
  const uint32_t size = team.open(3);
  std::atomic<uint32_t> large{0};
  team.run([&](uint32_t) {
    pthread_attr_t attributes;
    void *start = nullptr;
    size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &start, &bytes);
    pthread_attr_destroy(&attributes);
    large += bytes >= Team::kStackBytes;
  });
  team.join();
  exit(size == 3 && large == 3 ? 0 : 1);
}

TEST(OpenMPRegionDeathTest, StacksOfWorkersAfterARegionThatIsNotOurs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a new process: no region was there before
  EXPECT_EXIT(checkStacksAfterARegion(), testing::ExitedWithCode(0), "");
}
#endif
