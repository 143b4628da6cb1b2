// Sources take turns; who waits lets others run, unless they could meet.
#include "Graph.h"
#include <atomic>

using namespace sluice;
using namespace sluice::test;

TEST(Baton, DeterministicSourcesAlternateInOrder) {
  for (int i = 0; i < 20; ++i) {
    Graph g;
    g.op("A", 0, 1, count<0, 0, 3>);
    g.op("B", 0, 1, count<1, 0, 5>);
    g.op("C", 0, 1, count<2, 0, 2>);
    for (int s = 0; s < 3; ++s)
      g.op("Sink", 1, 0);
    g.connect(0, 0, show<'a', 0>);
    g.connect(1, 1, show<'b', 1>);
    g.connect(2, 2, show<'c', 2>);
    ASSERT_EQ(g.run({"--deterministic"}), 0);
    ASSERT_EQ(events, strings({"a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "cF", "aF", "b3",
                               "b4", "bF"}));
  }
}

static std::atomic<int> insideGraph;
static int32_t exclusive(Ctx *ctx, Batch *b) {
  EXPECT_EQ(insideGraph.fetch_add(1), 0);
  each(ctx, b, [](int64_t) { return 0; }, [](PunctuationKind) { return note("F"), 0; });
  EXPECT_EQ(insideGraph.fetch_sub(1), 1);
  return 0;
}

TEST(Baton, OneSourceIsInTheGraphAtATime) {
  Graph g;
  g.op("A", 0, 1, count<0, 0, 300000>);
  g.op("B", 0, 1, count<1, 0, 300000>);
  g.op("C", 0, 1, count<2, 0, 300000>);
  g.op("Sink", 1, 0);
  for (uint32_t out : {0, 1, 2})
    g.connect(out, 0, exclusive);
  EXPECT_EQ(g.run(), 0);
  EXPECT_EQ(events.size(), 3u);
}

static std::atomic<bool> otherRan; // sources may run at once
static int32_t waits(Ctx *ctx) {
  append(ctx, 0, 1);
  while (!otherRan)
    EXPECT_EQ(sl_wait(ctx, 0.0005), 0);
  append(ctx, 0, 2);
  return finish(ctx, 0);
}
static int32_t runs(Ctx *) {
  otherRan = true;
  note("other");
  return 0;
}

TEST(Baton, AWaitingSourceHandsOnAndLetsOthersRun) {
  otherRan = false;
  Graph g;
  g.op("A", 0, 1, waits);
  g.op("Sink", 1, 0);
  g.op("B", 0, 0, runs);
  g.connect(0, 0, show<'s', 0>);
  EXPECT_EQ(g.run({"--deterministic"}), 0); // without, both run at once
  EXPECT_EQ(events, strings({"s1", "other", "s2", "sF"}));
}

//===--- a native operator that waits -----------------------------------------===//

static std::atomic<bool> meanwhile;
namespace {
struct Slow : NativeOp {
  bool busy = false;
  int32_t tuple(uint32_t, const void *) override {
    EXPECT_FALSE(busy) << "entered twice";
    busy = true;
    note("slow");
    for (int i = 0; i < 3; ++i)
      sl_wait(ctx, 0.001);
    busy = false;
    return 0;
  }
  int32_t punct(uint32_t, PunctuationKind kind) override {
    note(kind == PunctuationKind::Final ? "slowF" : "slowW");
    return 0;
  }
};
} // namespace
static RegisterNative slow("test::Slow", [] { return static_cast<NativeOp *>(new Slow); });

template <uint32_t In> static int32_t intoSlow(Ctx *ctx, Batch *b) {
  return each(
      ctx, b, [&](int64_t v) { return sl_native_tuple(ctx, 0, 0, &v); },
      [&](PunctuationKind kind) {
        return sl_port_final(ctx, In) ? sl_native_punct(ctx, 0, 0, uint32_t(kind), 0) : 0;
      });
}

TEST(Baton, SourcesThatMeetAWaitingOperatorStayOut) {
  Graph g;
  g.op("A", 0, 1, count<0, 0, 4>);
  g.op("B", 0, 1, count<1, 0, 4>);
  g.native("Slow", "test::Slow", 1, 0);
  g.connect(0, 0, intoSlow<0>);
  g.connect(1, 0, intoSlow<0>);
  EXPECT_EQ(g.run(), 0);
  EXPECT_EQ(events.size(), 9u);
  EXPECT_EQ(events.back(), "slowF");
}

static int32_t untilOther(Ctx *ctx) {
  for (int i = 0; i < 100000 && !meanwhile; ++i)
    append(ctx, 0, i);
  return finish(ctx, 0);
}

TEST(Baton, OthersRunMeanwhile) {
  meanwhile = false;
  Graph g;
  g.op("A", 0, 1, untilOther);
  g.native("Slow", "test::Slow", 1, 0);
  g.op("B", 0, 0, [](Ctx *) {
    meanwhile = true;
    return 0;
  });
  g.connect(0, 0, intoSlow<0>);
  EXPECT_EQ(g.run({"--batch-rows=8"}), 0);
  EXPECT_LT(events.size(), 500u); // it did not take all of A's rows before B ran
  EXPECT_EQ(events.back(), "slowF");
}

TEST(Baton, UnknownNativeOperatorIsSaid) {
  Graph g;
  g.native("X", "test::Unknown", 0, 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(g.run(), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "internal error: there is no native operator test::Unknown"),
            std::string::npos);
}
