// Which failure is reported, what still drains, exit codes.
#include "Graph.h"
#include "runtime/exec/state/Program.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::test;

static int64_t bad; // the row at which the operator fails
static bool catching;

/// Filter-like: passes rows from input port 0 to output port 1, fails at `bad`.
static int32_t risky(Ctx *ctx, Batch *b) {
  int32_t result = each(
      ctx, b,
      [&](int64_t v) {
        if (v != bad)
          return append(ctx, 1, v);
        sl_error(ctx, "index %d is out of range", int(v));
        return catching ? sl_caught(ctx, 1, 1) : sl_fail(ctx, 1, 1);
      },
      [&](PunctuationKind kind) {
        if (kind == PunctuationKind::Final && sl_port_final(ctx, 0) && sl_op_closed(ctx, 1))
          return finish(ctx, 1);
        return 0;
      });
  uint32_t ports[] = {1};
  if (result < 0)
    return sl_unwind(ctx, ports, 1);
  return sl_forward(ctx, 1);
}

static Graph riskyGraph() {
  Graph g;
  g.op("Src", 0, 1, count<0, 0, 5>);
  g.op("Risky", 1, 1);
  g.op("Sink", 1, 0);
  g.connect(0, 0, risky);
  g.connect(1, 1, show<'s', 1>);
  return g;
}

static std::string runForErrors(Graph &g, int expected, std::vector<const char *> args = {}) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(g.run(args), expected);
  return testing::internal::GetCapturedStderr();
}

TEST(Failure, RowsBeforeItAreHandedOnAndNoFinal) {
  catching = false;
  for (auto args : {std::vector<const char *>{}, {"--deterministic"}, {"--batch-rows=2"}})
    for (int64_t at : {0, 2, 4}) { // first, middle, last
      bad = at;
      Graph g = riskyGraph();
      std::string err = runForErrors(g, 1, args);
      EXPECT_EQ(err, "Main: Main.spl:7:9: error: operator Risky: index " + std::to_string(at) +
                         " is out of range\n    l[n]\n");
      std::vector<std::string> expected;
      for (int64_t i = 0; i < at; ++i)
        expected.push_back("s" + std::to_string(i));
      EXPECT_EQ(events, expected);
    }
}

TEST(Failure, CaughtOnesDropTheRow) {
  catching = true;
  bad = 2;
  Graph g = riskyGraph();
  EXPECT_EQ(
      runForErrors(g, 0),
      "Main: Main.spl:7:9: warning: operator Risky: index 2 is out of range (caught)\n    l[n]\n");
  EXPECT_EQ(events, strings({"s0", "s1", "s3", "s4", "sF"}));
  EXPECT_EQ(runForErrors(g, 0, {"--trace-level=off"}), "");
}

TEST(Failure, AnnotatedOperatorsCatchBySlFail) {
  catching = false;
  bad = 2;
  Graph g = riskyGraph();
  g.operators[1].isCatch = 1;
  runForErrors(g, 0);
  EXPECT_EQ(events, strings({"s0", "s1", "s3", "s4", "sF"}));
}

/// Fails at row 1.
static int32_t failsAtOne(Ctx *ctx, Batch *b) {
  int32_t result = each(
      ctx, b,
      [&](int64_t v) {
        note("d" + std::to_string(v));
        return v == 1 ? (sl_error(ctx, "downstream"), sl_fail(ctx, 2, 0)) : 0;
      },
      [](PunctuationKind) { return 0; });
  return result < 0 ? sl_unwind(ctx, nullptr, 0) : 0;
}

TEST(Failure, OneOfARowSubmittedBeforeIsReportedInstead) {
  catching = false;
  bad = 3;
  Graph g = riskyGraph();
  g.segments[1] = {failsAtOne};
  EXPECT_EQ(runForErrors(g, 1), "Main: Main.spl:3:5: error: operator Sink: downstream\n");
  EXPECT_EQ(events, strings({"d0", "d1"}));
}

TEST(Failure, LaterConsumersGetTheRowsBefore) {
  for (auto args : {std::vector<const char *>{}, {"--deterministic"}}) {
    Graph g;
    g.op("Src", 0, 1, count<0, 0, 5>);
    g.op("Other", 1, 0);
    g.op("Sink", 1, 0);
    g.connect(0, 0, failsAtOne);
    g.connect(0, 1, show<'s', 1>);
    runForErrors(g, 1, args);
    std::vector<std::string> sink;
    for (auto &e : events)
      if (e[0] == 's')
        sink.push_back(e);
    EXPECT_EQ(sink, strings({"s0"}));
  }
}

