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

int32_t countRows(Ctx *ctx, Batch *b, uint64_t row, uint64_t end, uint16_t *) {
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
int32_t countBatch(Ctx *ctx, Batch *b) { return countRows(ctx, b, 0, b->rows, nullptr); }

KeyedDesc keyedBy(const ColumnDesc &number, KeyedRowsFn rows, const StateDesc &state) {
  return {rows, number, 1, 1, &state, &number, kBatchHeader + kBatchRows * 8};
}

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
  KeyedDesc keyed = keyedBy(g.number, countRows, state);
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

//===--- what rows put out is joined in their order -------------------------===//

constexpr int64_t kNumbers = 5000;

bool evenly = false; // each number becomes one, and there are no marks
int64_t manyAt = -1; // this number becomes more rows than 16 bits count
int64_t copiesOf(int64_t n) { return evenly ? 1 : n == manyAt ? 70'000 : n % 4; }
bool isMarked(int64_t n, int64_t copy) { return !evenly && n % 70 == 3 + 10 * copy; }

/// Of n come copies of 10 n plus how often it came, which is once. Every now and then marks.
int32_t spreadRows(Ctx *ctx, Batch *b, uint64_t first, uint64_t end, uint16_t *made) {
  for (uint64_t row = first; row < end; ++row) {
    int64_t n = column(b)[row];
    void *times;
    sl_map_slot(ctx, &counts, &times, reinterpret_cast<Seq *>(ctx->state), &n);
    ++*static_cast<int64_t *>(times);
    for (int64_t i = 0; i < copiesOf(n); ++i) {
      if (isMarked(n, i))
        sl_port_punct(ctx, 1, uint32_t(PunctuationKind::Window), 0);
      append(ctx, 1, 10 * n + *static_cast<int64_t *>(times)); // forwards within the row
    }
    const Batch *out = ctx->ports[1].batch;
    made[row - first] = uint16_t(out->rows + out->punctCount);
  }
  return 0;
}
int32_t spreadBatch(Ctx *ctx, Batch *b) {
  return each(
      ctx, b,
      [](int64_t) {
        ADD_FAILURE() << "a row that no shard runs";
        return 0;
      },
      [&](PunctuationKind) { return sl_port_final(ctx, 0) ? finish(ctx, 1) : 0; });
}

std::vector<std::string> spread() {
  std::vector<std::string> all;
  for (int64_t n = 0; n < kNumbers; ++n)
    for (int64_t i = 0; i < copiesOf(n); ++i) {
      if (isMarked(n, i))
        all.emplace_back("sW");
      all.push_back("s" + std::to_string(10 * n + 1));
    }
  all.emplace_back("sF");
  return all;
}

/// Numbers -> Spread -> Show.
void runSpread(std::vector<const char *> options, uint32_t rows = kBatchRows) {
  Graph g;
  g.op("Numbers", 0, 1, count<0, 0, kNumbers>);
  g.op("Spread", 1, 1);
  g.op("Show", 1, 0);
  g.connect(0, 0, spreadBatch);
  g.connect(1, 1, show<'s', 1>);
  g.outPorts[1].batchCapacity = rows;
  g.operators[1].bounded = 1;
  g.operators[1].stateBytes = sizeof(Seq);
  StateDesc state = {0, &counts};
  KeyedDesc keyed = keyedBy(g.number, spreadRows, state);
  g.inPorts[0].keyed = &keyed;
  for (InPortDesc &port : g.inPorts)
    port.boundary = BoundaryKind::Switchable;
  for (const char *option : {"--queues=all", "--threads=2", "--width=2"})
    options.push_back(option);
  EXPECT_EQ(g.run(options), 0);
  EXPECT_EQ(events, spread());
}

TEST(KeyShards, OutputsAreJoinedInTheOrderOfTheirRows) { runSpread({}); }
TEST(KeyShards, RowsGoWhereTheirInputWas) {
  evenly = true;
  runSpread({});
  runSpread({}, 640); // an input of 1024 rows becomes two batches
  evenly = false;
}
TEST(KeyShards, ARowMayBecomeVeryMany) {
  manyAt = 1000;
  runSpread({});
  manyAt = -1;
}
TEST(KeyShards, OutputsAreJoinedWhereBatchesFillWithinARow) { runSpread({"--batch-rows=7"}); }
TEST(KeyShards, OutputsAreJoinedWhereEachRowIsABatch) { runSpread({"--batch-rows=1"}); }
} // namespace
