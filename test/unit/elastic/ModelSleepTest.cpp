//===- ModelSleepTest.cpp - nodes that sleep as part of their work ---------===//
#include "ModelPlant.h"
#include "runtime/elastic/model/solve/Solver.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

constexpr double ms = 1e-3;

/// Source, and stages that sleep for so many seconds a row, each for 10 us on a processor.
Plant stages(const std::vector<double> &sleep, uint32_t cpus) {
  Plant plant = pipeline(std::vector<double>(sleep.size(), 10e-6), cpus);
  plant.sleep = sleep;
  plant.sleep.insert(plant.sleep.begin(), 0);
  plant.rowsPerBatch = 1;
  return plant;
}

/// What the policy would know after an interval with nothing queued.
struct Known {
  Topology topology;
  Costs costs;
  Machine machine;
  explicit Known(Plant &plant) : topology(plant.graph), machine(plant.machine()) {
    Configuration direct = initialConfiguration(plant.graph);
    Decision next;
    next.interval = 1;
    costs = estimate(topology, Profile(plant.measure(direct, next)), direct,
                     Knowledge(machine, plant.graph.nodes.size()));
  }
  Solver solver() const { return Solver(topology, costs, machine.cpus, machine.maxThreads); }
};

double heaviest(const Plant &plant) {
  double most = 0;
  for (uint32_t v = 0; v < plant.cost.size(); ++v)
    most = std::max(most, plant.cost[v] + plant.sleep[v]);
  return most;
}

TEST(ModelSleep, PredictsWhatThePlantDoes) {
  Plant plant = stages({4 * ms, 1 * ms, 4 * ms, 0, 2 * ms}, 2);
  Known known(plant);
  Configuration c = initialConfiguration(plant.graph);
  for (uint32_t queues = 0; queues < 32; ++queues)
    for (uint32_t threads : {1u, 2u, 6u}) {
      c.threads = threads;
      for (uint32_t v = 1; v <= 5; ++v)
        c.queued[v] = queues >> (v - 1) & 1;
      EXPECT_NEAR(known.solver().predict(c).rate, plant.rate(c), 0.001 * plant.rate(c))
          << queues << " " << threads;
    }
}

TEST(ModelSleep, EachHeavyStageGetsAThreadHoweverFewProcessors) {
  for (uint32_t cpus : {1u, 2u, 16u}) {
    Plant plant = stages({4 * ms, 1 * ms, 4 * ms}, cpus);
    Known known(plant);
    Plan plan = known.solver().best();
    EXPECT_GE(plan.predicted.rate, 0.99 / heaviest(plant)) << cpus;
    EXPECT_GE(plan.cuts, 2u) << cpus;
    EXPECT_GE(plan.configuration.threads, 2u) << cpus;
    EXPECT_NEAR(plant.rate(plan.configuration), plan.predicted.rate, 0.01 * plan.predicted.rate);
  }
}

TEST(ModelSleep, AlsoIfAllProcessorsAreBusy) {
  // 4 ms of work for two processors, and a stage that sleeps for 2 ms: three threads are inside.
  Plant plant = pipeline(std::vector<double>(5, 1 * ms), 2);
  plant.rowsPerBatch = 1;
  plant.cost[3] = 0;
  plant.sleep = {0, 0, 0, 2 * ms, 0, 0};
  Known known(plant);
  Plan plan = known.solver().best();
  EXPECT_GE(plan.predicted.rate, 0.97 / (2 * ms));
  EXPECT_EQ(plan.configuration.threads, 2u) << "with that of the source one more than processors";
  EXPECT_NEAR(plan.predicted.work, 2, 0.1);
  Configuration few = plan.configuration;
  few.threads = 1;
  EXPECT_LT(known.solver().predict(few).rate, 0.7 * plan.predicted.rate);
}

