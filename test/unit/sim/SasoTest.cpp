//===- SasoTest.cpp - stability, accuracy, settling time, overshoot ---------===//
//
// The policies on simulated machines: what the paper reports of its algorithm, as far
// as orders of magnitude go, and what is promised of `model`.
//
//===----------------------------------------------------------------------===//
#include "Sims.h"
#include "runtime/sim/Compare.h"

namespace sluice::sim {
namespace {

constexpr double kTenMinutes = 600;

Experiment experiment(std::string_view graph, std::string_view machine, std::string_view runtime) {
  Experiment result = setupOf(graph, machine, runtime);
  result.noise = true;
  result.effort = 0.5; // rates within a few percent will do here
  return result;
}

Contender settled(Experiment e, const std::string &policy, const elastic::Constants &constants = {}, double seconds = 4000) {
  CompareOptions options;
  options.seconds = seconds;
  return drivePolicy(std::move(e), policy, constants, options);
}


//===--- the paper's algorithm ------------------------------------------------------===//

/// 500 operators, 1024 bytes, windows of 5 s. The paper: 1000 s, 800 s with history, about 400 s
/// with satisfaction, too.
TEST(SimPaper, HistoryAndSatisfactionShortenTheSearch) {
  Experiment e = experiment("pipeline:500,balanced,1024", "xeon176", "copying");
  double plain = settled(e, "paper", {{"history", 0}, {"satisfaction", 0}}).settling;
  double history = settled(e, "paper", {{"satisfaction", 0}}).settling;
  double both = settled(e, "paper").settling;
  double eager = settled(e, "paper", {{"sf", 0}}).settling;
  EXPECT_LT(history, 0.9 * plain);
  EXPECT_LT(both, history);
  EXPECT_LT(eager, both);
  EXPECT_GT(plain, 500);
  EXPECT_LT(plain, 2500);
  EXPECT_GT(eager, 150);
  EXPECT_LT(eager, 1000);
}

TEST(SimPaper, StaysWhereItHasSettled) {
  Experiment e = experiment("pipeline:100,skew,128", "xeon176", "copying");
  Lab lab(e);
  std::string error;
  auto policy = elastic::makePolicy("paper", {{"period", 5}}, lab.graph(), lab.policyMachine(), lab.configuration(), error);
  ASSERT_TRUE(policy) << error;
  Record record = drive(lab, *policy, 2000);
  Saso s = saso(record, 0, 2000);
  EXPECT_TRUE(s.settled);
  EXPECT_LT(s.settling, 2000 - kTenMinutes);
  EXPECT_EQ(s.changesAfter, 0u);
}

/// What queues in the right places gain over queues everywhere: more the larger the tuples
/// that are copied and the more operators there are; up to an order of magnitude.
TEST(SimPaper, GainsMoreWithLargerTuplesAndMoreOperators) {
  auto gain = [](const char *graph) {
    Experiment e = experiment(graph, "xeon176", "copying");
    return settled(e, "paper").rate / settled(e, "threads").rate;
  };
  double small = gain("pipeline:100,balanced,128"), large = gain("pipeline:100,balanced,16384");
  double longer = gain("pipeline:500,balanced,16384");
  EXPECT_GT(small, 0.9);
  EXPECT_GT(large, 3 * small);
  EXPECT_GT(longer, 1.2 * large);
  EXPECT_GT(longer, 8);
}

/// A tenth of the operators are heavy, then nine tenths: 500 s in the paper, from 32 threads and 42
/// queues to 88 and 86.
TEST(SimPaper, FindsMoreThreadsAndQueuesWhenTheLoadGrows) {
  CompareOptions options;
  options.seconds = 2400;
  Contender c = drivePolicy(experiment("pipeline:100,change,1024", "xeon176", "copying"), "paper", {}, options, 1200);
  Saso before = saso(c.record, 0, 1200);
  EXPECT_TRUE(before.settled);
  const Step *last = nullptr, *changed = nullptr;
  for (const Step &step : c.record.steps) {
    if (step.time <= 1200)
      last = &step;
    if (step.time > 1200 && step.decision.kind == elastic::Kind::LoadChange && !changed)
      changed = &step;
  }
  ASSERT_TRUE(last && changed);
  EXPECT_LT(changed->time, 1300);
  EXPECT_GT(c.threads, 2 * last->threads);
  EXPECT_GT(c.queues, last->queues);
  double lastChange = 0;
  for (const Step &step : c.record.steps)
    if (step.decision.changes())
      lastChange = step.time;
  EXPECT_GT(lastChange - 1200, 100);
  EXPECT_LT(lastChange - 1200, 1000);
}

} // namespace
} // namespace sluice::sim
