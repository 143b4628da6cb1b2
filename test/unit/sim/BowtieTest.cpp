//===- BowtieTest.cpp - played games against formulas -----------------------===//
#include "runtime/sim/Bowtie.h"
#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

using namespace external;

constexpr double kMemory = 1e9, kClose = 0.05;

TEST(SimBowtie, RunsAreThoseOfTheFormula) {
  for (uint64_t m : {16, 64, 256})
    for (const Stage &stage : {Stage{1, m}, Stage{m, 1}, Stage{1, m, false, true}})
      for (Turn turn : {Turn{1, 1}, bestTurn(stage)}) {
        double played = playTurns(kMemory, stage, turn, 100, 1).meanRun();
        EXPECT_NEAR(played / meanRun(kMemory, stage, turn), 1, kClose)
            << stage.inputs << " x " << stage.outputs << ", " << turn.emptied << " emptied";
      }
}

TEST(SimBowtie, EvenPartsGiveShorterRuns) {
  for (uint64_t m : {16, 64, 256}) {
    DeviceWork even = playEven(kMemory, {1, m}, 10, 1);
    EXPECT_NEAR(even.meanRun() / evenRun(kMemory, {1, m}), 1, kClose);
    EXPECT_GT(playTurns(kMemory, {1, m}, bestTurn({1, m}), 100, 1).meanRun(), 2 * even.meanRun());
  }
}

TEST(SimBowtie, InputsMeetOutputs) {
  for (const Stage &stage : {Stage{20, 80}, Stage{80, 20}, Stage{32, 32}}) {
    DeviceWork work = playTurns(kMemory, stage, bestTurn(stage), 200, 1);
    EXPECT_NEAR(work.meanRun() / meanRun(kMemory, stage, bestTurn(stage)), 1, kClose);
    EXPECT_NEAR(work.read / work.bytes, 1, kClose);
    EXPECT_NEAR(work.written / work.bytes, 1, kClose);
  }
}

TEST(SimBowtie, TheSameSeedGivesTheSame) {
  Stage stage{1, 64};
  EXPECT_EQ(playTurns(kMemory, stage, {1, 8}, 50, 7).runs,
            playTurns(kMemory, stage, {1, 8}, 50, 7).runs);
}

TEST(SimBowtie, TheDevicesTimeIsThatOfTheFormula) {
  Device device{4e9, 2e9, 10e-3};
  Stage stage{1, 64};
  DeviceWork work = playTurns(kMemory, stage, bestTurn(stage), 100, 1);
  double run = meanRun(kMemory, stage, bestTurn(stage));
  EXPECT_NEAR(work.seconds(device) / work.bytes / secondsPerByte(device, stage, run), 1, kClose);
}

} // namespace
} // namespace sluice::sim
