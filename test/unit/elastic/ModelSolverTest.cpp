//===- ModelSolverTest.cpp - cuts, widths and threads from given costs ----===//
#include "ModelPlant.h"
#include "runtime/elastic/model/solve/Solver.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

/// What the policy would know of `plant` after an interval with nothing queued.
struct Known {
  Topology topology;
  Costs costs;
  explicit Known(Plant &plant) : topology(plant.graph) {
    Configuration direct = initialConfiguration(plant.graph);
    Profile profile;
    Decision next;
    next.interval = 1;
    profile.add(plant.measure(direct, next));
    costs =
        estimate(topology, profile, direct, Knowledge(plant.machine(), plant.graph.nodes.size()));
  }
};

TEST(ModelSolver, PredictsWhatThePlantDoes) {
  Plant plant = pipeline(std::vector<double>(20, 1e-6), 8);
  Known known(plant);
  Solver solver(known.topology, known.costs, plant.cpus, plant.cpus);
  Configuration c = initialConfiguration(plant.graph);
  for (uint32_t step : {20u, 10u, 7u, 3u, 1u})
    for (uint32_t threads : {1u, 4u, 8u}) {
      c.threads = threads;
      for (uint32_t v = 1; v < c.queued.size(); ++v)
        c.queued[v] = step < 20 && v % step == 0;
      EXPECT_NEAR(solver.predict(c).rate, plant.rate(c), 0.001 * plant.rate(c))
          << step << " " << threads;
    }
}

TEST(ModelSolver, CutsWhereItIsCheapIfRegionsAllowIt) {
  Plant plant = pipeline(std::vector<double>(40, 1e-6), 2);
  Known known(plant);
  for (uint32_t v = 1; v <= 40; ++v)
    known.costs.handOff[v] = v == 22 ? 1e-6 : 0.05; // seconds a second, of 1 in all
  Solver solver(known.topology, known.costs, 2, 2);
  Plan plan = solver.best();
  EXPECT_EQ(plan.cuts, 1u);
  EXPECT_TRUE(plan.configuration.queued[22]);
}

std::vector<uint32_t> queuesOf(const Configuration &c) {
  std::vector<uint32_t> queues;
  for (uint32_t v = 0; v < c.queued.size(); ++v)
    if (c.queued[v])
      queues.push_back(v);
  return queues;
}

TEST(ModelSolver, MovesOneQueueByOnePlace) {
  Plant plant = pipeline({1e-6, 1e-6, 1e-6, 0.01e-6, 1e-6, 1e-6}, 2);
  plant.graph.nodes[2].changeable = false;
  Known known(plant);
  Solver solver(known.topology, known.costs, 2, 2);
  auto movesOf = [&](std::vector<uint32_t> queues) {
    Plan plan{initialConfiguration(plant.graph), {}, uint32_t(queues.size())};
    for (uint32_t v : queues)
      plan.configuration.queued[v] = true;
    std::vector<std::vector<uint32_t>> result;
    for (const Plan &moved : solver.moved(plan))
      result.push_back(queuesOf(moved.configuration));
    return result;
  };
  using Moves = std::vector<std::vector<uint32_t>>;
  EXPECT_EQ(movesOf({3}), (Moves{{4}, {1}})); // the evener first; none at the second node
  EXPECT_EQ(movesOf({5}),
            (Moves{{6}})); // between the fourth and the fifth there is hardly any work
  EXPECT_EQ(movesOf({1}), (Moves{{3}})); // the source has none
  EXPECT_EQ(movesOf({3, 6}), (Moves{{3, 5}, {4, 6}, {1, 6}}));
}

TEST(ModelSolver, WhatIsColdCountsOnlyWhereAnythingIsQueued) {
  Plant plant = pipeline(std::vector<double>(20, 1e-6), 2);
  Known known(plant);
  Solver warm(known.topology, known.costs, 2, 2);
  Plan direct = warm.allDirect(), one = warm.withCuts(1);
  known.costs.cold[0] = known.costs.totalLoad() / 5;
  Solver cold(known.topology, known.costs, 2, 2);
  EXPECT_EQ(cold.predict(direct.configuration).rate, direct.predicted.rate);
  EXPECT_LT(cold.predict(one.configuration).rate, 0.9 * one.predicted.rate);
  EXPECT_EQ(queuesOf(one.configuration), std::vector<uint32_t>{11});
  EXPECT_EQ(queuesOf(cold.withCuts(1).configuration),
            std::vector<uint32_t>{9}); // two nodes for the fifth of all
}

TEST(ModelSolver, FewestThreadsThatBringTheRate) {
  // One node is as heavy as all others together: two threads are all that is of use.
  std::vector<double> costs(20, 1e-6);
  costs[10] = 19e-6;
  Plant plant = pipeline(costs, 16);
  Known known(plant);
  Plan plan = Solver(known.topology, known.costs, 16, 16).best();
  EXPECT_LE(plan.cuts, 2u);
  EXPECT_LE(plan.configuration.threads, 2u);
  EXPECT_GE(plan.predicted.rate, 0.95 * bestOfPipeline(plant));
}

