//===- PaperTest.cpp - the whole policy on a pipeline in closed form ------===//
#include "PaperPlant.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;
using namespace sluice::elastic::testing;

static const Constants plain = {{"history", 0}, {"satisfaction", 0}};

/// The best of what a pipeline gives for any number of workers with queues at equal distances.
static double bestOf(const Pipeline &pipeline, uint32_t maxThreads) {
  double best = 0;
  Configuration c = initialConfiguration(pipeline.graph());
  for (size_t queues = 0; queues < pipeline.costs.size(); ++queues) {
    c.queued.assign(pipeline.costs.size(), 0);
    for (size_t i = 0; i < queues; ++i)
      c.queued[1 + i * (pipeline.costs.size() - 1) / queues] = 1;
    for (c.threads = 1; c.threads <= maxThreads; ++c.threads)
      best = std::max(best, pipeline.throughput(c));
  }
  return best;
}

TEST(Paper, BeginsWithoutQueuesAndWithTheFewestWorkers) {
  Experiment run(equalCosts(10, 1e-6), "paper", {{"minThreads", 2}}, 8);
  EXPECT_EQ(run.now.threads, 2u);
  EXPECT_EQ(run.queues(), 0u);
  EXPECT_EQ(run.decisions[0].interval, 0.5);
  Experiment slow(equalCosts(10, 1e-6), "paper", {{"period", 5}}, 8);
  EXPECT_EQ(slow.decisions[0].interval, 5);
  slow.step();
  EXPECT_EQ(slow.decisions[1].kind, Kind::Try); // the heaviest group: all are equal
  EXPECT_EQ(slow.queues(), 10u);
  EXPECT_EQ(slow.decisions[1].warmUp, 5);
}

TEST(Paper, SettlesNearTheBestAndStays) {
  for (uint32_t operators : {3u, 10u, 100u, 500u})
    for (uint32_t cpus : {2u, 8u, 32u})
      for (double noise : {0.0, 0.01, 0.02}) {
        SCOPED_TRACE(std::to_string(operators) + " " + std::to_string(cpus) + " " +
                     std::to_string(noise));
        Pipeline pipeline = equalCosts(operators, 1e-6);
        pipeline.cpus = cpus;
        pipeline.noise = noise;
        Experiment run(pipeline, "paper", {}, 64);
        ASSERT_TRUE(run.settle(400));
        EXPECT_EQ(run.changesIn(1000), 0u);
        EXPECT_EQ(run.faults, 0u);
        EXPECT_GE(pipeline.throughput(run.now), 0.75 * bestOf(pipeline, 64));
        EXPECT_LE(
            run.now.threads,
            2 * cpus); // fewer were measured with fewer queues: the algorithm does not look again
      }
}

TEST(Paper, UndoesWhatDoesNotPay) {
  Pipeline pipeline = equalCosts(100, 1e-6);
  pipeline.queueCost = 1e-4; // as much as all operators together
  Experiment run(pipeline, "paper", {}, 16);
  ASSERT_TRUE(run.settle(200));
  EXPECT_EQ(run.queues(), 0u);
  EXPECT_EQ(run.now.threads, 1u);
  EXPECT_GT(run.trials(), 5u); // it did try
  EXPECT_EQ(run.changesIn(1000), 0u);
}

TEST(Paper, SkewedCostsGetFewQueues) {
  Pipeline pipeline = equalCosts(100, 1e-9);
  for (size_t heavy : {7u, 33u, 60u, 90u})
    pipeline.costs[heavy] = 1e-6;
  Experiment run(pipeline, "paper", {}, 16);
  ASSERT_TRUE(run.settle(400));
  EXPECT_LE(run.queues(), 8u);
  EXPECT_GE(pipeline.throughput(run.now), 0.8 * bestOf(pipeline, 16));
}

TEST(Paper, HistoryAndSatisfactionSaveTrials) {
  Pipeline pipeline = equalCosts(100, 1e-6);
  pipeline.cpus = 16;
  size_t trials[4];
  for (int i = 0; i < 4; ++i) {
    Experiment run(pipeline, "paper",
                   {{"history", double(i & 1)}, {"satisfaction", double(i >> 1)}}, 88);
    ASSERT_TRUE(run.settle(1000));
    EXPECT_EQ(run.now.threads, 16u);
    trials[i] = run.trials();
  }
  EXPECT_LT(trials[1], trials[0]); // history
  EXPECT_LT(trials[2], trials[0]); // satisfaction
  EXPECT_LT(trials[3], trials[1]); // both
  EXPECT_LT(trials[3], trials[0] * 2 / 3);
}

