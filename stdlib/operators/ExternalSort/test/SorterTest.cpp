//===- SorterTest.cpp - rows in order, in memory of a fixed size ------------===//
#include "stdlib/operators/ExternalSort/Sorter.h"
#include "../../../../test/unit/value/Types.h"
#include "runtime/base/os.h"
#include "runtime/external/ReadPlan.h"
#include "stdlib/operators/ExternalSort/InPlaceSort.h"
#include <algorithm>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace sluice::external {
namespace {

using namespace sluice::test;

/// Sorts texts of tuples by a Sorter, and the numbers that they came with by std::sort.
struct Sorting {
  Sorting(const TypeDesc *type, std::vector<RowOrder::Key> keys, uint64_t memory = kLeastMemory)
      : order(type, keys), sorter(order, {memory, {"/tmp"}}) {}

  std::vector<std::string> sort(const std::vector<std::string> &rows) {
    for (const std::string &row : rows) {
      ArenaCheckpoint mark = arenaCheckpoint(&world.arena);
      EXPECT_TRUE(sorter.add(world.value(order.type, row))) << sorter.problem();
      arenaRelease(&world.arena, mark);
    }
    std::vector<std::string> result;
    while (const char *row = sorter.next())
      result.push_back(text(order.type, row));
    EXPECT_EQ(sorter.problem(), "");
    return result;
  }

  World world;
  RowOrder order;
  Sorter sorter;
};

using Rows = std::vector<std::string>;

Rows numbers(size_t count, uint64_t kinds, uint64_t seed) {
  std::mt19937_64 random(seed);
  Rows rows;
  for (size_t i = 0; i < count; ++i)
    rows.push_back("{a=" + std::to_string(int64_t(random() % kinds) - int64_t(kinds / 2)) + "}");
  return rows;
}

int64_t numberOf(const std::string &row) { return std::stoll(row.substr(3)); }

TEST(ExternalSort, BareIntegers) {
  TupleType type({{"a", &int64}});
  for (bool descending : {false, true})
    for (uint64_t kinds : {uint64_t(3), uint64_t(1000), uint64_t(1) << 62}) {
      Sorting sorting(type, {{0, descending}});
      Rows rows = numbers(150'000, kinds, kinds), sorted = sorting.sort(rows);
      EXPECT_GE(sorting.sorter.report().runs, 2u);
      std::sort(rows.begin(), rows.end(), [&](const std::string &a, const std::string &b) {
        return descending ? numberOf(b) < numberOf(a) : numberOf(a) < numberOf(b);
      });
      EXPECT_TRUE(rows == sorted);
    }
}

TEST(ExternalSort, WhatFitsStaysInMemory) {
  TupleType type({{"a", &int64}});
  Sorting sorting(type, {{0, false}});
  EXPECT_EQ(sorting.sort({"{a=3}", "{a=-1}", "{a=2}"}), (Rows{"{a=-1}", "{a=2}", "{a=3}"}));
  EXPECT_EQ(sorting.sorter.report().runs, 0u);
  EXPECT_EQ(sorting.sort({}), Rows{});
  EXPECT_EQ(sorting.sort({"{a=7}"}), (Rows{"{a=7}"}));
}

/// Rows {key, number}: equal keys have to stay in the order of the numbers.
Rows keyed(size_t count, const std::function<std::string(size_t)> &key) {
  Rows rows;
  for (size_t i = 0; i < count; ++i)
    rows.push_back("{k=" + key(i) + ",n=" + std::to_string(i) + "}");
  return rows;
}

void expectStable(const Rows &rows, const Rows &sorted,
                  const std::function<bool(size_t, size_t)> &less) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return less(a, b) || (!less(b, a) && a < b); });
  ASSERT_EQ(rows.size(), sorted.size());
  for (size_t i = 0; i < rows.size(); ++i)
    ASSERT_EQ(rows[order[i]], sorted[i]) << i;
}

