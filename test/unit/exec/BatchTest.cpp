// Batches, punctuation, back edges.
#include "Graph.h"
#include "memory/Arena.h"

using namespace sluice;
using namespace sluice::test;

static std::vector<uint32_t> sizes;
static int64_t sum;

static int32_t measure(Ctx *ctx, Batch *b) {
  sizes.push_back(b->rows);
  return each(
      ctx, b,
      [](int64_t v) {
        sum += v;
        return 0;
      },
      [&](PunctuationKind) { return sl_port_final(ctx, 0) ? (note("F"), 0) : 0; });
}

static int runMeasured(std::vector<const char *> args) {
  sizes.clear();
  sum = 0;
  Graph g;
  g.op("Src", 0, 1, count<0, 0, 3000>);
  g.op("Sink", 1, 0);
  g.connect(0, 0, measure);
  return g.run(args);
}

TEST(Batch, HoldsEveryRowOnce) {
  EXPECT_EQ(runMeasured({}), 0);
  EXPECT_EQ(sum, 2999 * 3000 / 2);
  EXPECT_EQ(events, strings({"F"}));
  for (uint32_t rows : sizes)
    EXPECT_LE(rows, kBatchRows);
}

TEST(Batch, RowsPerBatchCanBeLowered) {
  EXPECT_EQ(runMeasured({"--batch-rows", "7"}), 0);
  EXPECT_EQ(sum, 2999 * 3000 / 2);
  for (uint32_t rows : sizes)
    EXPECT_LE(rows, 7u);
}

TEST(Batch, DeterministicMeansOneRow) {
  EXPECT_EQ(runMeasured({"--deterministic"}), 0);
  EXPECT_EQ(sum, 2999 * 3000 / 2);
  for (uint32_t rows : sizes)
    EXPECT_LE(rows, 1u);
}

static int32_t punctuated(Ctx *ctx) {
  sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  append(ctx, 0, 1);
  append(ctx, 0, 2);
  sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  append(ctx, 0, 3);
  EXPECT_EQ(sl_out_open(ctx, 0), 1);
  finish(ctx, 0);
  EXPECT_EQ(sl_out_open(ctx, 0), 0);
  return finish(ctx, 0); // a second Final is none
}

TEST(Batch, PunctuationKeepsItsPlace) {
  for (auto args : {std::vector<const char *>{}, {"--deterministic"}, {"--batch-rows=2"}}) {
    Graph g;
    g.op("Src", 0, 1, punctuated);
    g.op("Sink", 1, 0);
    g.connect(0, 0, show<'s', 0>);
    EXPECT_EQ(g.run(args), 0);
    EXPECT_EQ(events, strings({"sW", "s1", "s2", "sW", "sW", "s3", "sF"}));
  }
}

TEST(Batch, NoUnknownPunctuationPassesForAFinal) {
  EXPECT_FALSE(isFinal(PunctuationKind::Window));
  EXPECT_FALSE(isFinal(PunctuationKind::Watermark));
  EXPECT_TRUE(isFinal(PunctuationKind::Final));
  Ctx ctx = {};
  EXPECT_DEATH(sl_port_punct(&ctx, 0, 3, 0), "there is no punctuation of kind 3");
}

static int32_t manyPuncts(Ctx *ctx) {
  for (int i = 0; i < 5000; ++i)
    sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  return finish(ctx, 0);
}
static int punctCount;
static int32_t countPuncts(Ctx *, Batch *b) {
  EXPECT_LE(b->punctCount, kBatchRows);
  punctCount += int(b->punctCount);
  return 0;
}

TEST(Batch, PunctuationAloneIsForwardedToo) {
  Graph g;
  g.op("Src", 0, 1, manyPuncts);
  g.op("Sink", 1, 0);
  g.connect(0, 0, countPuncts);
  punctCount = 0;
  EXPECT_EQ(g.run(), 0);
  EXPECT_EQ(punctCount, 5001);
}

