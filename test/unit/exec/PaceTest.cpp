//===- PaceTest.cpp - how many rows a source forwards at once -------------===//
#include "runtime/exec/source/Pace.h"
#include "Graph.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"

using namespace sluice;
using namespace sluice::test;

namespace {
constexpr int64_t kMillisecond = 1'000'000;

/// A source that is never run: the test says when its batches were forwarded.
struct Pace : testing::Test {
  Graph g;
  RunOptions options;
  std::unique_ptr<Program> program;
  std::unique_ptr<Source> source; // goes before its program
  int64_t now = 1'000'000'000'000;
  uint32_t rowsAtOnce = 0;

  Pace() {
    g.op("Source", 0, 1, count<0, 0, 0>);
    g.op("Sink", 1, 0);
    g.connect(0, 0, [](Ctx *, Batch *) { return 0; });
  }
  void begin(int64_t parts = 1) {
    source.reset();
    g.build();
    g.desc.rowsAtOnce = rowsAtOnce;
    program = std::make_unique<Program>(g.desc, std::vector<uint32_t>(), options);
    program->parts = parts;
    source = std::make_unique<Source>(*program);
    source->domains.push_back(program->domains.ofOperator[0]);
    beginPace(*source, now);
  }
  /// It makes as many in each of some milliseconds. The rows of a batch after that.
  uint32_t make(double inOne, int milliseconds) {
    double made = 0;
    for (int i = 0; i < milliseconds; ++i, made -= uint64_t(made)) {
      made += inOne;
      pace(*source, uint64_t(made), now += kMillisecond);
    }
    return limit();
  }
  uint32_t limit() {
    EXPECT_EQ(program->outPorts[0].batch->limit, program->ports[0].limit)
        << "that of the batch to be filled";
    return program->ports[0].limit;
  }
};
} // namespace

TEST_F(Pace, BeginsWithFew) {
  begin();
  EXPECT_EQ(limit(), 64u);
  EXPECT_EQ(make(100, 4), 64u) << "nothing is known yet";
}

TEST_F(Pace, IsWhatItMakesInFiveMilliseconds) {
  begin();
  EXPECT_NEAR(make(100, 5), 500, 1);
  EXPECT_NEAR(make(100, 500), 500, 1);
  EXPECT_NEAR(make(3, 3000), 15, 1) << "what it made before is forgotten";
  EXPECT_EQ(make(0, 3000), 1u) << "never none";
}

TEST_F(Pace, IsAsManyAsAreDoneSideBySide) {
  rowsAtOnce = 16;
  begin(/*parts=*/2);
  EXPECT_EQ(limit(), 64u);
  EXPECT_EQ(make(1, 100), 32u);
  EXPECT_NEAR(make(100, 3000), 500, 1) << "those of five milliseconds are more";
}

TEST_F(Pace, IsNoMoreThanFiftyMillisecondsForThat) {
  rowsAtOnce = 16;
  begin(/*parts=*/2);
  EXPECT_NEAR(make(0.25, 1000), 12, 1);
}

//===--- never more than a batch may hold -------------------------------------===//

TEST_F(Pace, EndsAtTheCapacity) {
  rowsAtOnce = 64;
  g.outPorts[0].batchCapacity = 300;
  begin(/*parts=*/8);
  EXPECT_EQ(make(1000, 100), 300u);
  EXPECT_EQ(make(7, 3000), 300u);
}

TEST_F(Pace, BeginsWithNoMoreThanTheCapacity) {
  g.outPorts[0].batchCapacity = 10;
  begin();
  EXPECT_EQ(limit(), 10u);
}

TEST_F(Pace, EndsAtBatchRows) {
  rowsAtOnce = 64;
  options.batchRows = 7;
  begin(/*parts=*/8);
  EXPECT_EQ(limit(), 7u);
  EXPECT_EQ(make(1000, 100), 7u);
}

TEST_F(Pace, EndsAtWhatAConsumerTakes) {
  g.inPorts[0].queueSize = 20;
  begin();
  EXPECT_EQ(make(1000, 100), 5u) << "config threadedPort counts in tuples: four batches are queued";
}

TEST_F(Pace, IsOneRowWhereTheOrderCounts) {
  rowsAtOnce = 64;
  begin();
  EXPECT_GT(make(100, 10), 1u);
  options.deterministic = true;
  begin();
  EXPECT_EQ(limit(), 1u);
  EXPECT_EQ(make(1000, 100), 1u);
  options.deterministic = false;
  g.outPorts[0].ordered = OrderKind::All;
  begin();
  EXPECT_EQ(make(1000, 100), 1u);
  g.outPorts[0].ordered = OrderKind::None;
  g.outPorts[0].backEdge = 1;
  begin();
  EXPECT_EQ(make(1000, 100), 1u);
}
