// Time by the clock of the program: virtual, with a wall clock that jumps, and the real one.
#include "runtime/exec/state/Clock.h"
#include "Graph.h"
#include <thread>
#include <unistd.h>

using namespace sluice;
using namespace sluice::test;

static constexpr int64_t kSecond = os::kNanos;

static void noteTime(Ctx *ctx, const std::string &who) {
  note(who + " " + std::to_string(sl_now(ctx) / kSecond));
}
/// A source that notes the time, `Times` times with `Period` seconds in between.
template <char Name, int Period, int Times> static int32_t noteEach(Ctx *ctx) {
  for (int i = 0; i < Times; ++i) {
    noteTime(ctx, std::string(1, Name));
    sl_wait(ctx, Period);
  }
  return 0;
}

TEST(Clock, JumpsToTheEarliestWakeUp) {
  Graph g;
  g.op("A", 0, 0, noteEach<'A', 100'000, 4>);
  g.op("B", 0, 0, noteEach<'B', 150'000, 3>);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events,
            strings({"A 0", "B 0", "A 100000", "B 150000", "A 200000", "A 300000", "B 300000"}));
}

TEST(Clock, WhoWakesAtTheSameTimeRunsInTheOrderOfOperators) {
  Graph g;
  g.op("A", 0, 0, noteEach<'A', 10, 3>);
  g.op("B", 0, 0, noteEach<'B', 5, 4>);
  g.op("C", 0, 0, noteEach<'C', 10, 3>);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events,
            strings({"A 0", "B 0", "C 0", "B 5", "A 10", "B 10", "C 10", "B 15", "A 20", "C 20"}));
}

//===--- who waits in the middle ------------------------------------------------===//

static int32_t one(Ctx *ctx) {
  append(ctx, 0, 1);
  return finish(ctx, 0);
}
static int32_t blocks(Ctx *ctx, Batch *b) {
  return each(
      ctx, b,
      [&](int64_t) {
        sl_wait(ctx, 10);
        noteTime(ctx, "handler");
        return 0;
      },
      [&](PunctuationKind) { return sl_port_final(ctx, 0), 0; });
}

TEST(Clock, AHandlerThatWaitsLetsOthersRunThatCannotReachIt) {
  Graph g;
  g.op("A", 0, 0, noteEach<'A', 4, 4>);
  g.op("B", 0, 1, one);
  g.op("Sink", 1, 0);
  g.op("C", 0, 1, [](Ctx *ctx) {
    noteTime(ctx, "C");
    sl_wait(ctx, 3);
    noteTime(ctx, "C");
    append(ctx, 1, 1);
    return finish(ctx, 1);
  });
  g.connect(0, 0, blocks);
  g.connect(1, 0, blocks);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events,
            strings({"A 0", "A 4", "A 8", "handler 10", "C 10", "A 12", "C 13", "handler 23"}));
}

namespace {
struct Sleeper : NativeOp {
  int32_t tuple(uint32_t, const void *) override {
    sl_wait(ctx, 10);
    noteTime(ctx, "native");
    return 0;
  }
};
} // namespace
static RegisterNative sleeper("test::Sleeper", [] { return static_cast<NativeOp *>(new Sleeper); });
static int32_t intoSleeper(Ctx *ctx, Batch *b) {
  return each(
      ctx, b, [&](int64_t v) { return sl_native_tuple(ctx, 0, 0, &v); },
      [&](PunctuationKind kind) {
        return sl_port_final(ctx, 0) ? sl_native_punct(ctx, 0, 0, uint32_t(kind), 0) : 0;
      });
}

TEST(Clock, ANativeOperatorThatWaitsLetsOthersRun) {
  Graph g;
  g.op("A", 0, 0, noteEach<'A', 4, 4>);
  g.op("B", 0, 1, one);
  g.native("Sleeper", "test::Sleeper", 1, 0);
  g.connect(0, 0, intoSleeper);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events, strings({"A 0", "A 4", "A 8", "native 10", "A 12"}));
}

//===--- input, the end -----------------------------------------------------------===//

static int pipeEnds[2];
static int32_t reads(Ctx *ctx) {
  char byte;
  EXPECT_EQ(sl_await_readable(ctx, pipeEnds[0]), 0);
  EXPECT_EQ(read(pipeEnds[0], &byte, 1), 1);
  noteTime(ctx, "read");
  return 0;
}

