//===- EngineTest.cpp - rates that can be worked out -----------------------===//
#include "Sims.h"

namespace sluice::sim {
namespace {

constexpr double kClose = 0.02;

struct Known {
  Lab lab;
  elastic::Configuration set;
  Known(std::string_view graph, std::string_view machine, std::string_view runtime)
      : Known(setupOf(graph, machine, runtime)) {}
  explicit Known(Experiment setup)
      : lab(std::move(setup)), set(elastic::initialConfiguration(lab.graph())) {}
  Known &queue(std::vector<uint32_t> nodes, uint32_t threads) {
    for (uint32_t node : nodes)
      set.queued[node] = 1;
    set.threads = threads;
    return *this;
  }
  /// Seconds that a row of the source takes in each region, by its head.
  std::vector<double> costs() const {
    std::vector<double> result;
    Plan plan = lab.planOf(set);
    for (const Region &region : plan.regions)
      result.push_back((region.rowNanos + region.batchNanos / rows()) * 1e-9);
    return result;
  }
  double rows() const {
    Runtime runtime;
    makeRuntime(lab.setup().runtime, lab.setup().machine, lab.setup().app.payload, runtime);
    return runtime.batchRows;
  }
  void expect(double rate, double close = kClose) {
    double is = lab.rate(set);
    EXPECT_NEAR(is / rate, 1, close)
        << lab.setup().runtime << " " << lab.setup().app.name << ": " << is << " against " << rate;
    EXPECT_FALSE(lab.stuck());
  }
};

double sum(const std::vector<double> &values) {
  double result = 0;
  for (double value : values)
    result += value;
  return result;
}

TEST(SimEngine, WithoutQueuesTheSourceDoesAll) {
  for (const char *runtime : {"sluice", "copying"}) {
    Known known("pipeline:100,100", "xeon88", runtime);
    ASSERT_EQ(known.costs().size(), 1u);
    // 100 operators of 100 operations of 0.82 ns each, and what the runtime adds.
    double work = 100 * 100 * 0.82 + (runtime[0] == 's' ? 101 * 1.0 : 102 * 68.0);
    EXPECT_NEAR(known.costs()[0] * 1e9 / work, 1, kClose);
    known.expect(1 / known.costs()[0]);
  }
}

TEST(SimEngine, TheSlowestStageOfAPipelineIsItsRate) {
  for (const char *runtime : {"sluice", "copying"})
    for (const char *graph : {"pipeline:40,100", "pipeline:40,skew"}) {
      Known known(graph, "xeon88", runtime);
      known.queue({5, 12, 20, 30, 31}, 10);
      std::vector<double> costs = known.costs();
      ASSERT_EQ(costs.size(), 6u);
      // Of IBM's threads one is sometimes still asleep when the slowest stage wants it.
      known.expect(1 / *std::max_element(costs.begin(), costs.end()),
                   runtime[0] == 's' ? kClose : 2 * kClose);
    }
}

TEST(SimEngine, FewThreadsShareTheWork) {
  // One worker and the source's thread, which helps: two threads do it all.
  Known known("pipeline:40,1000", "xeon88", "sluice");
  known.queue({5, 12, 20, 30, 31}, 1);
  known.expect(2 / sum(known.costs()));
  // IBM's spin while the other one is where they want to be.
  Known copying("pipeline:40,1000", "xeon88", "copying");
  copying.queue({5, 12, 20, 30, 31}, 1);
  double part = copying.lab.rate(copying.set) * sum(copying.costs()) / 2;
  EXPECT_GT(part, 0.8);
  EXPECT_LE(part, 1.001);
}

TEST(SimEngine, BranchesRunSideBySide) {
  Known known("data-parallel:8,10000", "xeon88", "sluice");
  known.queue({1, 2, 3, 4, 5, 6, 7, 8, 9}, 9);
  std::vector<double> costs = known.costs();
  EXPECT_NEAR(costs[1] * 1e6, 8.2, 0.2);
  known.expect(8 / costs[1]);
}

TEST(SimEngine, TheCallersOfAnOperatorTakeTurns) {
  // Eight branches call the sink, which is as heavy as they are: it is the slowest stage.
  for (const char *runtime : {"sluice", "copying"}) {
    Experiment setup = setupOf("data-parallel:8,1000", "xeon88", runtime);
    setup.app.operators.back().flops = 1000;
    Known known(setup);
    known.queue({1, 2, 3, 4, 5, 6, 7, 8}, 16);
    known.expect(1 / known.costs().back());
  }
}

TEST(SimEngine, HardwareThreadsOfACoreShareIt) {
  Known one("pipeline:400,1000", "xeon88", "sluice"), two("pipeline:400,1000", "xeon176", "sluice");
  for (Known *known : {&one, &two}) {
    std::vector<uint32_t> all(400); // more than threads: all of them always have work
    for (uint32_t i = 0; i < 400; ++i)
      all[i] = i + 1;
    known->queue(all, 175);
  }
  EXPECT_NEAR(two.lab.rate(two.set) / one.lab.rate(one.set), 1.3, 0.05);
}

TEST(SimEngine, CopiesShareTheMemory) {
  // 16 KiB through 101 rings of 1000 is out of any cache: three bytes of traffic for each that is
  // missed.
  Known known("pipeline:101,1,16384", "xeon176", "copying");
  std::vector<uint32_t> all(101);
  for (uint32_t i = 0; i < 101; ++i)
    all[i] = i + 1;
  known.queue(all, 176);
  double missed = 1 - 220e6 / (101 * 16384.0 * 1000);
  known.expect(200e9 / (101 * 16384.0 * 3 * missed));
}

TEST(SimEngine, NothingIsFasterThanItsSlowestRegion) {
  // Rings of a thousand rows in a wide graph take long to fill: that is no throughput.
  for (const char *graph : {"bushy,skew,128", "mixed:4x10,skew", "pipeline:200,skew,1024"})
    for (const char *runtime : {"sluice", "copying"}) {
      Known known(graph, "xeon176", runtime);
      known.set = allQueued(known.lab, 100);
      double slowest = 0;
      for (const Region &region : known.lab.planOf(known.set).regions)
        slowest = std::max(slowest, region.load);
      EXPECT_LT(known.lab.rate(known.set) * slowest * 1e-9, 1.001) << graph << runtime;
    }
}

TEST(SimEngine, NobodyStandsStill) {
  for (const char *graph : {"pipeline:30,skew", "data-parallel:20", "bushy", "vwap", "packets:387"})
    for (const char *runtime : {"sluice", "copying"})
      for (uint32_t threads : {1, 3, 16}) {
        Lab lab(setupOf(graph, "cpus16", runtime));
        EXPECT_GT(lab.rate(allQueued(lab, threads)), 0) << graph << runtime << threads;
        elastic::Configuration hand = handPlaced(lab);
        hand.threads = threads;
        EXPECT_GT(lab.rate(hand), 0) << graph << runtime << threads;
        EXPECT_FALSE(lab.stuck()) << graph << runtime << threads;
      }
}

} // namespace
} // namespace sluice::sim