TEST(Paper, ASatisfactionFactorOfZeroIsEasierToSatisfy) {
  Pipeline pipeline = equalCosts(100, 1e-6);
  pipeline.cpus = 16;
  Experiment strict(pipeline, "paper", {{"sf", 1}}, 88), easy(pipeline, "paper", {{"sf", 0}}, 88);
  ASSERT_TRUE(strict.settle(1000) && easy.settle(1000));
  EXPECT_LT(easy.trials(), strict.trials());
}

TEST(Paper, AChangeOfLoadStartsAnewAndSettlesAgain) {
  Pipeline pipeline = equalCosts(100, 1e-9);
  for (size_t i = 1; i <= 10; ++i)
    pipeline.costs[i * 10] = 1e-6;
  Experiment run(pipeline, "paper", {}, 32);
  run.pipeline.cpus = 32;
  ASSERT_TRUE(run.settle(500));
  const uint32_t queues = run.queues(), threads = run.now.threads;
  run.changesIn(100);
  for (size_t i = 1; i <= 90; ++i)
    run.pipeline.costs[i] = 1e-6;
  for (int period = 1; period <= 5; ++period) // six periods running, and not before
    EXPECT_EQ(run.step().kind, Kind::Settled);
  const Decision &change = run.step();
  EXPECT_EQ(change.kind, Kind::LoadChange);
  EXPECT_EQ(run.queues(), 0u);
  EXPECT_EQ(run.now.threads, threads);
  ASSERT_TRUE(run.settle(500));
  EXPECT_GT(run.queues(), queues);
  EXPECT_GE(run.pipeline.throughput(run.now), 0.7 * bestOf(run.pipeline, 32));
  EXPECT_EQ(run.changesIn(1000), 0u);
}

TEST(Paper, AShortDisturbanceIsNoChangeOfLoad) {
  Experiment run(equalCosts(20, 1e-6), "paper", {}, 8);
  ASSERT_TRUE(run.settle(300));
  for (int again = 0; again < 10; ++again) {
    run.pipeline.offered = 1000;
    EXPECT_EQ(run.changesIn(5), 0u);
    run.pipeline.offered = 1e300;
    EXPECT_EQ(run.changesIn(1), 0u);
  }
}

TEST(Paper, TheSameSamplesGiveTheSameDecisions) {
  for (const char *policy : {"paper", "threads"})
    for (double noise : {0.01, 0.3}) {
      Pipeline pipeline = equalCosts(50, 1e-6);
      pipeline.noise = noise;
      Experiment one(pipeline, policy, {}, 32), two(pipeline, policy, {}, 32);
      one.changesIn(500);
      two.changesIn(500);
      EXPECT_EQ(one.decisions, two.decisions);
      EXPECT_EQ(one.faults, 0u);
    }
}

TEST(Paper, NoiseAboveSensHasAnEndToo) {
  for (double noise : {0.05, 0.08})
    for (const Constants &constants : {plain, Constants()}) {
      Pipeline pipeline = equalCosts(100, 1e-6);
      pipeline.noise = noise;
      Experiment run(pipeline, "paper", constants, 64);
      ASSERT_TRUE(run.settle(2000));
      EXPECT_EQ(run.changesIn(1000), 0u);
    }
}

TEST(Paper, ThreadsAloneQueuesEverything) {
  Pipeline pipeline = equalCosts(100, 1e-6);
  Experiment run(pipeline, "threads", {}, 64);
  EXPECT_EQ(run.queues(), 100u);
  ASSERT_TRUE(run.settle(50));
  EXPECT_EQ(run.queues(), 100u);
  EXPECT_EQ(run.now.threads, 8u); // Pipeline::cpus
  EXPECT_EQ(run.changesIn(1000), 0u);
}

TEST(Paper, ThreadsAloneFollowsTheLoad) {
  Pipeline pipeline = equalCosts(100, 1e-6);
  pipeline.cpus = 32;
  pipeline.offered = 30000;
  Experiment run(pipeline, "threads", {}, 64);
  ASSERT_TRUE(run.settle(50));
  EXPECT_EQ(run.now.threads, 4u); // 10,000 rows a second each
  run.pipeline.offered = 200000;
  run.changesIn(6);
  EXPECT_EQ(run.decisions.back().kind, Kind::LoadChange);
  ASSERT_TRUE(run.settle(50));
  EXPECT_GE(run.now.threads, 20u);
  EXPECT_LE(run.now.threads, 32u);
  EXPECT_EQ(run.queues(), 100u);
}

//===--- at the edges -------------------------------------------------------------===//

