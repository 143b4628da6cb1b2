//===- BowtieTest.cpp - runs, turns and plans by the paper's numbers -------===//
#include "runtime/external/SplitPlan.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::external {
namespace {

constexpr double kMiB = 1 << 20, kGiB = 1 << 30;
const Device kPaper{4e9, 4e9, 10e-3};

std::vector<uint64_t> outputsOf(const Plan &plan) {
  std::vector<uint64_t> result;
  for (const Pass &pass : plan.passes)
    result.push_back(pass.stage.outputs);
  return result;
}

TEST(Bowtie, RunsOfThePaper) {
  Stage stage{1, 64};
  EXPECT_EQ(std::round(evenRun(16 * kGiB, stage) / kMiB), 252);
  EXPECT_EQ(std::round(meanRun(16 * kGiB, stage, {1, 1}) / kMiB), 504);
  EXPECT_EQ(std::round(meanRun(16 * kGiB, stage, {1, 8}) / kMiB), 809);
}

TEST(Bowtie, BestTurnsAreTheFormulas) {
  for (uint64_t m : {16, 64, 256, 4096}) {
    double root = std::sqrt(double(m));
    EXPECT_EQ(bestTurn({1, m}).emptied, uint64_t(root));
    EXPECT_EQ(bestTurn({m, 1}).refilled, uint64_t(root));
    EXPECT_NEAR(meanRun(kGiB, {1, m}, bestTurn({1, m})), 4 * kGiB / ((root + 1) * (root + 1)), 1);
  }
}

TEST(Bowtie, NoTurnIsBetterThanTheBest) {
  for (const Stage &stage : {Stage{1, 50}, Stage{50, 1}, Stage{12, 30}, Stage{30, 12}, Stage{7, 7},
                             Stage{1, 50, false, true}, Stage{50, 1, true, false}}) {
    double best = meanRun(kGiB, stage, bestTurn(stage)), longest = 0;
    for (uint64_t b = 1; b <= stage.inputs; ++b)
      for (uint64_t c = 1; c <= stage.outputs; ++c)
        longest = std::fmax(longest, meanRun(kGiB, stage, {b, c}));
    EXPECT_GE(best, 0.99 * longest) << stage.inputs << " x " << stage.outputs;
  }
}

TEST(Bowtie, BothSidesFollowTheirOptimum) {
  double root = std::sqrt(20.0) + std::sqrt(80.0);
  EXPECT_NEAR(meanRun(kGiB, {20, 80}, {1, 2}), 4 * kGiB / (root * root), 1);
}

TEST(SplitPlan, ThePapersDevice) {
  Problem problem{kPaper, 8e9, {1, 8000}};
  Plan plan = planSplit(problem), one = onePass(problem), binary = binaryPasses(problem);
  EXPECT_EQ(outputsOf(plan), (std::vector<uint64_t>{90, 89}));
  EXPECT_EQ(std::round(plan.rate() / 1e6), 1759);
  EXPECT_EQ(std::round(one.rate() / 1e6), 356);
  EXPECT_EQ(std::round(binary.rate() / 1e6), 305);
  EXPECT_EQ(binary.passes.size(), 13u);
}

TEST(SplitPlan, MergesCostWhatSplitsCost) {
  Plan merge = planSplit({kPaper, 8e9, {8000, 1}}), split = planSplit({kPaper, 8e9, {1, 8000}});
  EXPECT_DOUBLE_EQ(merge.secondsPerByte, split.secondsPerByte);
  EXPECT_EQ(merge.passes[0].stage.inputs, 90u);
}

TEST(SplitPlan, InputsMeetOutputsInTheMiddle) {
  Problem problem{kPaper, 8e9, {1000, 1000}};
  Plan plan = planSplit(problem);
  double inputs = 1, outputs = 1;
  for (const Pass &pass : plan.passes) {
    inputs *= double(pass.stage.inputs);
    outputs *= double(pass.stage.outputs);
  }
  EXPECT_GE(inputs, 1000);
  EXPECT_GE(outputs, 1000);
  EXPECT_GT(plan.rate(), onePass(problem).rate());
  EXPECT_GT(plan.rate(), binaryPasses(problem).rate());
}

TEST(SplitPlan, NoPlanIsCheaper) {
  for (uint64_t m = 1; m <= 300; ++m) {
    Problem problem{{1e9, 5e8, 5e-3}, 1e7, {1, m}};
    double least = onePass(problem).secondsPerByte;
    for (uint64_t a = 2; a < m; ++a) {
      uint64_t b = (m + a - 1) / a;
      double two = onePass({problem.device, problem.memory, {1, a}}).secondsPerByte +
                   onePass({problem.device, problem.memory, {1, b}}).secondsPerByte;
      least = std::fmin(least, two);
    }
    EXPECT_LE(planSplit(problem).secondsPerByte, least * 1.0051) << m;
  }
}

TEST(SplitPlan, WhatIsNotOnTheDeviceCostsNothing) {
  Problem problem{kPaper, 8e9, {1, 8000, false, true}};
  Plan plan = planSplit(problem);
  EXPECT_FALSE(plan.passes.front().stage.reads);
  EXPECT_TRUE(plan.passes.back().stage.reads);
  EXPECT_LT(plan.secondsPerByte, planSplit({kPaper, 8e9, {1, 8000}}).secondsPerByte);
}

TEST(SplitPlan, OneStreamIsOnePass) {
  EXPECT_EQ(planSplit({kPaper, 8e9, {1, 1}}).passes.size(), 1u);
  EXPECT_EQ(planSplit({kPaper, 8e9, {kMostStreams, 1}}).passes.front().stage.outputs, 1u);
}

} // namespace
} // namespace sluice::external
