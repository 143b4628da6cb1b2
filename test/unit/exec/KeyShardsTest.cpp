// State by key, partitioned to shards.
#include "../value/Types.h"
#include "Graph.h"
#include <malloc.h>
#include <set>

using namespace sluice;
using namespace sluice::test;

namespace {
constexpr int64_t kKeys = 40'000;
const TypeDesc counts = mapOf(&test::int64, &test::int64);

std::mutex lock;
std::set<char *> states; // that rows were run with

int32_t countRows(Ctx *ctx, Batch *b, uint64_t row, uint64_t end) {
  {
    std::lock_guard<std::mutex> held(lock);
    states.insert(ctx->state);
  }
  for (; row < end; ++row) {
    void *number;
    sl_map_slot(ctx, &counts, &number, reinterpret_cast<Seq *>(ctx->state), &column(b)[row]);
    ++*static_cast<int64_t *>(number);
  }
  return 0;
}
int32_t countBatch(Ctx *ctx, Batch *b) { return countRows(ctx, b, 0, b->rows); }

/// Numbers -> Count, by two workers.
int run() {
  states.clear();
  Graph g;
  g.op("Numbers", 0, 1, count<0, 0, kKeys>);
  g.op("Count", 1, 0);
  g.connect(0, 0, countBatch);
  g.operators[1].bounded = 1;
  g.operators[1].stateBytes = sizeof(Seq);
  StateDesc state = {0, &counts};
  KeyedDesc keyed = {countRows, g.number, 1, &state};
  g.inPorts[0].boundary = BoundaryKind::Switchable;
  g.inPorts[0].keyed = &keyed;
  return g.run({"--queues=all", "--threads=2", "--width=2"});
}

/// Bytes that malloc has given away; nothing under a sanitizer, which looks for itself.
size_t inUse() {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(KeyShards, TablesThatNoHeapHoldsAreFreedAtTheEnd) {
  EXPECT_EQ(run(), 0); // some of what it makes stays for others
  size_t before = inUse();
  EXPECT_EQ(run(), 0);
  EXPECT_GE(states.size(), 4u) << "it was partitioned";
  EXPECT_LT(inUse(), before + kKeys * counts.stride / 4) << "the tables are that large at least";
}
} // namespace
