//===- EventTimeTest.cpp - ticks, timestamps, event time --------*- C++ -*-===//
#include "Functions.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

constexpr int64_t kMilli = 1000000, kMicro = 1000, kNano = 1;
constexpr int64_t kMaxNanos = int64_t(1) << 62;

struct EventTime : testing::Test {
  World w;

  int64_t nanos(int64_t ticks, int64_t perTick) {
    int64_t r;
    sl_eventNanos_ll(w, &r, ticks, perTick);
    return r;
  }
  int64_t unsignedNanos(uint64_t ticks, int64_t perTick) {
    int64_t r;
    sl_eventNanos_ml(w, &r, ticks, perTick);
    return r;
  }
  int64_t nanosOf(Timestamp t) {
    int64_t r;
    sl_eventNanos_T(w, &r, &t);
    return r;
  }
  std::string time(int64_t ticks, int64_t perTick) {
    Timestamp r;
    sl_timeOfTicks_ll(w, &r, ticks, perTick);
    return text(&timestamp, &r);
  }
  std::string unsignedTime(uint64_t ticks, int64_t perTick) {
    Timestamp r;
    sl_timeOfTicks_ml(w, &r, ticks, perTick);
    return text(&timestamp, &r);
  }
  int64_t ticks(Timestamp t, int64_t perTick) {
    int64_t r;
    sl_int64TicksOfTime_Tl(w, &r, &t, perTick);
    return r;
  }
  uint64_t unsignedTicks(Timestamp t, int64_t perTick) {
    uint64_t r;
    sl_uint64TicksOfTime_Tl(w, &r, &t, perTick);
    return r;
  }
};

TEST_F(EventTime, NanosSaturate) {
  EXPECT_EQ(nanos(12500, kMilli), 12500000000);
  EXPECT_EQ(nanos(-1, kMicro), -1000);
  EXPECT_EQ(nanos(kMaxNanos, kNano), kMaxNanos);
  EXPECT_EQ(nanos(kMaxNanos + 1, kNano), kMaxNanos);
  EXPECT_EQ(nanos(-kMaxNanos - 1, kNano), -kMaxNanos);
  EXPECT_EQ(nanos(4611686018427, kMilli), 4611686018427000000);
  EXPECT_EQ(nanos(4611686018428, kMilli), kMaxNanos);
  EXPECT_EQ(nanos(-4611686018428, kMilli), -kMaxNanos);
  EXPECT_EQ(nanos(INT64_MAX, kMilli), kMaxNanos);
  EXPECT_EQ(nanos(INT64_MIN, kMilli), -kMaxNanos);
  EXPECT_EQ(unsignedNanos(12500, kMilli), 12500000000);
  EXPECT_EQ(unsignedNanos(4611686018428, kMilli), kMaxNanos);
  EXPECT_EQ(unsignedNanos(UINT64_MAX, kNano), kMaxNanos);
  EXPECT_EQ(nanosOf({12, 500000000, 7}), 12500000000);
  EXPECT_EQ(nanosOf({-1, 999999999, 0}), -1);
  EXPECT_EQ(nanosOf({4611686018, 427387904, 0}), kMaxNanos);
  EXPECT_EQ(nanosOf({4611686018, 427387903, 0}), kMaxNanos - 1);
  EXPECT_EQ(nanosOf({4611686018, 427387905, 0}), kMaxNanos);
  EXPECT_EQ(nanosOf({-4611686019, 572612096, 0}), -kMaxNanos);
  EXPECT_EQ(nanosOf({-4611686019, 572612097, 0}), -kMaxNanos + 1);
  EXPECT_EQ(nanosOf({INT64_MAX, 0, 0}), kMaxNanos);
  EXPECT_EQ(nanosOf({INT64_MIN, 0, 0}), -kMaxNanos);
  EXPECT_EQ(nanosOf({INT64_MIN, 999999999, 0}), -kMaxNanos);
  EXPECT_EQ(nanosOf({-6000000000, 990000000, 0}), -kMaxNanos);
}

TEST_F(EventTime, TimeOfTicks) {
  EXPECT_EQ(time(12500, kMilli), "(12,500000000,0)");
  EXPECT_EQ(time(-1, kMilli), "(-1,999000000,0)");
  EXPECT_EQ(time(-2000, kMilli), "(-2,0,0)");
  EXPECT_EQ(time(-1, kNano), "(-1,999999999,0)");
  EXPECT_EQ(time(INT64_MIN, kNano), "(-9223372037,145224192,0)");
  EXPECT_EQ(time(INT64_MAX, kMilli), "(9223372036854775,807000000,0)");
  EXPECT_EQ(unsignedTime(1500001, kMicro), "(1,500001000,0)");
  EXPECT_EQ(unsignedTime(UINT64_MAX, kNano), "(18446744073,709551615,0)");
}

TEST_F(EventTime, TicksOfTime) {
  EXPECT_EQ(ticks({12, 500999999, 0}, kMilli), 12500);
  EXPECT_EQ(ticks({-1, 999000000, 0}, kMilli), -1);
  EXPECT_EQ(ticks({-1, 999999999, 0}, kMilli), -1); // rounded down
  EXPECT_EQ(ticks({-9223372037, 145224192, 0}, kNano), INT64_MIN);
  EXPECT_EQ(ticks({-9223372037, 145224191, 0}, kNano), INT64_MIN);
  EXPECT_EQ(ticks({INT64_MAX, 0, 0}, kMilli), INT64_MAX);
  EXPECT_EQ(ticks({INT64_MIN, 0, 0}, kMilli), INT64_MIN);
  EXPECT_EQ(unsignedTicks({12, 500000000, 0}, kMicro), 12500000u);
  EXPECT_EQ(unsignedTicks({-1, 999000000, 0}, kMilli), 0u);
  EXPECT_EQ(unsignedTicks({18446744073, 709551615, 0}, kNano), UINT64_MAX);
  EXPECT_EQ(unsignedTicks({18446744074, 0, 0}, kNano), UINT64_MAX);
}

/// What no prototype allows harms nothing.
TEST_F(EventTime, OddTicks) {
  EXPECT_EQ(nanos(5, 0), 5);
  EXPECT_EQ(nanos(5, -3), 5);
  EXPECT_EQ(time(5, INT64_MAX), "(5,0,0)");
  EXPECT_EQ(ticks({5, 0, 0}, 0), 5000000000);
}

} // namespace
