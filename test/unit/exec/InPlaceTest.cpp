// Segments that forward the batch they were given.
#include "Graph.h"
#include "runtime/exec/metrics/CounterSample.h"
#include <map>

using namespace sluice;
using namespace sluice::test;

namespace {
constexpr int64_t kRows = 5000;
std::map<const Batch *, int> sunk; // how often each batch arrived
int64_t sum;

/// What the compiler makes of a segment that keeps odd numbers and adds one.
template <uint32_t In, uint32_t Out> int32_t oddPlusOne(Ctx *ctx, Batch *b) {
  EXPECT_EQ(ctx->ports[Out].batch, b);
  uint32_t rows = b->rows, puncts = b->punctCount, next = 0;
  __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED);
  Punctuation *list = sl_take_puncts(b);
  for (uint32_t r = 0; r <= rows; ++r) {
    for (; next < puncts && list[next].row == r; ++next)
      if (list[next].kind == PunctuationKind::Window || sl_port_final(ctx, In))
        for (int twice = 0; twice < 1 + (list[next].kind == PunctuationKind::Window);
             ++twice) // more than there were
          sl_port_punct(ctx, Out, uint32_t(list[next].kind), 0);
    int64_t v = r < rows ? column(b)[r] : 0;
    if (v == -7) {
      ctx->failedRow = r;
      sl_error(ctx, "seven");
      uint32_t ports[] = {Out};
      sl_fail(ctx, 1, 1);
      return sl_unwind(ctx, ports, 1);
    }
    if (v % 2) {
      column(b)[b->rows] = v + 1;
      __atomic_store_n(&b->rows, b->rows + 1, __ATOMIC_RELAXED);
    }
  }
  return 0; // who called it forwards
}
std::atomic<int> rowLoops{0};
/// The same for the rows of a batch without punctuation.
template <uint32_t In, uint32_t Out>
int32_t oddPlusOneRows(Ctx *ctx, Batch *b, uint64_t first, uint64_t end) {
  EXPECT_EQ(ctx->ports[Out].batch, b);
  EXPECT_EQ(b->punctCount, 0u);
  ++rowLoops;
  uint32_t all = uint32_t(end);
  EXPECT_EQ(first, 0u);
  __atomic_store_n(&b->rows, all, __ATOMIC_RELAXED);
  return oddPlusOne<In, Out>(ctx, b);
}

int32_t add(Ctx *ctx, Batch *b) {
  ++sunk[b];
  for (uint32_t i = 0; i < b->rows; ++i)
    sum += column(b)[i];
  return show<'s', 1>(ctx, b);
}

/// Numbers -> OddPlusOne -> Show, and where asked a second Show.
int run(HandlerFn numbers, std::vector<const char *> args, bool fan = false,
        RowsFn rows = nullptr) {
  sunk.clear();
  sum = 0;
  Graph g;
  g.op("Numbers", 0, 1, numbers);
  g.op("Odd", 1, 1);
  g.op("Show", 1, 0);
  g.op("Other", 1, 0);
  g.connect(0, 0, oddPlusOne<0, 1>);
  g.connect(1, 1, add);
  if (fan)
    g.connect(1, 2, show<'o', 2>);
  g.inPorts[0].inPlaceOutput = 2;
  g.inPorts[0].rows = rows;
  for (InPortDesc &in : g.inPorts)
    in.boundary = BoundaryKind::Switchable;
  return g.run(args);
}

int32_t punctuated(Ctx *ctx) {
  for (int64_t i = 0; i < 6; ++i) {
    append(ctx, 0, i);
    if (i % 2)
      sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  }
  return finish(ctx, 0);
}
int32_t failing(Ctx *ctx) {
  for (int64_t i : {1, 2, 3, -7, 5})
    if (append(ctx, 0, i) < 0) {
      uint32_t ports[] = {0};
      return sl_unwind(ctx, ports, 1);
    }
  return finish(ctx, 0);
}
int32_t even(Ctx *ctx) {
  for (int64_t i = 0; i < kRows; ++i)
    append(ctx, 0, 2 * i);
  return finish(ctx, 0);
}
/// Every row and Final go on as they came.
template <uint32_t In, uint32_t Out> int32_t passOn(Ctx *ctx, Batch *b) {
  uint32_t puncts = b->punctCount;
  Punctuation *list = sl_take_puncts(b);
  for (uint32_t i = 0; i < puncts; ++i)
    if (list[i].kind == PunctuationKind::Final && sl_port_final(ctx, In))
      sl_port_punct(ctx, Out, uint32_t(PunctuationKind::Final), 0);
  return 0;
}
int inHand; // batches that no output port had while they ran
template <uint32_t Out> int32_t passOnRows(Ctx *ctx, Batch *b, uint64_t, uint64_t end) {
  inHand += !ctx->ports[Out].batch;
  __atomic_store_n(&b->rows, uint32_t(end), __ATOMIC_RELAXED);
  return 0;
}
/// All that has come here has passed both ports before.
int32_t addAndCompare(Ctx *ctx, Batch *b) {
  sum += b->rows;
  CounterSample sample = takeSample(*ctx->program);
  for (uint32_t i : {0, 1})
    EXPECT_EQ(sample.in[i].rows, uint64_t(sum));
  for (uint32_t i : {0, 1, 2})
    EXPECT_EQ(sample.out[i].rows, uint64_t(sum));
  return show<'s', 2>(ctx, b);
}
const std::vector<std::vector<const char *>> kModes = {
    {},
    {"--deterministic"},
    {"--batch-rows=7"},
    {"--queues=all", "--threads=2"},
    {"--chaos=5", "--batch-rows=3", "--threads=2"}};
} // namespace

