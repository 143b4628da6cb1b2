//===- ModelStatisticsTest.cpp - tests and detectors of small samples -----===//
#include "runtime/elastic/model/Statistics.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

TEST(ModelStatistics, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(ModelStatistics, MannWhitneyIsExactForFewValues) {
  EXPECT_NEAR(probabilityLower({1, 2, 3}, {4, 5, 6}), 1.0 / 20, 1e-12);
  EXPECT_NEAR(probabilityLower({4, 5, 6}, {1, 2, 3}), 1, 1e-12);
  EXPECT_NEAR(probabilityLower({1, 2, 4}, {3, 5, 6}), 2.0 / 20, 1e-12);
  EXPECT_NEAR(probabilityLower({1}, {2, 3, 4}), 1.0 / 4, 1e-12);
  EXPECT_EQ(probabilityLower({}, {1}), 1);
}

TEST(ModelStatistics, MannWhitneyOfManyValuesIsNearTheExactOne) {
  std::vector<double> a, b;
  for (int i = 0; i < 20; ++i)
    a.push_back(i), b.push_back(i + 4.5);
  double exact = probabilityLower(a, b);
  a.push_back(20);
  EXPECT_NEAR(probabilityLower(a, b), exact, 0.03);
}

TEST(ModelStatistics, CusumForgetsAndAddsUp) {
  Cusum sum{0.1, 1};
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(sum.add(i % 2 ? 0.3 : -0.3));
  int steps = 0;
  while (!sum.add(0.6))
    ++steps;
  EXPECT_LE(steps, 2);
}

} // namespace