TEST(Batch, APortClosesWithItsLastProducer) {
  Graph g;
  g.op("A", 0, 1, count<0, 0, 2>);
  g.op("B", 0, 1, count<1, 10, 12>);
  g.op("Sink", 1, 0);
  g.connect(0, 0, show<'s', 0>);
  g.connect(1, 0, show<'s', 0>);
  EXPECT_EQ(g.run({"--deterministic"}), 0);
  EXPECT_EQ(events, strings({"s0", "s10", "s1", "s11", "sF"}));
}

// Src -> Loop (in 0), Loop out 1 -> Loop (in 1): a row below 100 comes back tenfold.
static int32_t enterLoop(Ctx *ctx, Batch *b) {
  return each(
      ctx, b,
      [&](int64_t v) {
        note("in" + std::to_string(v));
        if (v < 100)
          append(ctx, 1, v * 10);
        note("out" + std::to_string(v));
        return 0;
      },
      [&](PunctuationKind) {
        return sl_port_final(ctx, 0) && sl_op_closed(ctx, 1) ? (note("closed"), 0) : 0;
      });
}

TEST(Batch, BackEdgesRunAfterTheOutermostHandOn) {
  Graph g;
  g.op("Src", 0, 1, count<0, 5, 7>);
  g.op("Loop", 2, 1);
  g.connect(0, 0, enterLoop);
  g.connect(1, 1, enterLoop, true);
  EXPECT_EQ(g.run({"--deterministic"}), 0);
  EXPECT_EQ(events, strings({"in5", "out5", "in50", "out50", "in500", "out500", "in6", "out6",
                             "in60", "out60", "in600", "out600", "closed"}));
}

struct FullArena : testing::Test {
  const TypeDesc text = {Kind::RString, 16, 8, 0, {}, {}, 0, 0, 0, 0, {}, {}};
  alignas(64) Batch b = {};
  ~FullArena() override { arenaFree(&b.arena); }
  /// Rows with a string of so many bytes until it is full.
  uint32_t fill(size_t bytes) {
    b.limit = b.capacity = kBatchRows;
    std::string big(bytes, 'x');
    while (b.rows < b.limit && b.rows < kBatchRows) {
      Str s = {};
      s.len = uint32_t(big.size());
      s.far.ptr = big.data();
      sl_batch_keep(&b, &text, &s);
      EXPECT_NE(s.far.ptr, big.data());
      EXPECT_EQ(std::string(s.far.ptr, s.len), big);
      ++b.rows;
    }
    return b.rows;
  }
};

TEST_F(FullArena, EndsTheBatch) {
  EXPECT_EQ(fill(1000), kArenaBytes / 1000 + 1);
  // Short strings take no room.
  Str small = {3, {{'a', 'b', 'c'}}};
  char *before = b.arena.ptr;
  sl_batch_keep(&b, &text, &small);
  EXPECT_EQ(b.arena.ptr, before);
}

TEST_F(FullArena, WaitsForRowsThatAreDoneAtOnce) {
  b.least = 64;
  EXPECT_EQ(fill(1000), 64u);
}

TEST_F(FullArena, DoesNotWaitForLargeRows) {
  b.least = 64;
  EXPECT_EQ(fill(16'000), kMostArenaBytes / 16'000 + 1);
}

TEST_F(FullArena, KeepsTheBytesOfLists) {
  const TypeDesc byte = {Kind::UInt8, 1, 1, 1, {}, {}, 0, 0, 0, 0, {}, {}};
  const TypeDesc list = {Kind::List, 16, 8, 0, &byte, {}, 1, 0, 0, 0, {}, {}};
  std::string bytes;
  for (int i = 0; i < 1100; ++i)
    bytes += char(i * 7 % 251);
  for (uint32_t from : {0, 1, 7})
    for (uint32_t length : {1, 7, 8, 9, 120, 511, 512, 513, 520, 1000}) {
      Seq kept = {length, 99, bytes.data() + from};
      sl_batch_keep(&b, &list, &kept);
      EXPECT_NE(kept.data, bytes.data() + from);
      EXPECT_EQ(std::string(static_cast<char *>(kept.data), kept.len), bytes.substr(from, length));
      EXPECT_EQ(kept.cap, 0u);
    }
}
