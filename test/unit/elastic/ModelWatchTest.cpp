//===- ModelWatchTest.cpp - has the load changed? ---------------------------===//
#include "ModelPlant.h"
#include "runtime/elastic/model/Watch.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

struct Watched {
  Plant plant = pipeline(std::vector<double>(50, 1e-6), 2);
  Topology topology{plant.graph};
  std::vector<double> cold = std::vector<double>(51);
  Watch watch{topology, cold};
  Configuration direct = initialConfiguration(plant.graph);
  Decision next;
  Watched() {
    plant.noise = 0.06;
    plant.dips = 0.05;
    next.interval = 0.5;
    watch.restart({});
  }
  bool step() { return watch.changed(plant.measure(direct, next)); }
};

TEST(ModelWatch, NoiseIsNoChange) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Watched w;
    w.plant.seed = seed;
    for (int i = 0; i < 1200; ++i)
      EXPECT_FALSE(w.step()) << seed << " " << i << " " << w.watch.what();
  }
}

TEST(ModelWatch, AChangeOfSharesIsFoundInTwoSeconds) {
  Watched w;
  for (int i = 0; i < 20; ++i)
    w.step();
  for (size_t v = 1; v < 10; ++v)
    w.plant.cost[v] *= 10;
  int steps = 1;
  while (!w.step() && steps < 100)
    ++steps;
  EXPECT_LE(steps, 4);
  EXPECT_GT(w.watch.moved, 0.3);
  EXPECT_GE(w.watch.recent().intervals, 1u);
}

TEST(ModelWatch, AnotherRateIsFoundInThreeSeconds) {
  Watched w;
  w.plant.limit = 2000;
  for (int i = 0; i < 20; ++i)
    w.step();
  w.plant.limit = 800;
  int steps = 1;
  while (!w.step() && steps < 100)
    ++steps;
  EXPECT_LE(steps, 6);
  EXPECT_LT(w.watch.faster, -0.5);
}

/// What is known to be dearer where anything is queued is twenty times as dear for three seconds,
/// and rows are as much fewer: the machine has moved. If other nodes are, or if it lasts, it is a
/// change.
TEST(ModelWatch, BatchesThatComeFromFarForAWhileAreNoChange) {
  auto steps = [](double known, size_t dearer, int most) {
    Watched w;
    w.plant.cost[0] = w.plant.cost[dearer] = 5e-6;
    w.cold[0] = known;
    for (int i = 0; i < 20; ++i)
      EXPECT_FALSE(w.step()) << i;
    w.plant.cost[dearer] *= 20;
    for (int i = 1; i <= most; ++i)
      if (w.step())
        return i;
    return 0;
  };
  EXPECT_EQ(steps(2e-6, 0, 6), 0);
  EXPECT_GT(steps(0, 0, 4), 0);
  EXPECT_GT(steps(2e-6, 7, 4), 0);
  EXPECT_GT(steps(2e-6, 0, 100), 60);
  // All is dearer, what is known to be as well.
  Watched w;
  w.cold[0] = 2e-6;
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(w.step()) << i;
  for (double &cost : w.plant.cost)
    cost *= 20;
  bool found = false;
  for (int i = 0; i < 6; ++i)
    found = found || w.step();
  EXPECT_TRUE(found);
}

/// The upper half waits, the lower half works off what queues hold: as much work as ever, of no
/// other kind.
TEST(ModelWatch, AnotherPaceOfOneProcessorIsNoChangeForSomeSeconds) {
  auto steps = [](std::vector<uint32_t> regions, size_t apart, double dearer) {
    Watched w;
    w.watch.restart({}, std::move(regions));
    for (int i = 0; i < 20; ++i)
      EXPECT_FALSE(w.step()) << i;
    for (size_t v = 26; v < w.plant.cost.size(); v += apart)
      w.plant.cost[v] *= dearer;
    for (int i = 1; i <= 200; ++i)
      if (w.step())
        return i;
    return 0;
  };
  std::vector<uint32_t> two(51);
  std::fill(two.begin() + 26, two.end(), 26);
  EXPECT_GT(steps(two, 1, 1.7), 40);
  int other = steps(two, 2, 2.4), none = steps({}, 1, 1.7), more = steps(two, 1, 3);
  for (int found : {other, none, more}) {
    EXPECT_GT(found, 0);
    EXPECT_LT(found, 12);
  }
}

TEST(ModelWatch, DrainingIsNoChange) {
  Watched w;
  auto drain = [&] {
    Sample sample = w.plant.measure(w.direct, w.next);
    for (size_t v = 0; v < sample.nodes.size(); ++v)
      for (double *each : {&sample.nodes[v].rows, &sample.nodes[v].batches, &sample.nodes[v].busy})
        *each *= v < sample.nodes.size() / 2 ? 0 : 2;
    return w.watch.changed(sample, "queues are draining");
  };
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(drain()) << i; // nor is it what is normal
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(w.step()) << i;
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(drain()) << i;
}

TEST(ModelWatch, AChangeBeforeTheLoadWasLearntIsFoundFromWhatWentBefore) {
  Watched w;
  Profile before;
  for (int i = 0; i < 4; ++i)
    before.add(w.plant.measure(w.direct, w.next));
  w.watch.restart(before);
  EXPECT_FALSE(w.step());
  for (size_t v = 1; v < 10; ++v)
    w.plant.cost[v] *= 10;
  EXPECT_FALSE(w.step());
  EXPECT_TRUE(w.step());
  EXPECT_EQ(w.watch.recent().intervals, 1u);
  EXPECT_GT(w.watch.moved, 0.3);
}

/// Two thirds of the work seem to be in another half, but in short intervals while queues fill;
/// rows cost what they did.
TEST(ModelWatch, SharesThatShortIntervalsGaveAreNoChange) {
  auto steps = [](double length) {
    Watched w;
    Profile before;
    for (int i = 0; i < 3; ++i) {
      Decision brief;
      brief.interval = length;
      Sample sample = w.plant.measure(w.direct, brief);
      for (size_t v = 0; v < sample.nodes.size(); ++v)
        sample.nodes[v].busy *= v < sample.nodes.size() / 2 ? 1.7 : 0.3;
      before.add(sample);
    }
    w.watch.restart(before);
    for (int i = 1; i <= 100; ++i)
      if (w.step())
        return i;
    return 0;
  };
  EXPECT_EQ(steps(0.1), 0);
  EXPECT_EQ(steps(0.5), 2);
}

TEST(ModelProfile, TimesAreMissingWhereRowsCameAndTookNone) {
  Sample sample;
  sample.length = 1;
  sample.nodes.resize(3);
  for (NodeSample &node : sample.nodes)
    node.rows = 10, node.busy = 0.1;
  Profile before(sample);
  EXPECT_TRUE(timesKnown(before, before));
  sample.nodes[1].busy = 0;
  Profile later(sample);
  EXPECT_FALSE(timesKnown(later, before));
  EXPECT_TRUE(timesKnown(later, later)); // it never took any
  sample.nodes[1].waited = 0.1;
  EXPECT_TRUE(timesKnown(Profile(sample), before));
  sample.nodes[1].waited = 0;
  sample.nodes[1].rows = 0; // nothing is known, and nothing was asked
  EXPECT_TRUE(timesKnown(Profile(sample), before));
  later.add(Sample{.length = 1, .nodes = {{}, {.rows = 1, .busy = 0.01}, {}}});
  EXPECT_TRUE(timesKnown(later, before));
}

} // namespace
