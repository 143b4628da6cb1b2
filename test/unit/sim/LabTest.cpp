//===- LabTest.cpp - intervals, noise, policies at the wheel ------------------===//
#include "Sims.h"

namespace sluice::sim {
namespace {

using elastic::Decision;
using elastic::Kind;
using elastic::Sample;

/// A short stretch stands for a long interval: what README.md says is approximated.
TEST(SimLab, ShortStretchesAgreeWithLongOnes) {
  struct Case {
    const char *graph, *machine, *runtime;
    int every;
    uint32_t threads;
  };
  for (const Case &c : {Case{"pipeline:100,100,1024", "xeon176", "copying", 5, 20},
                        {"pipeline:100,skew", "xeon176", "sluice", 1, 40},
                        {"mixed:10x20,100,128", "power184", "copying", 4, 60},
                        {"bushy", "cpus16", "sluice", 3, 8}}) {
    auto rate = [&](double effort) {
      Experiment setup = setupOf(c.graph, c.machine, c.runtime);
      setup.effort = effort;
      Lab lab(setup);
      elastic::Configuration set = elastic::initialConfiguration(lab.graph());
      for (size_t i = 1; i < set.queued.size(); i += size_t(c.every))
        set.queued[i] = 1;
      set.threads = c.threads;
      return lab.rate(set);
    };
    EXPECT_NEAR(rate(1) / rate(20), 1, 0.03) << c.graph;
  }
}

/// The copying runtime forwards single tuples; the model moves 200 at once.
TEST(SimLab, TheGrainOfCopiesDoesNotMatter) {
  Application app = graphOf("pipeline:60,100,1024");
  Machine machine = machineOf("xeon176");
  auto rate = [&](double grain, uint32_t threads) {
    Runtime runtime;
    makeRuntime("copying", machine, app.payload, runtime);
    runtime.batchRows = grain;
    elastic::Configuration set = initialConfiguration(app.graph());
    for (size_t i = 6; i < set.queued.size(); i += 6)
      set.queued[i] = 1;
    Engine engine(runtime, machine, threads);
    engine.configure(makePlan(app, runtime, machine, set, false), threads);
    engine.run(200000);
    engine.clear();
    engine.run(200000);
    return engine.totals().regions.back().rows / engine.totals().nanos;
  };
  EXPECT_NEAR(rate(200, 12) / rate(20, 12), 1, 0.03);
  EXPECT_NEAR(rate(200, 4) / rate(20, 4), 1, 0.1); // turns are longer than some rings
}

TEST(SimLab, ASampleAddsUp) {
  for (const char *runtime : {"sluice", "copying"}) {
    Lab lab(setupOf("mixed:4x10,skew,128", "cpus16", runtime));
    elastic::Configuration set = handPlaced(lab);
    lab.configure(set);
    Sample s = lab.measure(1, 5);
    EXPECT_EQ(s.time, 6);
    EXPECT_EQ(s.length, 5);
    EXPECT_EQ(lab.time(), 6);
    EXPECT_LE(s.busy + s.idle + s.parked, 16 * 5 + 1e-6);
    EXPECT_NEAR(s.parked, (16 - set.threads) * 5.0, 0.1);
    double rows = s.nodes[0].rows, busy = 0;
    EXPECT_NEAR(rows, s.throughput(lab.graph()) * 5, 1e-6 * rows);
    for (size_t i = 0; i < s.nodes.size(); ++i) {
      const elastic::NodeSample &node = s.nodes[i];
      busy += node.busy;
      EXPECT_EQ(node.queued > 0, set.queued[i] != 0) << i;
      EXPECT_LE(node.queued, node.batches * 1.0001) << i;
      EXPECT_EQ(node.bytes > 0, set.queued[i] != 0) << i;
    }
    EXPECT_NEAR(s.nodes.back().rows / rows, 1, 1e-6) << "every row of the source reaches the sink";
    EXPECT_LE(busy, s.cpu * 1.01);
    EXPECT_GE(s.cpu, 0.5 * busy);
  }
}

TEST(SimLab, NoiseComesFromTheSeed) {
  auto samples = [](uint64_t seed) {
    Experiment setup = setupOf("pipeline:20,100,128", "cpus16", "copying");
    setup.noise = true;
    setup.seed = seed;
    Lab lab(setup);
    return std::pair(lab.measure(0, 5), lab.measure(0, 5));
  };
  EXPECT_EQ(samples(3), samples(3));
  EXPECT_NE(samples(3), samples(4));
  auto [first, second] = samples(3);
  EXPECT_NE(first.nodes[0].rows, second.nodes[0].rows);
  EXPECT_NEAR(first.nodes[0].rows / second.nodes[0].rows, 1, 0.05);
}

TEST(SimLab, TheLoadChangesOnce) {
  Lab lab(setupOf("pipeline:50,change", "cpus16", "sluice"));
  double before = lab.rate(lab.configuration());
  lab.changeLoad();
  EXPECT_NEAR(before / lab.rate(lab.configuration()), 9, 0.5); // 5 heavy operators, then 45
}

/// Does as it is told.
struct Scripted : elastic::Policy {
  std::vector<Decision> script;
  size_t at = 0;
  Decision begin() override { return next(); }
  Decision step(const Sample &) override { return next(); }
  Decision next() {
    Decision last;
    last.kind = Kind::Settled;
    last.interval = 10;
    return at < script.size() ? script[at++] : last;
  }
  Decision &add(Kind kind, double warmUp, double interval) {
    Decision decision;
    decision.kind = kind;
    decision.warmUp = warmUp;
    decision.interval = interval;
    script.push_back(decision);
    return script.back();
  }
};

TEST(SimDrive, CarriesOutWhatIsDecided) {
  Lab lab(setupOf("pipeline:20,1000", "cpus16", "sluice"));
  Scripted policy;
  policy.add(Kind::Wait, 0, 5);
  Decision &two = policy.add(Kind::Try, 5, 5);
  two.queues = {{5, true}, {10, true}, {15, true}};
  two.threads = 6;
  policy.add(Kind::Undo, 0, 5).threads = 3;
  Record run = drive(lab, policy, 100);
  ASSERT_GE(run.steps.size(), 3u);
  EXPECT_EQ(run.steps[0].time, 5);
  EXPECT_EQ(run.steps[0].queues, 0u);
  EXPECT_EQ(run.steps[1].time, 15);
  EXPECT_EQ(run.steps[1].queues, 3u);
  EXPECT_EQ(run.steps[1].threads, 6u);
  EXPECT_GT(run.steps[1].throughput, 3 * run.steps[0].throughput);
  EXPECT_EQ(run.final.threads, 3u);
  EXPECT_GE(run.steps.back().time, 100);
  Saso s = saso(run, 0, 100);
  EXPECT_TRUE(s.settled);
  EXPECT_EQ(s.settling, 15);
  EXPECT_EQ(s.changesAfter, 0u);
  EXPECT_EQ(s.overshoot, 3u);
  EXPECT_EQ(s.overshootSeconds, 10);
}

TEST(SimDrive, ChangesAfterSettlingAreCounted) {
  Record run;
  auto step = [&](double time, uint32_t threads, Kind kind, bool change) {
    Step s;
    s.time = time;
    s.threads = threads;
    s.decision.kind = kind;
    if (change)
      s.decision.threads = 1;
    run.steps.push_back(s);
  };
  step(10, 1, Kind::Try, true);
  step(20, 4, Kind::Settled, true);
  step(30, 2, Kind::Settled, false);
  step(40, 2, Kind::Try, true);
  step(50, 3, Kind::Undo, true);
  step(60, 2, Kind::Settled, false);
  Saso s = saso(run, 0, 60);
  EXPECT_EQ(s.settling, 20);
  EXPECT_EQ(s.changesAfter, 2u);
  EXPECT_EQ(s.overshoot, 2u);
  EXPECT_EQ(s.overshootSeconds, 20);
  EXPECT_FALSE(saso(run, 0, 60, true).settled); // it never said that the load had changed
  EXPECT_FALSE(saso(run, 0, 15).settled);
  EXPECT_EQ(saso(run, 0, 15).settling, 15);
}

TEST(SimSearch, TheOracleFindsTheBestOfASmallGraph) {
  Experiment setup = setupOf("pipeline:5,1000,1024", "cpus16", "copying");
  setup.threads = 4;
  Lab lab(setup);
  double best = 0;
  for (uint32_t queues = 0; queues < 64; ++queues)
    for (uint32_t threads = 1; threads <= 4; ++threads) {
      elastic::Configuration set = initialConfiguration(lab.graph());
      for (uint32_t i = 0; i < 6; ++i)
        set.queued[i + 1] = queues >> i & 1;
      set.threads = threads;
      best = std::max(best, lab.rate(set));
    }
  EXPECT_GE(lab.rate(oracle(lab, 200)), 0.97 * best);
}

TEST(SimSearch, CutsAreBalanced) {
  Lab lab(setupOf("pipeline:100,100", "xeon88", "sluice"));
  elastic::Configuration set = cutBy(lab, 0.1);
  EXPECT_NEAR(countQueues(lab.graph(), set), 10, 1);
  EXPECT_EQ(set.threads, countQueues(lab.graph(), set));
  EXPECT_GT(lab.rate(set), 8 * lab.rate(lab.configuration()));
}

} // namespace
} // namespace sluice::sim