TEST(ExternalSort, EqualKeysStayInTheirOrder) {
  TupleType type({{"k", &int32}, {"n", &uint64}});
  for (int kinds : {1, 2, 50, 1'000'000}) {
    std::mt19937 random{unsigned(kinds)};
    std::vector<int> keys(60'000);
    for (int &key : keys)
      key = int(random() % unsigned(kinds)) - kinds / 2;
    Rows rows = keyed(keys.size(), [&](size_t i) { return std::to_string(keys[i]); });
    Sorting up(type, {{0, false}}), down(type, {{0, true}});
    expectStable(rows, up.sort(rows), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
    expectStable(rows, down.sort(rows), [&](size_t a, size_t b) { return keys[a] > keys[b]; });
    EXPECT_GE(up.sorter.report().runs, 3u);
  }
}

/// A run that has ended gives the largest word, too: rows that have it come before its end.
TEST(ExternalSort, LargestWordsAreNoEnd) {
  TupleType bare({{"a", &uint64}}), type({{"k", &uint64}, {"n", &uint64}});
  std::mt19937_64 random(13);
  std::vector<uint64_t> keys(150'000);
  for (uint64_t &key : keys)
    key = ~(random() % 2);
  Rows alone, rows = keyed(keys.size(), [&](size_t i) { return std::to_string(keys[i]); });
  for (uint64_t key : keys)
    alone.push_back("{a=" + std::to_string(key) + "}");
  Sorting up(type, {{0, false}}), bareUp(bare, {{0, false}});
  expectStable(rows, up.sort(rows), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  EXPECT_GE(up.sorter.report().runs, 5u);
  Rows sorted = bareUp.sort(alone);
  std::sort(alone.begin(), alone.end());
  EXPECT_TRUE(alone == sorted);
  EXPECT_GE(bareUp.sorter.report().runs, 2u);
}

TEST(ExternalSort, TextsOfAllLengths) {
  TupleType type({{"k", &rstring}, {"n", &uint64}});
  std::mt19937 random{5};
  std::vector<std::string> keys(20'000);
  for (std::string &key : keys)
    for (unsigned length = random() % (random() % 8 ? 12 : 300); length; --length)
      key += char('a' + random() % 2);
  Rows rows = keyed(keys.size(), [&](size_t i) { return '"' + keys[i] + '"'; });
  Sorting sorting(type, {{0, false}});
  expectStable(rows, sorting.sort(rows), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  EXPECT_GE(sorting.sorter.report().runs, 2u);
}

TEST(ExternalSort, SeveralKeysAndCollections) {
  TypeDesc list = {Kind::List, sizeof(Seq), alignof(Seq), 0, &int32, {}, 4, 0, 0, 0, {}, {}};
  TupleType type({{"k", &uint8}, {"t", &rstring}, {"l", &list}, {"n", &uint64}});
  std::mt19937 random{6};
  struct Key {
    unsigned k;
    std::string t;
  };
  std::vector<Key> keys(50'000);
  Rows rows;
  for (Key &key : keys) {
    key = {unsigned(random() % 4),
           std::string(random() % 3, 'x') + "abcdefgh" + char('a' + random() % 3)};
    rows.push_back("{k=" + std::to_string(key.k) + ",t=\"" + key.t +
                   "\",l=[1,2,3],n=" + std::to_string(rows.size()) + "}");
  }
  Sorting sorting(type, {{0, true}, {1, false}});
  expectStable(rows, sorting.sort(rows), [&](size_t a, size_t b) {
    return std::pair(-int(keys[a].k), keys[a].t) < std::pair(-int(keys[b].k), keys[b].t);
  });
  EXPECT_GE(sorting.sorter.report().runs, 5u);
}

/// More runs than a merge in this memory can have.
TEST(ExternalSort, ManyPasses) {
  TupleType type({{"a", &uint64}});
  RowOrder order(type, {{0, false}});
  Sorter sorter(order, {kLeastMemory, {"/tmp"}});
  std::vector<uint64_t> numbers(8'000'000);
  std::mt19937_64 random(11);
  for (uint64_t &number : numbers) {
    number = random();
    ASSERT_TRUE(sorter.add(&number));
  }
  std::sort(numbers.begin(), numbers.end());
  for (uint64_t number : numbers)
    ASSERT_EQ(load<uint64_t>(sorter.next()), number);
  EXPECT_EQ(sorter.next(), nullptr);
  EXPECT_EQ(sorter.problem(), "");
}

TEST(ExternalSort, RowsLargerThanBlocksAndChunks) {
  TupleType type({{"k", &rstring}, {"n", &uint64}});
  std::vector<std::string> keys;
  std::mt19937 random{7};
  for (int i = 0; i < 60; ++i)
    keys.push_back(
        std::string(random() % 10 ? random() % 90'000 : 3'000'000, char('a' + random() % 20)));
  Rows rows = keyed(keys.size(), [&](size_t i) { return '"' + keys[i] + '"'; });
  Sorting sorting(type, {{0, false}});
  expectStable(rows, sorting.sort(rows), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
}

/// The widths of the passes that merge 64 MB in 4 MiB on a device.
std::vector<uint64_t> widthsOn(const Device &device) {
  TupleType type({{"a", &uint64}, {"b", &uint64}, {"c", &uint64}, {"d", &uint64}});
  RowOrder order(type, {{0, false}});
  Sorter sorter(order, {4 * kLeastMemory, {"/tmp"}, device});
  std::mt19937_64 random(12);
  for (int i = 0; i < 2'000'000; ++i) {
    uint64_t row[4] = {random(), 1, 2, 3};
    EXPECT_TRUE(sorter.add(row));
  }
  EXPECT_NE(sorter.next(), nullptr);
  const Device &known = sorter.device();
  EXPECT_GT(known.readRate, 1e6);
  EXPECT_GT(known.writeRate, 1e6);
  EXPECT_GT(known.seek, 0);
  EXPECT_LT(known.seek, 1);
  return sorter.report().widths;
}

TEST(ExternalSort, TheDeviceDecidesHowManyRunsAreMergedAtOnce) {
  EXPECT_EQ(widthsOn({1e9, 1e9, 1e-9}).size(), 1u) << "nothing is lost by changing the place";
  EXPECT_GT(widthsOn({100e6, 100e6, 10e-3}).size(), 1u) << "long pieces are worth a pass";
  EXPECT_FALSE(widthsOn({}).empty()) << "measured";
}

/// The index of long keys would be larger than the memory that rows have.
TEST(ExternalSort, AnIndexThatIsTooLargeGetsCoarse) {
  TupleType type({{"k", &rstring}, {"n", &uint64}});
  std::mt19937 random{14};
  std::vector<std::string> keys(40'000);
  for (std::string &key : keys)
    key = std::string(700, 'k') + std::to_string(random());
  Rows rows = keyed(keys.size(), [&](size_t i) { return '"' + keys[i] + '"'; });
  Sorting sorting(type, {{0, false}});
  expectStable(rows, sorting.sort(rows), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  EXPECT_GE(sorting.sorter.report().stretch, 16u << 10);
}

TEST(ExternalSort, WithoutThePageCache) {
  TupleType type({{"k", &rstring}, {"n", &uint64}});
  RowOrder order(type, {{0, false}});
  const char *directory = "/var/tmp";
  int fd = os::openScratch(directory, true);
  if (fd < 0)
    GTEST_SKIP() << "the file system of " << directory << " always uses the page cache";
  os::closeFile(fd);
  World world;
  Sorter sorter(order, {kLeastMemory, {directory, true}});
  std::mt19937 random{15};
  std::vector<std::string> keys;
  for (int i = 0; i < 30'000; ++i)
    keys.push_back(std::string(random() % (i % 1000 ? 100 : 20'000), char('a' + random() % 9)));
  for (size_t i = 0; i < keys.size(); ++i)
    ASSERT_TRUE(
        sorter.add(world.value(type, "{k=\"" + keys[i] + "\",n=" + std::to_string(i) + "}")))
        << sorter.problem();
  std::sort(keys.begin(), keys.end());
  for (const std::string &key : keys) {
    const char *row = sorter.next();
    ASSERT_TRUE(row) << sorter.problem();
    ASSERT_TRUE(viewOf(load<Str>(row)) == key);
  }
  EXPECT_EQ(sorter.next(), nullptr);
}

TEST(ExternalSort, NoRoomOnTheDeviceIsAnErrorThatSaysHowMuchIsMissing) {
  TupleType type({{"a", &int64}});
  RowOrder order(type, {{0, false}});
  Sorter sorter(order, {kLeastMemory, {"/no/such/directory"}});
  int64_t row = 0;
  for (int i = 0; i < 200'000 && sorter.add(&row); ++i)
    ;
  while (sorter.problem().empty() && sorter.next())
    ;
  EXPECT_EQ(sorter.problem(),
            "cannot make a scratch file in /no/such/directory: No such file or directory");
}

TEST(InPlaceSort, IsASort) {
  std::mt19937_64 random{8};
  for (size_t count : {0, 1, 2, 511, 512, 5000, 200'000})
    for (int bits : {1, 9, 33, 64}) {
      std::vector<uint64_t> words(count);
      for (uint64_t &word : words)
        word = random() >> (64 - bits);
      std::vector<uint64_t> expected = words;
      std::sort(expected.begin(), expected.end());
      sortInPlace(
          words.data(), count, [](uint64_t w) { return w; },
          [](uint64_t a, uint64_t b) { return a < b; });
      EXPECT_TRUE(words == expected) << count << " of " << bits;
    }
}

/// Makes the reads of a plan as soon as there is room, and uses blocks in the order of `uses`.
void playReads(const std::vector<Use> &uses, uint32_t runs, uint64_t memory) {
  std::vector<Read> reads = planReads(uses, runs, memory);
  std::vector<uint32_t> there(runs, 0);
  size_t next = 0;
  uint64_t held = 0;
  std::vector<std::vector<uint64_t>> sizes(runs);
  for (const Use &use : uses)
    sizes[use.run].push_back(use.bytes);
  std::vector<size_t> used(runs, 0);
  for (const Use &use : uses) {
    while (next < reads.size() && held + reads[next].bytes <= memory) {
      held += reads[next].bytes;
      there[reads[next].run] += reads[next].blocks;
      ++next;
    }
    ASSERT_GT(there[use.run], 0u) << "a block is missing";
    --there[use.run];
    held -= use.bytes;
    EXPECT_EQ(sizes[use.run][used[use.run]++], use.bytes);
  }
  EXPECT_EQ(next, reads.size());
}

TEST(ReadPlan, NoBlockIsMissing) {
  std::mt19937 random{9};
  for (uint32_t runs : {1, 2, 7, 64})
    for (uint64_t memory : {64, 100, 1000}) {
      std::vector<Use> uses;
      for (uint32_t run = 0; run < runs; ++run)
        uses.push_back({run, 1});
      for (int i = 0; i < 5000; ++i)
        uses.push_back({uint32_t(random() % runs), 1});
      playReads(uses, runs, std::max<uint64_t>(memory, runs));
    }
}

TEST(ReadPlan, RunsAreThoseOfTheFormula) {
  std::mt19937 random{10};
  constexpr uint32_t kRuns = 64;
  constexpr uint64_t kMemory = 64'000;
  std::vector<Use> uses;
  for (int i = 0; i < 2'000'000; ++i)
    uses.push_back({uint32_t(random() % kRuns), 1});
  double mean = double(uses.size()) / double(planReads(uses, kRuns, kMemory).size());
  EXPECT_NEAR(mean / (2.0 * kMemory / (kRuns + 1)), 1, 0.05);
}

} // namespace
} // namespace sluice::external