TEST(ModelSleep, ASecondThreadForASequentialStageIsOfNoUse) {
  Plant plant = stages({1 * ms, 4 * ms, 1 * ms}, 2);
  Known one(plant);
  Plan plan = one.solver().best();
  EXPECT_NEAR(plan.predicted.rate, 1 / heaviest(plant), 0.01 / heaviest(plant));
  EXPECT_EQ(plan.predicted.bottleneck, 2u);
  Configuration more = plan.configuration;
  more.threads += 1;
  EXPECT_DOUBLE_EQ(one.solver().predict(more).rate, plan.predicted.rate);
  EXPECT_LE(one.solver().usefulThreads(plan.configuration), plan.cuts + 1);

  plant.graph.nodes[2].maxWidth = 2; // no state: two rows may wait at once
  plant.graph.nodes[2].changeable = true;
  Known two(plant);
  EXPECT_GT(two.solver().best().predicted.rate, 1.8 * plan.predicted.rate);
}

TEST(ModelSleep, WidthsEndWhereThreadsDo) {
  Plant plant = stages({4 * ms, 4 * ms}, 2);
  for (uint32_t v : {1u, 2u})
    plant.graph.nodes[v].maxWidth = 64;
  Known known(plant);
  Plan plan = known.solver().best();
  double threads = 1 + plant.machine().maxThreads;
  EXPECT_LE(plan.predicted.rate, 1.001 * threads / (8 * ms));
  EXPECT_GE(plan.predicted.rate, 0.8 * threads / (8 * ms));
}

TEST(ModelSleep, ASourceThatSleepsAllTheTimeIsLimited) {
  Plant plant = stages({1 * ms, 1 * ms}, 2);
  plant.sleep[0] = 1 * ms;
  Known direct(plant); // a third of the time
  EXPECT_FALSE(direct.costs.limited[0]);
  EXPECT_GE(direct.solver().best().predicted.rate, 0.95 / (1.01 * ms));
  plant.sleep[0] = 100 * ms;
  Known slow(plant);
  EXPECT_TRUE(slow.costs.limited[0]);
  EXPECT_EQ(slow.solver().sustain(0.75).cuts, 0u);
}

void expectSettled(Plant &plant, double best) {
  plant.noise = 0.02;
  Session run(plant);
  run.settle(plant);
  EXPECT_GE(run.settledAt, 0);
  EXPECT_LE(run.settledAt, 12);
  EXPECT_GE(plant.rate(run.configuration), 0.95 * best);
}

TEST(ModelSleep, ThePolicySettlesWhereTheHeaviestStageIsTheBound) {
  const std::vector<double> cases[] = {{4 * ms, 1 * ms, 4 * ms},
                                       {1 * ms, 10 * ms},
                                       {3 * ms, 3 * ms, 3 * ms, 3 * ms, 3 * ms},
                                       {0, 6 * ms, 0, 0, 5 * ms, 1 * ms}};
  for (const std::vector<double> &sleep : cases)
    for (uint32_t cpus : {1u, 2u, 8u}) {
      Plant plant = stages(sleep, cpus);
      expectSettled(plant, 1 / heaviest(plant));
    }
}

TEST(ModelSleep, ThreadsThatTheUserGivesAreTheLimit) {
  Plant plant = stages({3 * ms, 3 * ms, 3 * ms, 3 * ms}, 2);
  Configuration start = initialConfiguration(plant.graph);
  Machine machine = plant.machine();
  machine.maxThreads = 1;
  std::string error;
  auto policy = makePolicy("model", {}, plant.graph, machine, start, error);
  ASSERT_TRUE(policy) << error;
  Decision last = policy->begin();
  for (int i = 0; i < 300 && last.kind != Kind::Settled; ++i) {
    apply(last, start);
    ASSERT_LE(start.threads, 1u);
    last = policy->step(plant.measure(start, last));
  }
  EXPECT_EQ(last.kind, Kind::Settled);
  EXPECT_GE(plant.rate(start), 0.95 * 2 / (12.04 * ms)); // the source and one worker
}

TEST(ModelSleep, ADeviceThatBecomesSlowIsAChangeOfLoad) {
  Plant plant = stages({4 * ms, 1 * ms, 1 * ms, 1 * ms}, 2);
  plant.noise = 0.01;
  Session run(plant);
  run.settle(plant);
  for (int i = 0; i < 20; ++i)
    run.step(plant);
  plant.sleep = {0, 1 * ms, 1 * ms, 5 * ms, 5 * ms};
  run.settle(plant);
  EXPECT_GE(run.settledAt, 0);
  EXPECT_GE(plant.rate(run.configuration), 0.95 / heaviest(plant));
}

} // namespace