TEST(Failure, OtherSourcesStopWithoutFinal) {
  Graph g;
  g.op("A", 0, 1, count<0, 0, 5>);
  g.op("B", 0, 1, count<1, 0, 1'000'000'000'000>); // would never end
  g.op("Sink", 1, 0);
  g.op("Show", 1, 0);
  g.connect(0, 0, failsAtOne);
  g.connect(1, 1, [](Ctx *ctx, Batch *b) {
    return each(ctx, b, [](int64_t) { return 0; }, [&](PunctuationKind) { return note("F"), 0; });
  });
  EXPECT_NE(runForErrors(g, 1).find("downstream"), std::string::npos);
  EXPECT_EQ(events, strings({"d0", "d1"}));
}

static int32_t failingSource(Ctx *ctx) {
  append(ctx, 0, 1);
  sl_error(ctx, "no more");
  return 1; // a site, as a handler's body does
}

TEST(Failure, OfASourceComesAfterItsRows) {
  Graph g;
  g.op("Src", 0, 1, failingSource);
  g.op("Sink", 1, 0);
  g.connect(0, 0, show<'s', 0>);
  EXPECT_EQ(runForErrors(g, 1), "Main: Main.spl:7:9: error: operator Src: no more\n    l[n]\n");
  EXPECT_EQ(events, strings({"s1"}));
}

static int32_t crash(Ctx *) {
  raise(SIGSEGV);
  return 0;
}
static int32_t terminated(Ctx *ctx) {
  raise(SIGTERM);
  return count<0, 0, 1'000'000'000'000>(ctx);
}
static int32_t stopped(Ctx *ctx) {
  append(ctx, 0, 1);
  raise(SIGINT);
  EXPECT_EQ(sl_wait(ctx, 1e9), 1);
  return finish(ctx, 0);
}

static void runProcess(HandlerFn process, SegmentFn sink) {
  Graph g;
  g.op("Src", 0, 1, process);
  g.op("Sink", 1, 0);
  g.connect(0, 0, sink);
  int code = g.run();
  for (auto &e : events)
    fprintf(stderr, "%s ", e.c_str());
  exit(code);
}

static int32_t finalOnly(Ctx *ctx, Batch *b) {
  return each(ctx, b, [](int64_t) { return 0; }, [](PunctuationKind) { return note("Final"), 0; });
}

#if !defined(__has_feature) ||                                                                     \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
TEST(ExitDeathTest, AnInternalFaultIsOurBug) {
  EXPECT_EXIT(runProcess(crash, finalOnly), testing::ExitedWithCode(70), "bug in Sluice");
}
#endif
TEST(ExitDeathTest, AStoppedProgramSendsFinal) {
  EXPECT_EXIT(runProcess(stopped, show<'s', 0>), testing::ExitedWithCode(0), "s1 sF");
  // A source that never asks is stopped at a forward.
  EXPECT_EXIT(runProcess(terminated, finalOnly), testing::ExitedWithCode(0), "Final");
}

static int32_t stubborn(Ctx *) {
  raise(SIGINT);
  for (;;) { // one that comes at once is the same one
    usleep(110'000);
    raise(SIGINT);
  }
}
TEST(ExitDeathTest, ASecondSignalEndsAtOnce) {
  EXPECT_EXIT(runProcess(stubborn, finalOnly), testing::ExitedWithCode(130),
              "a second ctrl-C stops at once");
}

/// The messages of a program whose only operator is this source, and whose standard output is full.
static std::string errorsOnFullDisk(int32_t (*source)(Ctx *)) {
  int saved = dup(1), full = open("/dev/full", O_WRONLY);
  EXPECT_GE(full, 0);
  dup2(full, 1);
  Graph g;
  g.op("Src", 0, 1, source);
  std::string err = runForErrors(g, 1);
  dup2(saved, 1);
  close(saved);
  close(full);
  return err;
}
static constexpr const char *kFullDisk =
    "Main: error: cannot write standard output: No space left on device\n";

TEST(Failure, StandardOutputThatIsFull) {
  EXPECT_EQ(errorsOnFullDisk([](Ctx *ctx) {
              sl_out(ctx, "text\n", 5);
              return finish(ctx, 0);
            }),
            kFullDisk);
}
TEST(Failure, StandardOutputThatAnotherThreadFoundFull) {
  EXPECT_EQ(errorsOnFullDisk([](Ctx *ctx) {
              sl_out(ctx, "text\n", 5);
              EXPECT_LT(ctx->program->output.flush(), 0); // by whoever reports it later
              while (!sl_out(ctx, "text\n", 5)) {
              }
              return 1;
            }),
            kFullDisk);
}
