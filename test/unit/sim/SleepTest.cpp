//===- SleepTest.cpp - operators that sleep, in the simulator --------------===//
#include "Sims.h"
#include "runtime/sim/Compare.h"
#include <algorithm>

using namespace sluice::elastic;

namespace sluice::sim {
namespace {

constexpr double kHeaviest = 4e-3; // seconds a row, of the cost `wait`

Experiment sleeping(std::string_view graph, double cores) {
  Experiment setup = setupOf(graph, "cpus16", "sluice");
  setup.machine.cores = cores;
  return setup;
}

double total(const Application &app) {
  double nanos = 0;
  for (const Operator &op : app.operators)
    nanos += op.sleep;
  return nanos * 1e-9;
}

TEST(SimSleep, TwoFifthsSleepLongAndAFifthShortly) {
  Application app = graphOf("pipeline:10,wait");
  EXPECT_EQ(app.sleepers(), 6u);
  EXPECT_NEAR(total(app), 4 * 4e-3 + 2 * 1e-3, 1e-12);
  EXPECT_EQ(graphOf("pipeline:2,wait").sleepers(), 2u);
  EXPECT_EQ(graphOf("pipeline:10,skew").sleepers(), 0u);
  EXPECT_EQ(Lab(sleeping("pipeline:10,wait", 2)).policyMachine().maxThreads, 8u);
}

TEST(SimSleep, OneThreadHasTheSumAndOneForEachTheLongest) {
  Lab lab(sleeping("pipeline:5,wait", 1));
  Configuration direct = initialConfiguration(lab.graph()), queued = direct;
  double sum = total(lab.setup().app);
  EXPECT_NEAR(lab.rate(direct), 1 / sum, 0.01 / sum);
  for (uint32_t v = 0; v < queued.queued.size(); ++v)
    queued.queued[v] = lab.graph().nodes[v].changeable;
  queued.threads = lab.policyMachine().maxThreads;
  EXPECT_NEAR(lab.lastingRate(queued), 1 / kHeaviest, 0.03 / kHeaviest);
  // The source and one worker: two threads are asleep at the same time at most.
  queued.threads = 1;
  EXPECT_LT(lab.lastingRate(queued), 1.02 * 2 / sum);
}

TEST(SimSleep, WhoSleepsTakesNoProcessor) {
  Lab lab(sleeping("pipeline:5,wait", 2));
  Sample sample = lab.measure(0, 1);
  double busy = 0, waited = 0;
  for (const NodeSample &node : sample.nodes)
    busy += node.busy, waited += node.waited;
  EXPECT_NEAR(waited, 1, 0.01);
  EXPECT_LT(busy, 0.01);
  EXPECT_LT(sample.cpu, 0.01);
}

/// The policy settles where the heaviest stage is the bound, on one processor as on many, and
/// stays.
TEST(SimSleep, ThePolicySettlesWithAThreadForEachHeavyStage) {
  for (const char *graph : {"pipeline:5,wait", "pipeline:12,wait"})
    for (double cores : {1.0, 2.0, 16.0}) {
      Experiment setup = sleeping(graph, cores);
      setup.noise = true;
      Lab lab(setup);
      std::string error;
      auto policy =
          makePolicy("model", {}, lab.graph(), lab.policyMachine(), lab.configuration(), error);
      ASSERT_TRUE(policy) << error;
      Record record = drive(lab, *policy, 120);
      Saso s = saso(record, 0, 120);
      EXPECT_TRUE(s.settled) << graph << cores;
      EXPECT_LE(s.settling, 15) << graph << cores;
      EXPECT_EQ(s.changesAfter, 0u) << graph << cores;
      EXPECT_GE(lab.lastingRate(lab.configuration()), 0.95 / kHeaviest) << graph << cores;
      EXPECT_FALSE(lab.stuck());
    }
}

} // namespace
} // namespace sluice::sim
