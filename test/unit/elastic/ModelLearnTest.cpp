//===- ModelLearnTest.cpp - what comparisons teach the model policy ---------===//
#include "ModelPlant.h"
#include "runtime/elastic/model/solve/Solver.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

TEST(ModelSlowdown, GrowsWithWhatRunsAtOnce) {
  Slowdown slowdown;
  EXPECT_FALSE(slowdown.known());
  EXPECT_EQ(slowdown.at(100), 1);
  slowdown.learn(10, 1);
  slowdown.learn(20, 2);
  EXPECT_DOUBLE_EQ(slowdown.at(1), 1);
  EXPECT_DOUBLE_EQ(slowdown.at(10), 1);
  EXPECT_DOUBLE_EQ(slowdown.at(15), 1.5);
  EXPECT_DOUBLE_EQ(slowdown.at(40), 2); // nothing is known of more
}

TEST(ModelSlowdown, WhatFallsIsNoise) {
  Slowdown slowdown;
  slowdown.learn(10, 1.4);
  slowdown.learn(30, 1.2);
  slowdown.learn(5, 0.7); // faster than alone: it is not
  EXPECT_DOUBLE_EQ(slowdown.at(5), 1);
  EXPECT_DOUBLE_EQ(slowdown.at(30), 1.3);
  double last = 0;
  for (double running = 0; running < 50; ++running) {
    EXPECT_GE(slowdown.at(running), last);
    last = slowdown.at(running);
  }
}

/// Four equal nodes, a processor each: half as fast if four at once are half as fast.
TEST(ModelSlowdown, BoundsRegionsAndProcessors) {
  Plant plant = pipeline({1e-6, 1e-6, 1e-6}, 4);
  plant.cost[0] = 1e-6;
  Configuration direct = initialConfiguration(plant.graph), queued = direct;
  queued.queued = {0, 1, 1, 1};
  queued.threads = 4;
  Decision wait;
  wait.interval = 1;
  Profile profile;
  profile.add(plant.measure(direct, wait));
  Topology topology(plant.graph);
  Knowledge knowledge(plant.machine(), plant.graph.nodes.size());
  auto rate = [&](const Configuration &configuration) {
    Costs costs = estimate(topology, profile, direct, knowledge);
    return Solver(topology, costs, 4, 4).predict(configuration).rate;
  };
  double alone = rate(direct), before = rate(queued);
  EXPECT_GT(before, 3.9 * alone);
  knowledge.slowdown.learn(1, 1);
  knowledge.slowdown.learn(4, 2);
  EXPECT_NEAR(rate(direct), alone, 0.01 * alone);
  EXPECT_NEAR(rate(queued), before / 2, 0.01 * before);
}

/// The source deals rows out to 40 nodes, of which four are heavy, and copies what it hands over:
/// queues only where they pay. The policy begins with a quarter of 50 ns for the producer.
TEST(ModelLearn, ProducersThatPayNearlyAllOfAHandOffFillFewQueues) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Plant plant = levels({40}, 0.02e-6, 16);
    plant.cost[0] = 0.1e-6;
    for (uint32_t v : {3u, 11u, 24u, 36u})
      plant.cost[v] = 8e-6;
    plant.handOff = 64 * 1.2e-6; // 1.2 us a row
    plant.pushing = 0.95;
    plant.pushSeen = true;
    plant.noise = 0.03;
    plant.seed = seed;
    double best = bestByClimbing(plant);
    Session run(plant);
    run.settle(plant);
    EXPECT_GE(plant.rate(run.configuration), 0.95 * best) << seed;
    EXPECT_LE(std::count(run.configuration.queued.begin(), run.configuration.queued.end(), 1), 8)
        << seed;
    EXPECT_LE(run.settledAt, 10);
  }
}

/// As soon as anything is queued the source, who writes much, and the last node, who reads it, take
/// longer: batches come back from another processor's cache. One queue should then be further up
/// than their work alone says.
TEST(ModelLearn, WhatBecomesDearerAwayFromQueuesMovesThem) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Plant plant = pipeline(std::vector<double>(14, 15.5e-9), 2);
    plant.cost[0] = 31e-9;
    plant.cold.assign(15, 0);
    plant.cold[0] = 60e-9;
    plant.cold[14] = 8e-9;
    plant.handOff = 64 * 6e-9;
    plant.noise = 0.02;
    plant.seed = seed * 31;
    Session run(plant);
    run.settle(plant);
    EXPECT_GE(plant.rate(run.configuration), 0.98 * bestByClimbing(plant)) << seed;
    EXPECT_LE(run.settledAt, 10);
  }
}

} // namespace