TEST(InPlace, TheSinkGetsEveryRowOnce) {
  for (auto &args : kModes)
    for (bool fan : {false, true}) {
      EXPECT_EQ(run(count<0, 0, kRows>, args, fan), 0);
      EXPECT_EQ(sum, kRows / 2 * (kRows / 2 + 1)); // 2 + 4 + ... + kRows
      EXPECT_EQ(size_t(std::count(events.begin(), events.end(), "oF")), size_t(fan));
    }
}

TEST(InPlace, RowsOfPlainCallsAreCountedAtBothEnds) {
  sum = inHand = 0;
  Graph g;
  g.op("Numbers", 0, 1, count<0, 0, kRows>);
  g.op("First", 1, 1);
  g.op("Second", 1, 1);
  g.op("Show", 1, 0);
  g.connect(0, 0, passOn<0, 1>);
  g.connect(1, 1, passOn<1, 2>);
  g.connect(2, 2, addAndCompare);
  g.inPorts[0].inPlaceOutput = 2;
  g.inPorts[0].rows = passOnRows<1>;
  g.inPorts[1].inPlaceOutput = 3;
  g.inPorts[1].rows = passOnRows<2>;
  for (InPortDesc &in : g.inPorts)
    in.boundary = BoundaryKind::Switchable;
  EXPECT_EQ(g.run({"--elastic=off"}), 0);
  EXPECT_EQ(sum, kRows);
  EXPECT_GT(inHand, 0);
}

TEST(InPlace, BatchesWithoutPunctuationAreRunByTheirRows) {
  for (auto &args : kModes) {
    rowLoops = 0;
    EXPECT_EQ(run(count<0, 0, kRows>, args, false, oddPlusOneRows<0, 1>), 0);
    EXPECT_EQ(sum, kRows / 2 * (kRows / 2 + 1));
    EXPECT_GE(rowLoops, kRows / int(kBatchRows)); // all but the one with Final
    EXPECT_EQ(run(punctuated, args, false, oddPlusOneRows<0, 1>), 0);
    EXPECT_EQ(events, strings({"s2", "sW", "sW", "s4", "sW", "sW", "s6", "sW", "sW", "sF"}));
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(failing, args, false, oddPlusOneRows<0, 1>), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("operator Odd: seven"),
              std::string::npos);
    EXPECT_EQ(events, strings({"s2", "s4"}));
  }
}

TEST(InPlace, OneBatchGoesRoundAndRound) {
  EXPECT_EQ(run(count<0, 0, kRows>, {}), 0);
  EXPECT_EQ(sunk.size(), 1u); // the source takes back what the sink has emptied
}

TEST(InPlace, QueuedBatchesComeBack) {
  EXPECT_EQ(run(count<0, 0, 100 * kRows>, {"--queues=all", "--threads=1"}), 0);
  EXPECT_LE(sunk.size(), 2 * 64u + 20); // two rings, what threads hold and their spares
}

TEST(InPlace, PunctuationStaysWhereItIs) {
  for (auto &args : kModes) {
    EXPECT_EQ(run(punctuated, args), 0);
    EXPECT_EQ(events, strings({"s2", "sW", "sW", "s4", "sW", "sW", "s6", "sW", "sW", "sF"}));
  }
}

TEST(InPlace, RowsBeforeOneThatFailsAreForwarded) {
  for (auto &args : kModes) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(failing, args), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("operator Odd: seven"),
              std::string::npos);
    EXPECT_EQ(events, strings({"s2", "s4"}));
  }
}

TEST(InPlace, WhatIsEmptyIsNotForwarded) {
  EXPECT_EQ(run(even, {}), 0);
  EXPECT_EQ(sunk.size(), 1u); // the one with Final
  EXPECT_EQ(sunk.begin()->second, 1);
}

TEST(InPlace, ChannelsGetBatchesOfTheirOwn) {
  for (auto &args : kModes) {
    Graph g;
    sum = 0;
    g.op("Numbers", 0, 1, count<0, 0, kRows>);
    g.op("Odd", 1, 1);
    g.region("Odd", 1, 3);
    g.op("Show", 1, 0);
    g.connect(0, 0, oddPlusOne<0, 1>);
    g.split(0, 0, SplitKind::RoundRobin);
    g.connect(1, 1, add);
    g.inPorts[0].inPlaceOutput = 2;
    g.inPorts[0].boundary = g.inPorts[1].boundary = BoundaryKind::Switchable;
    EXPECT_EQ(g.run(args), 0);
    EXPECT_EQ(sum, kRows / 2 * (kRows / 2 + 1));
    EXPECT_EQ(events.back(), "sF");
  }
}
