//===- FiguresTest.cpp - model against paper, figure after figure -----------===//
//
// A point or more of each figure that `sluice-sim paper` makes, in both runtimes: `model` ends
// where rows are as fast as `paper` has them, within what its intervals can tell, and is there ten
// times as soon.
//
//===----------------------------------------------------------------------===//
#include "Sims.h"
#include "runtime/sim/Compare.h"

namespace sluice::sim {
namespace {

constexpr double kNoise = 0.98;

struct Point {
  const char *figure, *graph, *machine;
};
void PrintTo(const Point &point, std::ostream *out) { *out << point.figure << " " << point.graph; }

Experiment experiment(const Point &point, const char *runtime) {
  Experiment result = setupOf(point.graph, point.machine, runtime);
  result.noise = true;
  return result;
}

class SimFigures : public testing::TestWithParam<std::tuple<Point, const char *>> {};

TEST_P(SimFigures, ModelIsAsGoodAsPaperAndTenTimesAsSoon) {
  auto [point, runtime] = GetParam();
  Experiment e = experiment(point, runtime);
  Contender model = drivePolicy(e, "model", {}, {}), paper = drivePolicy(e, "paper", {}, {});
  EXPECT_GE(model.rate, kNoise * paper.rate)
      << model.queues << " queues, " << model.threads << " threads against " << paper.queues << ", "
      << paper.threads;
  EXPECT_LE(model.settling, 0.1 * paper.settling);
  EXPECT_LE(model.settling, 10);
}

/// What thread elasticity alone has, queues in chosen places have with fewer threads.
TEST(SimFigures, ChosenPlacesNeedFewerThreads) {
  CompareOptions options;
  options.tries = 0;
  for (const char *graph : {"pipeline:100,skew,16384", "pipeline:500,balanced,1024",
                            "mixed:10x100,balanced,16384", "bushy,balanced,16384"}) {
    std::vector<Contender> all = compareAll(experiment({"", graph, "xeon176"}, "copying"), options);
    const Contender *alone = find(all, "threads");
    EXPECT_GT(alone->enough, 1u) << graph;
    EXPECT_LE(alone->enough, alone->threads) << graph;
    for (const char *name : {"paper", "model"}) {
      const Contender *c = find(all, name);
      EXPECT_GT(c->enough, 0u) << graph << " " << name;
      EXPECT_LT(c->enough, 0.8 * alone->enough) << graph << " " << name;
    }
    // Without queues one thread does it all, if that is enough.
    const Contender *none = find(all, "none");
    EXPECT_EQ(none->enough, none->rate >= 0.99 * alone->rate ? 1u : 0u) << graph;
  }
}

const Point kPoints[] = {
    {"6", "pipeline:500,balanced,1024", "xeon176"},
    {"9", "pipeline:100,balanced,128", "xeon176"},
    {"9", "pipeline:100,balanced,16384", "xeon176"},
    {"9", "pipeline:100,skew,1024", "xeon176"},
    {"10", "data-parallel:50,balanced,1", "xeon176"},
    {"10", "data-parallel:50,skew,128", "xeon176"},
    {"10", "data-parallel:50,skew,16384", "xeon176"},
    {"10", "data-parallel:100,skew,16384", "xeon176"},
    {"11", "mixed:10x50,balanced,16384", "xeon176"},
    {"11", "mixed:10x50,skew,1024", "xeon176"},
    {"11", "mixed:10x100,balanced,1024", "xeon176"},
    {"12", "bushy,balanced,1024", "xeon176"},
    {"12", "bushy,skew,16384", "xeon176"},
    {"15", "vwap", "cpus16"},
    {"15", "packets:387", "cpus16"},
};
const Point kLarge[] = {
    {"9", "pipeline:1000,skew,16384", "xeon176"},
    {"15", "packets:2305", "xeon88"},
};

INSTANTIATE_TEST_SUITE_P(Points, SimFigures,
                         testing::Combine(testing::ValuesIn(kPoints),
                                          testing::Values("copying", "sluice")));
INSTANTIATE_TEST_SUITE_P(Large, SimFigures,
                         testing::Combine(testing::ValuesIn(kLarge), testing::Values("copying")));

/// Figure 1 shows what there is to be found: numbers of queues, evenly spread, and of threads.
TEST(SimFigures, ModelEndsOnTopOfTheLandscape) {
  for (const char *runtime : {"copying", "sluice"}) {
    Experiment e = experiment({"1", "pipeline:100,balanced,128", "xeon176"}, runtime);
    Lab lab(e);
    double top = 0;
    for (double share = 1; share > 0.006; share /= 2)
      for (uint32_t threads : {1u, 16u, 64u, 176u}) {
        elastic::Configuration set = cutBy(lab, share);
        set.threads = threads;
        top = std::max(top, lab.lastingRate(set));
      }
    EXPECT_GE(drivePolicy(e, "model", {}, {}).rate, kNoise * top) << runtime;
  }
}

/// Figure 13: one heavy operator in ten, then nine in ten.
TEST(SimFigures, ModelIsAsGoodAsPaperBeforeAndAfterAChangeOfLoad) {
  constexpr double kChange = 1200, kEnd = 2400;
  for (const char *runtime : {"copying", "sluice"}) {
    Experiment e = experiment({"13", "pipeline:100,change,1024", "xeon176"}, runtime);
    CompareOptions options;
    options.seconds = kEnd;
    Contender model = drivePolicy(e, "model", {}, options, kChange),
              paper = drivePolicy(e, "paper", {}, options, kChange);
    EXPECT_GE(model.rate, kNoise * paper.rate) << runtime;
    auto before = [](const Record &record) { // the mean of the last minutes
      double sum = 0, seconds = 0, last = 0;
      for (const Step &step : record.steps) {
        if (step.time > kChange - 300 && step.time <= kChange - 10)
          sum += step.throughput * (step.time - last), seconds += step.time - last;
        last = step.time;
      }
      return sum / seconds;
    };
    EXPECT_GE(before(model.record), kNoise * before(paper.record)) << runtime;
    for (auto [from, to, changed] : {std::tuple(0.0, kChange, false), {kChange, kEnd, true}}) {
      Saso soon = saso(model.record, from, to, changed),
           late = saso(paper.record, from, to, changed);
      EXPECT_TRUE(soon.settled) << runtime;
      EXPECT_LE(soon.settling, 0.1 * late.settling) << runtime << " from " << from;
    }
  }
}

} // namespace
} // namespace sluice::sim
