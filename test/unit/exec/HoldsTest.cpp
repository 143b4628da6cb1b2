// An operator holds its input port 0 from each tuple there until the next one at port 1.
#include "Graph.h"
#include <atomic>

using namespace sluice;
using namespace sluice::test;

namespace {

std::atomic<int64_t> arrived; // tuples at port 0
std::atomic<bool> ended;

/// Sends three tuples, and says when each `append` has returned.
int32_t sends(Ctx *ctx) {
  for (int64_t i = 0; i < 3; ++i) {
    if (append(ctx, 0, i) < 0)
      break;
    note("sent" + std::to_string(i));
  }
  ended = true;
  return finish(ctx, 0);
}

/// Waits until so many tuples have come to port 0. False: the program is to end.
bool await(Ctx *ctx, int64_t tuples) {
  while (arrived < tuples && !ended)
    if (sl_wait(ctx, 0.0005))
      return false;
  return true;
}

int32_t letsGo(Ctx *ctx) {
  for (int64_t i = 0; i < 3 && await(ctx, i + 1); ++i)
    append(ctx, 1, i);
  return finish(ctx, 1);
}

int32_t stops(Ctx *ctx) {
  await(ctx, 1);
  note("stop");
  sl_request_shutdown(ctx);
  return finish(ctx, 1);
}

int32_t data(Ctx *ctx, Batch *b) {
  auto row = [&](int64_t v) {
    note("d" + std::to_string(v));
    sl_hold(ctx, 0, 1);
    ++arrived;
    return 0;
  };
  return each(ctx, b, row, [&](PunctuationKind) { return sl_port_final(ctx, 0), 0; });
}

int32_t control(Ctx *ctx, Batch *b) {
  auto row = [&](int64_t v) {
    note("c" + std::to_string(v));
    sl_hold(ctx, 0, 0);
    return 0;
  };
  return each(ctx, b, row, [&](PunctuationKind) { return sl_port_final(ctx, 1), 0; });
}

/// `other` is the source of port 1.
int run(HandlerFn other, std::vector<const char *> args, BoundaryKind kind) {
  arrived = 0;
  ended = false;
  Graph g;
  g.op("A", 0, 1, sends);
  g.op("B", 0, 1, other);
  g.op("G", 2, 0);
  for (uint32_t i : {0, 1}) {
    g.inPorts[i].boundary = kind;
    g.outPorts[i].ordered = OrderKind::All;
  }
  g.inPorts[0].holds = 1;
  g.connect(0, 0, data);
  g.connect(1, 1, control);
  return g.run(std::move(args));
}

const std::vector<std::vector<const char *>> kModes = {
    {}, {"--deterministic"}, {"--clock=virtual"}, {"--threads=2"}};

TEST(Holds, ASourceWaitsUntilThePortIsHeldNoMore) {
  for (BoundaryKind kind : {BoundaryKind::Switchable, BoundaryKind::Queue})
    for (const auto &mode : kModes)
      for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(run(letsGo, mode, kind), 0);
        ASSERT_EQ(events, strings({"d0", "c0", "sent0", "d1", "c1", "sent1", "d2", "c2", "sent2"}));
      }
}

TEST(Holds, ASourceGoesOnWhereNobodyCanLetIt) {
  for (BoundaryKind kind : {BoundaryKind::Switchable, BoundaryKind::Queue})
    for (const auto &mode : kModes) {
      ASSERT_EQ(run([](Ctx *ctx) { return finish(ctx, 1); }, mode, kind), 0);
      std::erase_if(events, [](const std::string &event) { return event[0] != 'd'; });
      ASSERT_EQ(events, strings({"d0", "d1", "d2"}));
    }
}

TEST(Holds, AProgramThatIsToldToStopWaitsNoMore) {
  for (const auto &mode : kModes) {
    ASSERT_EQ(run(stops, mode, BoundaryKind::Switchable), 0);
    ASSERT_GE(events.size(), 3u);
    EXPECT_EQ(events[0], "d0");
    EXPECT_EQ(events[1], "stop");
    EXPECT_EQ(events[2], "sent0");
  }
}

} // namespace
