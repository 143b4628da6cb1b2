// What others see of a thread that has not counted for a while.
#include "runtime/exec/counters/Meter.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {
struct StillClock {
  static inline uint64_t time = 1000, cost = 0;
  static uint64_t now() { return time; }
};
} // namespace

TEST(Uncharged, HowLongItHasRunSinceItCounted) {
  Meter<StillClock> meter{3};
  EXPECT_EQ(meter.uncharged(StillClock::time), 0u) << "it has not begun";
  meter.begin();
  StillClock::time += 500;
  EXPECT_EQ(meter.uncharged(StillClock::time), 500u);
  meter.segment(0, meter.in[0], 1, [] { StillClock::time += 20'000; });
  EXPECT_EQ(meter.uncharged(StillClock::time), 0u);
}

TEST(Uncharged, WaitsDoNotCount) {
  Meter<StillClock> meter{3};
  meter.begin();
  meter.beginWait(CounterTable::AtPort + 1);
  StillClock::time += 7000;
  EXPECT_EQ(meter.uncharged(StillClock::time), 0u);
  EXPECT_EQ(meter.waitingNow.since.get(), StillClock::time - 7000);
  EXPECT_EQ(meter.waitingNow.at.get(), CounterTable::AtPort + 1);
  meter.endWait(CounterTable::AtPort + 1);
  EXPECT_EQ(meter.waitingNow.since.get(), 0u);
  StillClock::time += 30;
  EXPECT_EQ(meter.uncharged(StillClock::time), 30u);
}
