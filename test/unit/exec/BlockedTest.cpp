// Waits for space in a ring: what others see of them while they go on.
#include "runtime/exec/counters/Meter.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(BlockedTest, AWaitForSpaceIsSeenBeforeItEnds) {
  ThreadCounters meter{3};
  uint64_t place;
  EXPECT_EQ(meter.blockedNow.nanos(700, place), 0u);
  meter.beginBlocked(CounterTable::AtPort + 2, 500);
  EXPECT_EQ(meter.blockedNow.nanos(700, place), 200u);
  EXPECT_EQ(place, CounterTable::AtPort + 2);
  EXPECT_EQ(meter.blockedNow.nanos(400, place), 0u); // a look that began before
  meter.endBlocked(300);
  EXPECT_EQ(meter.blockedNow.nanos(900, place), 0u);
  EXPECT_EQ(meter.in[2].blocked.get(), 300u);
  EXPECT_EQ(meter.in[2].waits.get(), 1u);
  EXPECT_EQ(meter.blocked.get(), 300u);
  meter.beginBlocked(CounterTable::InSource, 1000); // at no port in particular
  meter.endBlocked(50);
  EXPECT_EQ(meter.blocked.get(), 350u);
}
