// Several workers inside one domain.
#include "Graph.h"
#include "runtime/base/os.h"
#include <atomic>

using namespace sluice;
using namespace sluice::test;

namespace {
std::atomic<uint32_t> inside, most, batches;

/// Waits, if need be, for a second batch to be run at the same time.
void meet() {
  uint32_t now = ++inside;
  for (uint32_t old = most; old < now && !most.compare_exchange_weak(old, now);)
    ;
  os::Event never;
  for (int i = 0; most < 2 && i < 2000; ++i)
    never.sleep(1'000'000);
  --inside;
}

/// Passes rows and punctuation on; fails at rows that are 7 modulo 10. Early batches take
/// longer than later ones.
template <uint32_t In, uint32_t Out, bool Meets> int32_t pass(Ctx *ctx, Batch *b) {
  if (uint32_t number = batches++; b->rows && Meets)
    meet();
  else if (number % 3 == 0)
    os::Event().sleep(300'000);
  int32_t result = each(
      ctx, b,
      [&](int64_t v) {
        if (v % 10 != 7)
          return append(ctx, Out, v);
        sl_error(ctx, "seven of %d", int(v));
        return sl_fail(ctx, 1, 1);
      },
      [&](PunctuationKind kind) {
        bool goesOn =
            kind == PunctuationKind::Window || (sl_port_final(ctx, In) && sl_out_close(ctx, Out));
        return goesOn ? sl_port_punct(ctx, Out, uint32_t(kind), 0) : 0;
      });
  uint32_t ports[] = {Out};
  return result < 0 ? sl_unwind(ctx, ports, 1) : sl_forward(ctx, Out);
}

/// A batch for each row, punctuation after every third, none that fails; or from 100 on all.
template <int64_t From> int32_t numbers(Ctx *ctx) {
  for (int64_t i = From; i < From + 40; ++i) {
    if (i % 10 == 7 && From < 100)
      continue;
    if (append(ctx, 0, i) < 0) {
      uint32_t ports[] = {0};
      return sl_unwind(ctx, ports, 1);
    }
    if (i % 3 == 0)
      sl_port_punct(ctx, 0, uint32_t(PunctuationKind::Window), 0);
  }
  return finish(ctx, 0);
}

std::atomic<uint32_t> shown, waited;

/// Counts rows.
int32_t count(Ctx *ctx, Batch *b) {
  return each(
      ctx, b, [](int64_t) { return ++shown, 0; },
      [&](PunctuationKind) { return sl_port_final(ctx, 1), 0; });
}

/// Passes rows on and waits behind each one until it was counted.
template <uint32_t In, uint32_t Out> int32_t passAndWait(Ctx *ctx, Batch *b) {
  int32_t result = each(
      ctx, b,
      [&](int64_t v) {
        uint32_t before = shown;
        if (append(ctx, Out, v) < 0)
          return -1;
        for (int i = 0; shown == before && i < 1000; ++i)
          sl_wait(ctx, 0.002);
        waited += shown > before;
        return 0;
      },
      [&](PunctuationKind kind) {
        return sl_port_final(ctx, In) && sl_out_close(ctx, Out)
                   ? sl_port_punct(ctx, Out, uint32_t(kind), 0)
                   : 0;
      });
  return result < 0 ? result : sl_forward(ctx, Out);
}

/// Ten rows in one batch, the end in another one, which runs alone.
int32_t ten(Ctx *ctx) {
  for (int64_t i = 0; i < 10; ++i)
    if (append(ctx, 0, i) < 0)
      return -1;
  sl_forward(ctx, 0);
  return finish(ctx, 0);
}

/// Numbers -> Pass -> Show, all ports queues.
int run(HandlerFn source, SegmentFn segment, std::vector<const char *> args, bool shared = true) {
  inside = most = batches = 0;
  Graph g;
  g.op("Numbers", 0, 1, source);
  g.op("Pass", 1, 1);
  g.op("Show", 1, 0);
  g.connect(0, 0, segment);
  g.connect(1, 1, show<'s', 1>);
  g.operators[1].shared = shared;
  for (InPortDesc &in : g.inPorts)
    in.boundary = BoundaryKind::Switchable;
  args.insert(args.begin(), {"--queues=all", "--batch-rows=1", "--threads=3"});
  return g.run(args);
}

std::vector<std::string> expected() {
  std::vector<std::string> result;
  for (int64_t i = 0; i < 40; ++i) {
    if (i % 10 == 7)
      continue;
    result.push_back("s" + std::to_string(i));
    if (i % 3 == 0)
      result.push_back("sW");
  }
  result.push_back("sF");
  return result;
}

TEST(Shards, RunAtOnceAndComeInOrder) {
  EXPECT_EQ(run(numbers<0>, pass<0, 1, true>, {"--width=2"}), 0);
  EXPECT_GE(most, 2u);
  EXPECT_EQ(events, expected());
}

TEST(Shards, WhatWasPutOutLeavesBeforeAWait) {
  Graph g;
  g.op("Numbers", 0, 1, ten);
  g.op("Pass", 1, 1);
  g.op("Show", 1, 0);
  g.connect(0, 0, passAndWait<0, 1>);
  g.connect(1, 1, count);
  g.operators[1].shared = true;
  for (InPortDesc &in : g.inPorts)
    in.boundary = BoundaryKind::Switchable;
  EXPECT_EQ(g.run({"--queues=all", "--threads=3", "--width=2", "--batch-rows=64"}), 0);
  EXPECT_EQ(waited, 10u);
}

TEST(Shards, EveryWidthGivesTheSame) {
  for (const char *width : {"--width=1", "--width=3", "--width=Pass=64", "--chaos=3"}) {
    EXPECT_EQ(run(numbers<0>, pass<0, 1, false>, {width}), 0);
    EXPECT_EQ(events, expected()) << width;
  }
}

TEST(Shards, WithoutAWidthOrWithStateOneWorkerIsInside) {
  EXPECT_EQ(run(numbers<0>, pass<0, 1, false>, {}), 0);
  EXPECT_EQ(events, expected());
  EXPECT_EQ(run(numbers<0>, pass<0, 1, false>, {"--width=8"}, false), 0);
  EXPECT_EQ(events, expected());
  testing::internal::CaptureStderr();
  EXPECT_EQ(run(numbers<0>, pass<0, 1, false>, {"--width=Pass=2"}, false), 2);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "Main: error: --width: only one worker at a time may run 'Pass' (sluice explain says why)\n");
}

TEST(Shards, TheFirstFailureByOrderIsReported) {
  for (int i = 0; i < 20; ++i) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(numbers<100>, pass<0, 1, false>, {"--width=4"}), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "Main: Main.spl:7:9: error: operator Pass: seven of 107\n    l[n]\n");
    EXPECT_EQ(events,
              strings({"s100", "s101", "s102", "sW", "s103", "s104", "s105", "sW", "s106"}));
  }
}
} // namespace