TEST(Paper, NothingToChange) {
  Pipeline pipeline = equalCosts(0, 1e-6);
  Experiment run(pipeline, "paper", {}, 1);
  ASSERT_TRUE(run.settle(3));
  EXPECT_EQ(run.trials(), 0u);
  Experiment threads(pipeline, "paper", {}, 8); // workers may be of use to queues that always are
  ASSERT_TRUE(threads.settle(20));
  EXPECT_EQ(threads.now.threads, 1u);
}

TEST(Paper, OneWorkerStillGetsQueues) {
  Experiment run(equalCosts(10, 1e-6), "paper", {}, 1);
  ASSERT_TRUE(run.settle(100));
  EXPECT_GT(run.queues(), 0u);
  EXPECT_EQ(run.now.threads, 1u);
}

TEST(Paper, NothingArrives) {
  Pipeline pipeline = equalCosts(10, 1e-6);
  pipeline.offered = 0;
  Experiment run(pipeline, "paper", {}, 8);
  EXPECT_EQ(run.changesIn(100), 0u);
  EXPECT_EQ(run.decisions.back().kind, Kind::Wait);
  run.pipeline.offered = 1e300; // then something does
  ASSERT_TRUE(run.settle(100));
  EXPECT_GT(run.queues(), 0u);
  run.pipeline.offered = 0; // and no more: that is a change of load, then nothing to learn from
  EXPECT_EQ(run.changesIn(100), 1u);
}

TEST(Paper, SamplesThatHoldNothing) {
  Pipeline pipeline = equalCosts(10, 1e-6);
  Graph graph = pipeline.graph();
  std::string error;
  for (const char *name : {"paper", "threads"}) {
    auto policy = makePolicy(name, {}, graph, Machine(), initialConfiguration(graph), error);
    ASSERT_TRUE(policy);
    policy->begin();
    for (int i = 0; i < 10; ++i) {
      EXPECT_FALSE(policy->step(Sample()).changes());
      Sample noNodes;
      noNodes.length = 1;
      EXPECT_FALSE(policy->step(noNodes).changes());
      noNodes.nodes.resize(graph.nodes.size());
      EXPECT_FALSE(policy->step(noNodes).changes());
    }
  }
}

TEST(Paper, AnEmptyGraph) {
  std::string error;
  auto policy = makePolicy("paper", {}, Graph(), Machine(), Configuration(), error);
  EXPECT_FALSE(policy->begin().changes());
  Sample sample;
  sample.length = 1;
  EXPECT_FALSE(policy->step(sample).changes());
}

/// The number of trials grows with the logarithm of the number of operators.
TEST(Paper, ManyOperators) {
  Experiment small(equalCosts(144, 1e-6), "paper", {}, 8),
      large(equalCosts(2304, 1e-6), "paper", {}, 8);
  ASSERT_TRUE(small.settle(200) && large.settle(400));
  EXPECT_LE(large.trials(), small.trials() * 2);
}

TEST(Paper, EveryDecisionSaysWhy) {
  Experiment run(equalCosts(40, 1e-6), "paper", {}, 8);
  ASSERT_TRUE(run.settle(200));
  bool kinds[6] = {};
  for (const Decision &decision : run.decisions) {
    kinds[size_t(decision.kind)] = true;
    EXPECT_FALSE(decision.reason.empty());
    EXPECT_EQ(decision.warmUp, decision.changes() ? 0.5 : 0);
    if (&decision != &run.decisions.front())
      EXPECT_FALSE(decision.numbers.empty()) << decision.reason;
  }
  EXPECT_TRUE(kinds[size_t(Kind::Try)] && kinds[size_t(Kind::Accept)] && kinds[size_t(Kind::Undo)]);
  EXPECT_EQ(run.decisions[1].reason,
            "queue all 40 of the heaviest operators: does it give more than 1.03 M rows/s in all?");
}

TEST(Paper, ThroughputOfSourcesOrOfAll) {
  for (double metric : {0, 1}) {
    Experiment run(equalCosts(9, 1e-6), "paper", {{"metric", metric}}, 8);
    run.pipeline.noise = 0;
    run.step();
    const double all = metric ? 10 : 1; // the source and nine operators
    EXPECT_DOUBLE_EQ(run.decisions[1].numbers[0].second, all * 1e6 / 9.1 / 1.002);
    ASSERT_TRUE(run.settle(100));
  }
}

TEST(Paper, TheOptionsOfThePublishedCode) {
  Constants code = {{"groups", 1}, {"order", 0}, {"sfCode", 1}, {"cpuLimit", 0.8}, {"period", 10}};
  Experiment run(equalCosts(100, 1e-6), "paper", code, 16);
  ASSERT_TRUE(run.settle(500));
  EXPECT_EQ(run.changesIn(1000), 0u);
  EXPECT_GT(run.queues(), 0u);
}
