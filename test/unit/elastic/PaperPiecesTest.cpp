//===- PaperPiecesTest.cpp - groups, counts, levels, rules, words ---------===//
#include "runtime/elastic/Words.h"
#include "runtime/elastic/paper/LevelSearch.h"
#include "runtime/elastic/paper/QueueSearch.h"
#include "runtime/elastic/paper/Rules.h"
#include <functional>
#include <gtest/gtest.h>

using namespace sluice::elastic;
using namespace sluice::elastic::paper;
using Groups = std::vector<std::vector<uint32_t>>;

//===--- groups --------------------------------------------------------------------===//

static Groups inOrder(const std::vector<double> &costs, Direction direction, bool harmonic,
                      uint32_t bins = 9) {
  std::vector<uint32_t> all(costs.size());
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return groupByCost(all, costs, direction, {bins, harmonic, false});
}

TEST(PaperGroups, UpByHalvesFromTheHeaviest) {
  std::vector<double> costs = {8, 4.1, 4, 2.1, 1, 0, 7};
  EXPECT_EQ(inOrder(costs, Direction::Up, false), (Groups{{0, 1, 6}, {2, 3}, {4}, {5}}));
  EXPECT_EQ(inOrder(costs, Direction::Up, true), (Groups{{0, 1, 6}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(inOrder(costs, Direction::Up, false, 2), (Groups{{0, 1, 6}, {2, 3, 4, 5}}));
}

TEST(PaperGroups, DownByDoublesFromTheLightest) {
  std::vector<double> costs = {8, 1.9, 0, 1, 1000};
  EXPECT_EQ(inOrder(costs, Direction::Down, false), (Groups{{2}, {1, 3}, {0}, {4}}));
  EXPECT_EQ(inOrder(costs, Direction::Down, false, 3), (Groups{{2}, {1, 3}, {0, 4}}));
}

TEST(PaperGroups, NothingMeasuredIsOneGroup) {
  EXPECT_EQ(inOrder({0, 0, 0}, Direction::Up, false), (Groups{{0, 1, 2}}));
  EXPECT_EQ(inOrder({0, 0, 0}, Direction::Up, true), (Groups{{0, 1, 2}}));
  EXPECT_EQ(inOrder({}, Direction::Up, false), Groups());
}

TEST(PaperGroups, MixedIsAnotherOrderOfTheSame) {
  std::vector<uint32_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
  Groups mixed = groupByCost(all, std::vector<double>(8, 1), Direction::Up, {9, false, true});
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_NE(mixed[0], all);
  std::sort(mixed[0].begin(), mixed[0].end());
  EXPECT_EQ(mixed[0], all);
}

//===--- how many ---------------------------------------------------------------------===//

/// The counts tried, and at the end the one that stays.
static std::vector<uint32_t> countsOf(uint32_t size, double reference,
                                      const std::function<double(uint32_t)> &plant,
                                      uint32_t step = 2) {
  CountSearch search(size, reference, 0.05, step);
  std::vector<uint32_t> result;
  do {
    result.push_back(search.tried());
    search.measured(plant(search.tried()));
  } while (search.advance());
  result.push_back(search.best().first);
  return result;
}

TEST(PaperCounts, AllAreTriedFirstThenHalves) {
  using Counts = std::vector<uint32_t>;
  EXPECT_EQ(countsOf(100, 1, [](uint32_t) { return 1.0; }), (Counts{100, 50, 25, 12, 6, 3, 0}));
  EXPECT_EQ(countsOf(100, 1, [](uint32_t n) { return 1.0 + n; }),
            (Counts{100, 50, 75, 87, 93, 96, 100}));
  EXPECT_EQ(countsOf(100, 1, [](uint32_t n) { return n < 30 ? 1 : 2; }),
            (Counts{100, 50, 25, 37, 37}));
  EXPECT_EQ(countsOf(1, 1, [](uint32_t) { return 2.0; }), (Counts{1, 1}));
  EXPECT_EQ(countsOf(2, 1, [](uint32_t) { return 2.0; }, 1), (Counts{2, 2}));
  EXPECT_EQ(countsOf(8, 1, [](uint32_t n) { return n >= 1 ? 2.0 : 1.0; }, 1), (Counts{8, 4, 2, 2}));
}

TEST(PaperCounts, AnInteriorBestIsFound) {
  for (uint32_t peak : {10u, 40u, 55u, 90u}) {
    auto counts =
        countsOf(100, 1, [&](uint32_t n) { return 100.0 - std::abs(int(n) - int(peak)); });
    EXPECT_NEAR(counts.back(), peak, 10) << peak;
    EXPECT_LE(counts.size(), 9u);
  }
}

TEST(PaperQueues, SmallGroupsThatGainNothingAreTriedTogether) {
  std::vector<uint32_t> changeable(40);
  for (uint32_t i = 0; i < 40; ++i)
    changeable[i] = i;
  std::vector<double> costs(40, 1);
  costs[3] = 100;
  costs[5] = 20;
  QueueSearch search(changeable, {});
  std::vector<char> none(40);
  ASSERT_EQ(search.begin(Direction::Up, none, 10, costs), QueueSearch::State::Trial);
  EXPECT_EQ(search.group(), std::vector<uint32_t>{3});
  ASSERT_EQ(search.measured(10, costs), QueueSearch::State::Trial);
  EXPECT_EQ(search.group(), (std::vector<uint32_t>{3, 5}));
  EXPECT_EQ(search.target()[3] + search.target()[5], 2);
  ASSERT_EQ(search.measured(12, costs), QueueSearch::State::Accepted);
  ASSERT_EQ(search.measured(12, costs), QueueSearch::State::Trial); // the rest
  EXPECT_EQ(search.group().size(), 38u);
  auto state = QueueSearch::State::Trial;
  while (state == QueueSearch::State::Trial)
    state = search.measured(12, costs);
  EXPECT_EQ(state, QueueSearch::State::Ended);
  const std::vector<char> target = search.target();
  EXPECT_EQ(std::count(target.begin(), target.end(), 1), 2);
  EXPECT_EQ(search.throughput(), 12);
}

TEST(PaperQueues, AfterASuccessAllThatIsLeftOrTheNextGroup) {
  std::vector<double> costs = {9, 9, 9, 9, 1, 1, 1};
  for (bool regroup : {true, false}) {
    QueueOptions options;
    options.regroup = regroup;
    options.step = 1;
    QueueSearch search({0, 1, 2, 3, 4, 5, 6}, options);
    search.begin(Direction::Up, std::vector<char>(7), 10, costs);
    ASSERT_EQ(search.measured(9, costs), QueueSearch::State::Trial);     // four are too many,
    ASSERT_EQ(search.measured(12, costs), QueueSearch::State::Accepted); // two are not
    ASSERT_EQ(search.measured(12, costs), QueueSearch::State::Trial);
    EXPECT_EQ(search.group().size(), regroup ? 2u : 3u);
    EXPECT_EQ(costs[search.group()[0]], regroup ? 9 : 1);
    auto state = QueueSearch::State::Trial;
    while (state == QueueSearch::State::Trial)
      state = search.measured(1, costs);
    EXPECT_EQ(state, QueueSearch::State::Ended);
    const std::vector<char> target = search.target();
    EXPECT_EQ(std::count(target.begin(), target.end(), 1), 2);
  }
}

TEST(PaperQueues, DownTakesQueuesAwayFromTheLightest) {
  QueueSearch search({0, 1, 2, 3}, {});
  std::vector<double> costs = {1, 100, 1, 100};
  ASSERT_EQ(search.begin(Direction::Down, {1, 1, 1, 1}, 10, costs), QueueSearch::State::Trial);
  EXPECT_EQ(search.target(), (std::vector<char>{0, 1, 0, 1}));
  ASSERT_EQ(search.measured(11, costs), QueueSearch::State::Accepted);
  ASSERT_EQ(search.measured(11, costs), QueueSearch::State::Trial);
  EXPECT_EQ(search.target(), (std::vector<char>{0, 0, 0, 0}));
  ASSERT_EQ(search.measured(11, costs), QueueSearch::State::Ended);
  EXPECT_EQ(search.target(), (std::vector<char>{0, 1, 0, 1}));
  EXPECT_EQ(search.origin(), (std::vector<char>{1, 1, 1, 1}));
}

//===--- levels ------------------------------------------------------------------------===//

/// The levels gone through from the least until it stays.
static std::vector<uint32_t> levelsOf(LevelOptions options,
                                      const std::function<double(uint32_t)> &plant) {
  LevelSearch search(options);
  std::vector<uint32_t> result = {options.least};
  for (int i = 0; i < 100; ++i) {
    search.measured(result.back(), plant(result.back()));
    uint32_t next = search.next(result.back(), true).level;
    if (next == result.back())
      return result;
    result.push_back(next);
  }
  ADD_FAILURE() << "does not end";
  return result;
}

TEST(PaperLevels, UpByDoublesAndDownInSmallSteps) {
  using Levels = std::vector<uint32_t>;
  auto upTo = [](uint32_t most) {
    return [most](uint32_t n) { return double(std::min(n, most)); };
  };
  EXPECT_EQ(levelsOf({1, 64}, upTo(8)), (Levels{1, 2, 4, 8, 16, 12, 10, 9, 8}));
  EXPECT_EQ(levelsOf({1, 64, 0.05, false}, upTo(8)), (Levels{1, 2, 4, 8, 16, 8}));
  EXPECT_EQ(levelsOf({1, 88}, upTo(88)), (Levels{1, 2, 4, 8, 16, 32, 64, 88}));
  EXPECT_EQ(levelsOf({1, 64}, upTo(13)), (Levels{1, 2, 4, 8, 16, 32, 24, 20, 18, 17, 16}));
  EXPECT_EQ(levelsOf({1, 6}, upTo(1)), (Levels{1, 2, 1}));
  EXPECT_EQ(levelsOf({3, 6}, upTo(6)), (Levels{3, 4, 6}));
  EXPECT_EQ(levelsOf({1, 1}, upTo(1)), (Levels{1}));
  auto peak = [](uint32_t n) { return n <= 12 ? n : 12 - 0.5 * (n - 12); };
  // 12 is best, but 16 gains over 8 and 17 gains nothing over 16: it stays there.
  EXPECT_EQ(levelsOf({1, 64}, peak), (Levels{1, 2, 4, 8, 16, 32, 24, 20, 18, 17, 16}));
}

TEST(PaperLevels, ABusyMachineGetsNoMore) {
  LevelSearch search({1, 8});
  search.measured(1, 10);
  EXPECT_EQ(search.next(1, false).level, 1u);
  EXPECT_EQ(search.next(1, false).why, LevelSearch::Why::Busy);
  EXPECT_EQ(search.next(1, true).level, 2u);
}

TEST(PaperLevels, ForgottenLevelsAreTriedAgain) {
  LevelSearch search({1, 8});
  search.measured(1, 10);
  search.measured(2, 10);
  EXPECT_EQ(search.next(2, true).level, 1u);
  search.measured(1, 10);
  EXPECT_EQ(search.next(1, true).level, 1u);
  search.forgetAbove(1);
  EXPECT_EQ(search.next(1, true).level, 2u);
}

//===--- rules ----------------------------------------------------------------------------===//

TEST(PaperRules, AnAdjustmentCoversARangeOfWorkers) {
  Adjustment none, unchanged{4, 10, false, {8}}, changed{4, 10, true, {2, 16}};
  EXPECT_FALSE(none.covers(1));
  EXPECT_TRUE(unchanged.covers(4) && unchanged.covers(8));
  EXPECT_FALSE(unchanged.covers(6));
  EXPECT_TRUE(changed.covers(2) && changed.covers(3) && changed.covers(4) && changed.covers(10) &&
              changed.covers(16));
  EXPECT_FALSE(changed.covers(1) || changed.covers(17));
}

TEST(PaperRules, SatisfactionByThePaperAndByTheCode) {
  EXPECT_TRUE(satisfied(1.7, 2, {0.6, false, 0.05}));
  EXPECT_FALSE(satisfied(1.5, 2, {0.6, false, 0.05}));
  EXPECT_TRUE(satisfied(1.01, 2, {0, false, 0.05}));
  EXPECT_TRUE(satisfied(1.3, 2, {0.6, true, 0.05}));
  EXPECT_FALSE(satisfied(1.15, 2, {0.6, true, 0.05}));
  EXPECT_FALSE(satisfied(1.04, 2, {0, true, 0.05}));
}

TEST(PaperRules, TheLoadHasChangedAfterSixPeriods) {
  LoadWatch watch(0.2, 6);
  EXPECT_FALSE(watch.changed(100));
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(watch.changed(121));
  EXPECT_FALSE(watch.changed(119)); // not running
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(watch.changed(i % 2 ? 121 : 83)); // noise
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(watch.changed(83));
  EXPECT_TRUE(watch.changed(0));
  watch.forget();
  EXPECT_FALSE(watch.changed(0));
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(watch.changed(1));
  EXPECT_TRUE(watch.changed(1));
}

//===--- words ------------------------------------------------------------------------------===//

TEST(PaperWords, NumbersAsPeopleReadThem) {
  EXPECT_EQ(rate(0), "0.00 rows/s");
  EXPECT_EQ(rate(12.34), "12.3 rows/s");
  EXPECT_EQ(rate(999.7), "1.00 k rows/s");
  EXPECT_EQ(rate(123456789), "123 M rows/s");
  EXPECT_EQ(compared(114, 100, "with 2"), "14 % more than with 2");
  EXPECT_EQ(compared(97, 100), "3 % less");
  EXPECT_EQ(compared(100.1, 100, "at first"), "as much as at first");
  EXPECT_EQ(compared(5, 0), "5.00 rows/s instead of nothing");
  EXPECT_EQ(compared(0, 0, "at first"), "nothing, as at first");
  EXPECT_EQ(compared(1e9, 1), "1.00 G rows/s instead of 1.00 rows/s");
  EXPECT_EQ(counted(1, "worker"), "1 worker");
  EXPECT_EQ(counted(0, "worker"), "0 workers");
}
