//===- LatencyTest.cpp - how long tuples take to the end of their path -----------------===//
#include "runtime/exec/metrics/Latency.h"
#include "runtime/exec/counters/LatencyCounts.h"
#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Latency, SlotsAreAnEighthOfAnOctave) {
  EXPECT_EQ(LatencyCounts::slotOf(0), 0u);
  EXPECT_EQ(LatencyCounts::slotOf(7), 7u);
  EXPECT_EQ(LatencyCounts::slotOf(8), 8u);
  EXPECT_EQ(LatencyCounts::slotOf(15), 15u);
  EXPECT_EQ(LatencyCounts::slotOf(16), 16u);
  EXPECT_EQ(LatencyCounts::slotOf(17), 16u);
  EXPECT_EQ(LatencyCounts::slotOf(~0ull), LatencyCounts::kSlots - 1);
  for (uint64_t cycles = 1; cycles < 1ull << 60; cycles += 1 + cycles / 7) {
    uint32_t slot = LatencyCounts::slotOf(cycles);
    EXPECT_GT(LatencyCounts::endOf(slot), double(cycles));
    EXPECT_LE(LatencyCounts::endOf(slot), double(cycles) * 1.125 + 1);
    EXPECT_LE(LatencyCounts::endOf(slot - 1), double(cycles));
  }
}

/// Tuples by slot that have one.
static std::vector<uint64_t> counted(const LatencyCounts &latency) {
  std::vector<uint64_t> tuples;
  for (const Counter &count : latency.counts)
    if (count.get())
      tuples.push_back(count.get());
  return tuples;
}

TEST(Latency, SmallBatchesOfOneCountAsTheLastThatWasTimed) {
  LatencyCounts latency;
  const uint64_t now = CycleClock::now(), birth = now - (uint64_t(1) << 60);
  latency.add(birth, 1, 7);
  EXPECT_EQ(counted(latency), (std::vector<uint64_t>{1}));
  for (uint64_t i = 0; i < LatencyCounts::kUntimed; ++i)
    latency.add(birth, 1, 7);
  EXPECT_EQ(counted(latency), (std::vector<uint64_t>{1 + LatencyCounts::kUntimed}));
  // Another batch, and another millisecond, are timed: these began far earlier, or far later.
  latency.add(now - (uint64_t(1) << 61), 5, 7);
  EXPECT_EQ(counted(latency), (std::vector<uint64_t>{1 + LatencyCounts::kUntimed, 5}));
  latency.add(now - 1, 3, 7);
  EXPECT_EQ(counted(latency).front(), 3u);
  EXPECT_EQ(counted(latency).size(), 3u);
}

TEST(Latency, TuplesOfOneBatchAreTimedNowAndThen) {
  // Between both calls pass some milliseconds. The second one reads the clock in another tick.
  for (uint32_t tick : {7u, 8u}) {
    LatencyCounts latency;
    const uint64_t birth = CycleClock::now();
    latency.add(birth, 1, 7);
    const uint64_t until = CycleClock::now() + (uint64_t(1) << 26);
    while (CycleClock::now() < until) {
    }
    latency.add(birth, 1, tick);
    EXPECT_EQ(counted(latency).size(), tick == 7 ? 1u : 2u);
  }
}

TEST(Latency, SharesAreOfTuples) {
  CounterSample sample;
  sample.nanos = 1000;
  sample.cycles = 2000;
  EXPECT_LT(latencyWithin(sample, 0.5), 0) << "not timed";
  sample.latency.resize(LatencyCounts::kSlots);
  EXPECT_LT(latencyWithin(sample, 0.5), 0) << "none";
  sample.latency[LatencyCounts::slotOf(100)] = 98;
  sample.latency[LatencyCounts::slotOf(5000)] = 2;
  EXPECT_EQ(timedTuples(sample), 100u);
  EXPECT_DOUBLE_EQ(latencyWithin(sample, 0.5), 104 * 0.5e-9);
  EXPECT_DOUBLE_EQ(latencyWithin(sample, 0.98), 104 * 0.5e-9);
  EXPECT_DOUBLE_EQ(latencyWithin(sample, 0.99), 5120 * 0.5e-9);
  EXPECT_DOUBLE_EQ(latencyWithin(sample, 1), 5120 * 0.5e-9);
}

} // namespace
} // namespace sluice
