//===- TeamTest.cpp - both teams, and what OpenMP's settings do -----------===//
#include "runtime/queue/ThreadTeam.h"
#include <atomic>
#include <gtest/gtest.h>
#include <pthread.h>
#include <set>
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
