// A whole run with a controller: what comes out does not depend on what it does.
#include "../exec/Graph.h"
#include <fstream>

using namespace sluice;
using namespace sluice::test;

namespace {
constexpr int64_t kRows = 100'000;
std::atomic<int64_t> made, seen, sum;
int64_t last;

const std::string &traceFile() {
  static const std::string name = testing::TempDir() + "controller.trace";
  return name;
}
int changes() {
  std::ifstream file(traceFile());
  int count = 0;
  for (std::string line; std::getline(file, line);)
    count += line.starts_with("{\"line\":\"switch\"") || line.starts_with("{\"line\":\"threads\"");
  return count;
}

/// So many rows; more while the controller has not had its turn.
int32_t source(Ctx *ctx) {
  for (int64_t i = 0; i % kRows || !i || (!changes() && i < 2000 * kRows); ++i) {
    made = i + 1;
    if (append(ctx, 0, i) < 0)
      return -1;
  }
  return finish(ctx, 0);
}

int32_t onwards(Ctx *ctx, Batch *b, uint32_t in, uint32_t out) {
  return each(
      ctx, b, [&](int64_t v) { return append(ctx, out, v + 1) < 0 ? -1 : 0; },
      [&](PunctuationKind kind) {
        return kind == PunctuationKind::Final && sl_port_final(ctx, in) ? finish(ctx, out) : 0;
      });
}
template <uint32_t N> int32_t middle(Ctx *ctx, Batch *b) {
  int32_t result = onwards(ctx, b, N, N + 1);
  return result < 0 ? result : sl_forward(ctx, N + 1); // nothing is kept back
}
int32_t sink(Ctx *ctx, Batch *b) {
  return each(
      ctx, b,
      [](int64_t v) {
        EXPECT_EQ(v, last + 1); // in order
        last = v;
        seen.fetch_add(1);
        sum.fetch_add(v);
        return 0;
      },
      [](PunctuationKind) { return 0; });
}

/// Source -0-> A -1-> B -2-> C -3-> Sink, a boundary at each that may change.
struct ControllerTest : testing::Test {
  Graph g;
  ControllerTest() {
    g.op("Source", 0, 1, source);
    for (const char *name : {"A", "B", "C"})
      g.op(name, 1, 1);
    g.op("Sink", 1, 0);
    g.connect(0, 0, middle<0>);
    g.connect(1, 1, middle<1>);
    g.connect(2, 2, middle<2>);
    g.connect(3, 3, sink);
    for (auto &in : g.inPorts)
      in.boundary = BoundaryKind::Switchable;
    made = seen = sum = 0;
    last = 2; // each of three adds one
  }
  void expectAll() {
    EXPECT_EQ(seen.load(), made.load());
    EXPECT_EQ(sum.load(), made * (made - 1) / 2 + 3 * made);
    EXPECT_GT(changes(), 0);
  }
};
} // namespace

TEST_F(ControllerTest, ResultsDoNotDependOnIt) {
  // Small batches, so that it has the time to do something.
  EXPECT_EQ(g.run({"--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0",
                   "--threads=4", "--batch-rows=5", "--trace", traceFile().c_str()}),
            0);
  expectAll();
}

TEST_F(ControllerTest, NorOnTheProfiler) {
  EXPECT_EQ(g.run({"--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0",
                   "--threads=2", "--batch-rows=5", "--profiler=sampling", "--queues=all",
                   "--trace", traceFile().c_str()}),
            0);
  expectAll();
}