TEST(ModelSolver, NodesOfOneDomainExcludeEachOther) {
  // Two branches of one domain, and two that have domains of their own.
  for (bool one : {true, false}) {
    Plant plant = levels({2, 1}, 1e-6, 8);
    plant.graph.nodes[2].domain = one ? plant.graph.nodes[1].domain : plant.graph.nodes[2].domain;
    plant.cost[3] = 1e-9;
    Known known(plant);
    Plan plan = Solver(known.topology, known.costs, 8, 8).best();
    // Each branch has half of the rows: 1 us a row together, 0.5 us apart.
    double expected = one ? 1 / 1.0e-6 : 1 / 0.5e-6;
    EXPECT_NEAR(plan.predicted.rate, expected, 0.1 * expected) << one;
  }
}

TEST(ModelSolver, StepsGrowAlmostWithTheNumberOfNodes) {
  for (uint32_t nodes : {100u, 2304u}) {
    std::vector<double> costs;
    for (uint32_t i = 0; i < nodes; ++i)
      costs.push_back(1e-7 * (1 + i * 37 % 11));
    Plant plant = pipeline(costs, 16);
    Known known(plant);
    Solver solver(known.topology, known.costs, 16, 16);
    solver.best();
    // Some 100 walks over nodes and edges, and as many predictions.
    EXPECT_LE(solver.steps(), 300ull * nodes);
  }
}

TEST(ModelSolver, ManyBranchesAreAsCheap) {
  Plant plant = levels({1, 8, 64, 1024, 1024, 64, 8, 1, 1}, 1e-6, 88);
  Known known(plant);
  Solver solver(known.topology, known.costs, 88, 88);
  Plan plan = solver.best();
  EXPECT_LE(solver.steps(), 400ull * plant.graph.nodes.size());
  EXPECT_GT(plan.predicted.rate, 1.5 * solver.allDirect().predicted.rate);
}

TEST(ModelSolver, NodesThatSeveralRegionsCallMayGetQueues) {
  Plant plant = levels({1, 4, 1}, 1e-6, 8);
  Known known(plant);
  Solver solver(known.topology, known.costs, 8, 8);
  Plan plan = solver.best();
  ASSERT_TRUE(plan.configuration.queued[2] || plan.configuration.queued[3]);
  Plan met = solver.meeting(plan);
  EXPECT_TRUE(met.configuration.queued[6]);
  EXPECT_EQ(solver.meeting(met).cuts, met.cuts);
  // Where one region calls all, nothing meets.
  EXPECT_EQ(solver.meeting(solver.allDirect()).cuts, 0u);
}

TEST(ModelSolver, EvenCutsLeaveNoThreadWaiting) {
  // 100 nodes for 9 regions: 12 in some, 11 in others; for 10 regions: 10 in each.
  Plant plant = pipeline(std::vector<double>(99, 1e-6), 9);
  plant.cost[0] = 1e-6;
  Known known(plant);
  Solver solver(known.topology, known.costs, 9, 9);
  Plan even = solver.evenest(solver.withCuts(8), 1, 1.5);
  EXPECT_GE(even.predicted.even, 0.97);
  EXPECT_GE(solver.finer(even, 25).cuts, 25u);
}

TEST(ModelSolver, MoreWorkersThanQueuesAreOfNoUse) {
  Plant plant = pipeline(std::vector<double>(20, 1e-6), 16);
  Known known(plant);
  Solver solver(known.topology, known.costs, 16, 16);
  Configuration c = initialConfiguration(plant.graph);
  EXPECT_EQ(solver.usefulThreads(c), 1u);
  c.queued[5] = 1;
  EXPECT_EQ(solver.usefulThreads(c), 1u);
  c.queued[9] = 1;
  EXPECT_EQ(solver.usefulThreads(c), 3u);
  c.width[9] = 6;
  EXPECT_EQ(solver.usefulThreads(c), 8u);
}

TEST(ModelSolver, OnFewProcessorsSourcesHaveOneEach) {
  Plant plant = pipeline(std::vector<double>(20, 1e-6), 2);
  Known known(plant);
  Configuration c = initialConfiguration(plant.graph);
  c.queued.assign(c.queued.size(), 1);
  EXPECT_EQ(Solver(known.topology, known.costs, 2, 2).usefulThreads(c), 1u);
  EXPECT_EQ(Solver(known.topology, known.costs, 4, 4).usefulThreads(c), 3u);
  EXPECT_EQ(Solver(known.topology, known.costs, 16, 16).usefulThreads(c), 16u);
  known.costs.limited[0] = true; // waits for time or data most of the time
  known.costs.load[0] = 0.1;
  EXPECT_EQ(Solver(known.topology, known.costs, 2, 2).usefulThreads(c), 2u);
}

TEST(ModelSolver, LoopsEnd) {
  Plant plant = pipeline(std::vector<double>(5, 1e-6), 4);
  plant.graph.nodes[4].to.push_back(2);
  Known known(plant);
  Solver solver(known.topology, known.costs, 4, 4);
  EXPECT_EQ(known.topology.order.size(), 6u);
  EXPECT_GT(solver.best().predicted.rate, 0);
}

TEST(ModelSolver, SustainsWithTheLeast) {
  Plant plant = pipeline(std::vector<double>(10, 1e-6), 8);
  Known known(plant);
  Solver solver(known.topology, known.costs, 8, 8);
  for (double &load : known.costs.load)
    load *= 0.5; // half a processor
  EXPECT_EQ(solver.sustain(0.75).cuts, 0u);
  for (double &load : known.costs.load)
    load *= 3; // one and a half: three regions of a half
  EXPECT_EQ(solver.sustain(0.75).cuts, 2u);
}

} // namespace
