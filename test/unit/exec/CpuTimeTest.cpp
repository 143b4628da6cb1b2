// What else runs on the machine, by its own count.
#include "runtime/base/os.h"
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

using namespace sluice;

TEST(CpuTimeTest, WhatRanIsOfTheSameProcessorsWherever) {
  const os::CpuTime before = os::cpuTime();
  if (before.all < 0)
    GTEST_SKIP() << "/proc/stat says nothing here";
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "one processor: there is no elsewhere";
  os::CpuTime elsewhere;
  // A thread of its own: the others stay where they are.
  std::thread([&] {
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    int only = 0;
    while (!CPU_ISSET(only, &set))
      ++only;
    CPU_ZERO(&set);
    CPU_SET(only, &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    elsewhere = os::cpuTime();
  }).join();
  const os::CpuTime after = os::cpuTime();
  EXPECT_LE(before.all, elsewhere.all);
  EXPECT_LE(elsewhere.all, after.all);
}