TEST(Clock, StandsStillUntilInputIsThere) {
  ASSERT_EQ(pipe(pipeEnds), 0);
  Graph g;
  g.op("A", 0, 0, noteEach<'A', 100'000, 2>);
  g.op("B", 0, 0, reads);
  std::thread writer([] {
    usleep(20'000);
    EXPECT_EQ(write(pipeEnds[1], "x", 1), 1);
  });
  EXPECT_EQ(g.run({"--clock=virtual"}), 0);
  writer.join();
  close(pipeEnds[0]);
  close(pipeEnds[1]);
  EXPECT_EQ(events, strings({"A 0", "read 0", "A 100000"}));
}

static int32_t stops(Ctx *ctx) {
  sl_wait(ctx, 5);
  sl_request_shutdown(ctx);
  return 0;
}
static int32_t sleepsLong(Ctx *ctx) {
  EXPECT_EQ(sl_wait(ctx, 100), 1);
  noteTime(ctx, "woken");
  return 0;
}

TEST(Clock, WaitsEndWhenTheProgramIsToStop) {
  Graph g;
  g.op("A", 0, 0, sleepsLong);
  g.op("B", 0, 0, stops);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events, strings({"woken 5"}));
}

static int32_t ticks(Ctx *ctx) {
  for (int64_t due = kSecond; !sl_wait_until(ctx, due, 0); due += kSecond)
    noteTime(ctx, "tick");
  note("end");
  return 0;
}

TEST(Clock, DaemonsEndWithTheLastOtherSource) {
  Graph g;
  g.operators.reserve(8);
  g.operators[g.op("D", 0, 0, ticks)].daemon = 1;
  g.op("A", 0, 0, noteEach<'A', 2, 1>);
  g.op("B", 0, 0, noteEach<'B', 3, 1>);
  ASSERT_EQ(g.run({"--clock=virtual"}), 0);
  EXPECT_EQ(events, strings({"A 0", "B 0", "tick 1", "tick 2", "tick 3", "end"}));
  for (const char *mode : {"--clock=virtual", "--deterministic", "--threads=2"}) {
    Graph alone;
    alone.operators[alone.op("D", 0, 0, ticks)].daemon = 1;
    ASSERT_EQ(alone.run({mode}), 0);
    EXPECT_EQ(events, strings({"end"})) << mode;
  }
}

static int32_t submitsTicks(Ctx *ctx) {
  while (!sl_wait_until(ctx, sl_now(ctx) + 1'000'000, 0))
    append(ctx, 1, 0);
  note("end");
  return finish(ctx, 1);
}
static int32_t takesLong(Ctx *ctx, Batch *b) {
  return each(
      ctx, b, [&](int64_t) { return sl_wait(ctx, 0.0005); },
      [&](PunctuationKind) { return sl_port_final(ctx, 0) ? note("data") : void(), 0; });
}
static int32_t takesLonger(Ctx *ctx, Batch *b) { // than until the next tick
  return each(
      ctx, b, [&](int64_t) { return sl_wait(ctx, 0.002); },
      [&](PunctuationKind) { return sl_port_final(ctx, 1) ? note("ticks") : void(), 0; });
}

TEST(Clock, DaemonsEndOnceWhatWasQueuedHasRun) {
  using Options = std::vector<const char *>;
  for (const Options &mode : {Options{"--queues=all", "--threads=2", "--batch-rows=2"},
                              Options{"--chaos=1", "--threads=2", "--batch-rows=2"},
                              Options{"--deterministic", "--batch-rows=2"}}) {
    Graph g;
    g.op("A", 0, 1, count<0, 0, 40>);
    uint32_t daemon = g.op("D", 0, 1, submitsTicks);
    g.operators[daemon].daemon = 1;
    g.op("Sink", 2, 0);
    g.connect(0, 0, takesLong);
    g.connect(1, 1, takesLonger);
    for (InPortDesc &in : g.inPorts)
      in.boundary = BoundaryKind::Switchable;
    ASSERT_EQ(g.run(mode), 0) << mode.front();
    EXPECT_EQ(events, strings({"data", "end", "ticks"})) << mode.front();
  }
}

//===--- what is read ---------------------------------------------------------------===//

TEST(Clock, AWallClockThatJumpsChangesNoWait) {
  Clock clock(ClockKind::Jumping);
  std::vector<int64_t> seen;
  for (int i = 0; i < 6; ++i) {
    int64_t seconds;
    uint32_t nanos;
    clock.advance((i + 1) * kSecond / 2);
    clock.wall(seconds, nanos);
    EXPECT_EQ(nanos, i % 2 ? 0u : 500'000'000u);
    EXPECT_EQ(clock.now(), (i + 1) * kSecond / 2);
    seen.push_back(seconds - Clock::kEpoch);
  }
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 3601, 86'401, -3598, -86'398, 3}));
  Graph g;
  g.op("A", 0, 0, [](Ctx *ctx) {
    for (int i = 0; i < 7; ++i) {
      int64_t seconds;
      uint32_t nanos;
      sl_wall_clock(ctx, &seconds, &nanos);
      sl_wait(ctx, 1);
    }
    noteTime(ctx, "A");
    return 0;
  });
  ASSERT_EQ(g.run({"--clock=jumping"}), 0);
  EXPECT_EQ(events, strings({"A 7"}));
}

TEST(Clock, LaterStaysBeforeNever) {
  EXPECT_EQ(Clock::later(5, 7), 12);
  EXPECT_EQ(Clock::later(5, INT64_MAX), Clock::kNever - 1);
  EXPECT_EQ(Clock::later(INT64_MAX - 3, 3), Clock::kNever - 1);
}

static int32_t readsOnce(Ctx *ctx, Batch *b) {
  int64_t first = sl_clock(ctx), begin = sl_now(ctx);
  EXPECT_GE(begin, first);
  while (sl_now(ctx) == begin)
    ;
  EXPECT_EQ(sl_clock(ctx), first);
  static int64_t last;
  EXPECT_GT(first, last) << "read again for each batch";
  last = sl_now(ctx);
  sl_wait(ctx, 1e-9);
  EXPECT_GE(sl_clock(ctx), last) << "read again after a wait";
  return each(
      ctx, b, [](int64_t) { return 0; }, [&](PunctuationKind) { return sl_port_final(ctx, 0), 0; });
}

TEST(Clock, IsReadOnceForEachBatch) {
  Graph g;
  g.op("A", 0, 1, count<0, 0, 20>);
  g.op("Sink", 1, 0);
  g.connect(0, 0, readsOnce);
  EXPECT_EQ(g.run({"--batch-rows=4"}), 0);
}
