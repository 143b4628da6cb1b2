//===- LatelyTest.cpp - how much comes in a while -------------------------===//
#include "runtime/exec/state/Lately.h"
#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

TEST(Lately, NothingIsKnownAtFirst) { EXPECT_EQ(Lately().within(kMillisecond), 0); }

TEST(Lately, EvenRate) {
  Lately late;
  for (int i = 0; i < 100; ++i)
    late.add(10, 5 * kMillisecond);
  EXPECT_NEAR(late.within(25 * kMillisecond), 50, 1e-9);
}

TEST(Lately, BurstsArePartOfTheWhole) { // a source that fills queues for 10 ms of each 200
  Lately late;
  for (int i = 0; i < 20; ++i) {
    late.add(1000, 10 * kMillisecond);
    double most = late.within(25 * kMillisecond);
    late.add(0, 190 * kMillisecond);
    if (i > 5) {
      EXPECT_LT(most, 250);
      EXPECT_GT(late.within(25 * kMillisecond), 60);
    }
  }
}

TEST(Lately, WhatWasIsForgotten) {
  Lately late;
  late.add(1000, 10 * kMillisecond);
  for (int i = 0; i < 300; ++i)
    late.add(1, 10 * kMillisecond);
  EXPECT_NEAR(late.within(10 * kMillisecond), 1, 0.1);
}

TEST(Lately, AStopIsNotASlowProgram) {
  Lately late;
  for (int i = 0; i < 100; ++i)
    late.add(10, 10 * kMillisecond);
  late.add(10, 10'000 * kMillisecond);
  EXPECT_GT(late.within(kMillisecond), 0.4);
  for (int i = 0; i < 30; ++i)
    late.add(10, 10 * kMillisecond);
  EXPECT_GT(late.within(kMillisecond), 0.75);
}

} // namespace
} // namespace sluice
