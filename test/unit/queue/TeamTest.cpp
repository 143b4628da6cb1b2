//===- TeamTest.cpp - both teams, and what OpenMP's settings do -----------===//
#include "runtime/queue/ThreadTeam.h"
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <set>
#include <vector>
#ifdef SLUICE_OPENMP
#include "runtime/queue/OpenMPTeam.h"
#endif

using namespace sluice;
using namespace sluice::queue;

namespace {
size_t stackOfThisThread() {
  pthread_attr_t attributes;
  size_t bytes = 0;
  void *start = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  pthread_attr_getstack(&attributes, &start, &bytes);
  pthread_attr_destroy(&attributes);
  return bytes;
}

template <typename T> class AnyTeam : public testing::Test {};
#ifdef SLUICE_OPENMP
using Teams = testing::Types<ThreadTeam, OpenMPTeam>;
#else
using Teams = testing::Types<ThreadTeam>;
#endif
TYPED_TEST_SUITE(AnyTeam, Teams);
} // namespace

TYPED_TEST(AnyTeam, EachNumberRunsOnceOnAThreadOfItsOwn) {
  TypeParam team;
  uint32_t size = team.open(5);
  ASSERT_EQ(size, 5u);
  std::atomic<uint32_t> calls[5] = {};
  std::atomic<uint32_t> inside{0};
  uint32_t threads[5] = {};
  team.run([&](uint32_t worker) {
    calls[worker].fetch_add(1);
    threads[worker] = os::threadId();
    inside.fetch_add(1);
    while (inside.load() < 5) // all are inside together
      os::yieldThread();
  });
  team.join();
  for (auto &count : calls)
    EXPECT_EQ(count.load(), 1u);
  EXPECT_EQ(std::set<uint32_t>(std::begin(threads), std::end(threads)).size(), 5u);
}

TYPED_TEST(AnyTeam, StacksAreAsLargeAsAsked) {
  TypeParam team;
  uint32_t size = team.open(3);
  std::atomic<size_t> least{SIZE_MAX};
  team.run([&](uint32_t) {
    size_t bytes = stackOfThisThread(), now = least.load();
    while (bytes < now && !least.compare_exchange_weak(now, bytes))
      ;
  });
  team.join();
  EXPECT_EQ(size, 3u);
  EXPECT_GE(least.load(), Team::kStackBytes);
}

TYPED_TEST(AnyTeam, OneThatNeverRanEnds) {
  TypeParam team;
  EXPECT_EQ(team.open(3), 3u);
}

TYPED_TEST(AnyTeam, TwoAfterEachOther) {
  for (int i = 0; i < 2; ++i) {
    TypeParam team;
    team.open(2);
    std::atomic<int> calls{0};
    team.run([&](uint32_t) { calls.fetch_add(1); });
    team.join();
    EXPECT_EQ(calls.load(), 2);
  }
}

#ifdef SLUICE_OPENMP
TEST(OpenMPTeam, PlacesAreFilledOneThreadEachAtATime) {
  using Numbers = std::vector<uint32_t>;
  EXPECT_EQ(numberByPlace({-1, -1, -1}), (Numbers{0, 1, 2})); // not bound
  EXPECT_EQ(numberByPlace({2, 3, 0}), (Numbers{0, 1, 2}));
  EXPECT_EQ(numberByPlace({0, 0, 0, 1, 1}), (Numbers{0, 2, 4, 1, 3}));
  EXPECT_EQ(numberByPlace({1, 1, 2, 2, 0}), (Numbers{0, 3, 1, 4, 2}));
}
#endif

// qemu does not execute the same program again.
#if defined(SLUICE_OPENMP) && defined(__x86_64__)
namespace {
uint32_t firstProcessor() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  uint32_t cpu = 0;
  while (!CPU_ISSET(cpu, &set))
    ++cpu;
  return CPU_COUNT(&set) == 1 ? cpu : ~0u;
}

/// Ends the process; 0: as many workers as there are places each have one to themselves, though
/// there are more threads than places, as with spares.
[[noreturn]] void checkPlaces() {
  const uint32_t cpus = os::usableCpus();
  std::vector<uint32_t> at(2 * cpus + 1, ~0u);
  OpenMPTeam team;
  bool all = team.open(uint32_t(at.size())) == at.size();
  team.run([&](uint32_t worker) { at[worker] = firstProcessor(); });
  team.join();
  std::set<uint32_t> places(at.begin(), at.begin() + cpus);
  exit(all && places.size() == cpus && !places.count(~0u) ? 0 : 1);
}
} // namespace

TEST(OpenMPTeamDeathTest, BoundWorkersShareNoPlaceWithEachOther) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a new process: OpenMP reads these at its start
  setenv("OMP_PLACES", "threads", 1);
  setenv("OMP_PROC_BIND", "close", 1);
  EXPECT_EXIT(checkPlaces(), testing::ExitedWithCode(0), "");
  unsetenv("OMP_PLACES");
  unsetenv("OMP_PROC_BIND");
}
#endif
