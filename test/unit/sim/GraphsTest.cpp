//===- GraphsTest.cpp -----------------------------------------------------===//
#include "Sims.h"

namespace sluice::sim {

static uint32_t sources(const Application &app) {
  uint32_t count = 0;
  for (const Operator &op : app.operators)
    count += op.source;
  return count;
}

TEST(SimGraphs, HaveTheSizesOfThePaper) {
  EXPECT_EQ(graphOf("pipeline:500").operators.size(), 502u);
  EXPECT_EQ(graphOf("data-parallel:50").operators.size(), 52u);
  EXPECT_EQ(graphOf("mixed:10x50").operators.size(), 502u);
  EXPECT_EQ(graphOf("bushy").operators.size(), 82u);
  EXPECT_EQ(graphOf("vwap").operators.size(), 52u);
  EXPECT_EQ(graphOf("vwap").hand.size(), 9u);
  Application one = graphOf("packets:387"), eight = graphOf("packets:2305");
  EXPECT_EQ(one.operators.size(), 387u);
  EXPECT_EQ(sources(one), 1u);
  EXPECT_EQ(one.hand.size(), 17u);
  EXPECT_EQ(eight.operators.size(), 2305u);
  EXPECT_EQ(sources(eight), 8u);
  EXPECT_EQ(eight.hand.size(), 129u);
}

TEST(SimGraphs, EdgesLeadForwardAndARowOfTheSourceReachesTheSink) {
  for (const char *text :
       {"pipeline:10", "data-parallel:50", "mixed:10x50", "bushy", "vwap", "packets:2305"}) {
    Application app = graphOf(text);
    for (uint32_t i = 0; i < app.operators.size(); ++i)
      for (const Edge &edge : app.operators[i].to)
        EXPECT_GT(edge.to, i) << text;
    std::vector<double> visits = app.visits();
    for (uint32_t i = 0; i < visits.size(); ++i)
      EXPECT_GT(visits[i], 0) << text << " " << app.operators[i].name;
    if (app.hand.size() != 9 && app.hand.size() != 129) { // nothing is dropped
      EXPECT_NEAR(visits.back(), 1, 1e-9) << text;
    }
  }
}

TEST(SimGraphs, CostsAreDistributedAsInThePaper) {
  auto count = [](const Application &app, double flops, bool later) {
    int result = 0;
    for (const Operator &op : app.operators)
      result += !op.source && !op.to.empty() && (later ? op.later : op.flops) == flops;
    return result;
  };
  Application skew = graphOf("pipeline:100,skew");
  EXPECT_EQ(count(skew, 10000, false), 10);
  EXPECT_EQ(count(skew, 100, false), 30);
  EXPECT_EQ(count(skew, 1, false), 60);
  EXPECT_FALSE(skew.changes);
  Application change = graphOf("pipeline:100,change,1024");
  EXPECT_EQ(count(change, 10000, false), 10);
  EXPECT_EQ(count(change, 10000, true), 90);
  EXPECT_TRUE(change.changes);
  EXPECT_EQ(change.payload, 1024);
  EXPECT_EQ(count(graphOf("pipeline:10,7"), 7, false), 10);
}

TEST(SimGraphs, WhatIsNotAGraphIsRefused) {
  for (const char *text : {"", "ring:5", "pipeline", "pipeline:0", "pipeline:10x",
                           "pipeline:9999999", "bushy:3", "packets:5", "pipeline:5,heavy",
                           "pipeline:5,1,0", "pipeline:5,1,x", "pipeline:5,1,8,9", "vwap,skew"}) {
    std::string error;
    EXPECT_TRUE(parseGraph(text, error).operators.empty()) << text;
    EXPECT_NE(error, "") << text;
  }
}

TEST(SimMachine, SmtSharesACore) {
  Machine xeon = machineOf("xeon176");
  EXPECT_EQ(xeon.cpus(), 176u);
  EXPECT_EQ(xeon.slowdown(88), 1);
  EXPECT_NEAR(176 / xeon.slowdown(176), 88 * 1.3, 1e-6);
  EXPECT_NEAR(352 / xeon.slowdown(352), 88 * 1.3, 1e-6); // more than there are take turns
  Machine power = machineOf("power184");
  EXPECT_EQ(power.cpus(), 184u);
  EXPECT_NEAR(184 / power.slowdown(184), 23 * 2.2, 1e-6);
}

TEST(SimMachine, ADescriptionReadsBack) {
  Machine machine = machineOf("power184"), same;
  machine.lineNanos = 123;
  std::string error;
  ASSERT_TRUE(parseMachine(describe(machine), "it", same, error)) << error;
  EXPECT_EQ(describe(same), describe(machine));
  EXPECT_FALSE(parseMachine("# fine\ncores = 4\nsmt = -1\n", "it", same, error));
  EXPECT_EQ(error, "it:3: `-1` is no value for `smt`");
  EXPECT_FALSE(parseMachine("sockets = 4", "it", same, error));
  EXPECT_EQ(error, "it:1: a machine has no `sockets`");
  EXPECT_FALSE(parseMachine("cores 4", "it", same, error));
}

} // namespace sluice::sim
