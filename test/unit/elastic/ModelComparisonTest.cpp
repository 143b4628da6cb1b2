//===- ModelComparisonTest.cpp - candidates, comparisons, what they gave ---===//
#include "ModelPlant.h"
#include "runtime/elastic/model/compare/Compared.h"
#include "runtime/elastic/model/compare/Ledger.h"
#include <gtest/gtest.h>

using namespace sluice::elastic;

namespace {

/// Candidates of given rates, measured with noise and a drift.
struct Trial {
  Plant noise; // for its numbers
  Comparison comparison;
  Trial(const std::vector<double> &rates, const std::vector<uint32_t> &threads, double spread,
        uint64_t seed, ComparisonRules rules = {})
      : comparison(make(rates, threads), rules) {
    noise.seed = seed;
    for (int interval = 0; auto i = comparison.next(); ++interval) {
      Sample sample;
      sample.length = 1;
      double drift = std::exp(-0.01 * interval); // a third slower in the end
      comparison.measured(rates[*i] * drift * std::exp(spread * noise.normal()), 1, sample);
    }
  }
  static std::vector<Candidate> make(const std::vector<double> &rates,
                                     const std::vector<uint32_t> &threads) {
    std::vector<Candidate> list;
    for (size_t i = 0; i < rates.size(); ++i) {
      Configuration c;
      c.threads = threads[i];
      list.push_back({"", c, 0, 0});
    }
    return list;
  }
};

TEST(ModelComparison, FindsTheBetterOneThroughNoiseAndDrift) {
  int right = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed)
    right += Trial({100, 115, 106, 70, 20}, {1, 2, 3, 2, 2}, 0.05, seed).comparison.winner() == 1;
  EXPECT_GE(right, 190);
}

TEST(ModelComparison, EqualOnesGoToTheCheapest) {
  int right = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed)
    right += Trial({100, 100, 100}, {3, 1, 2}, 0.03, seed).comparison.winner() == 1;
  EXPECT_GE(
      right,
      130); // by chance: 67; a little more throughput than noise counts for more than a thread
}

TEST(ModelComparison, StopsEarlyWhenAllIsClear) {
  Trial trial({100, 5, 8}, {1, 2, 3}, 0.02, 1);
  EXPECT_EQ(trial.comparison.winner(), 0u);
  EXPECT_LE(trial.comparison.intervals(), 4u);
}

TEST(ModelComparison, WhoHasMoreOnTheAverageWins) {
  const double swings[] = {140, 700, 140, 700, 140, 700, 140};
  Comparison comparison(Trial::make({0, 0}, {1, 2}), {});
  std::vector<uint32_t> intervals(2);
  while (auto i = comparison.next())
    comparison.measured(*i ? swings[intervals[1]++ % 7] : 300, 1, {});
  EXPECT_EQ(comparison.winner(), 1u);
}

TEST(ModelComparison, WhoIsOnTrialGoesAfterOneBadIntervalOrIsMeasuredForLonger) {
  for (double rate : {90, 160}) {
    std::vector<Candidate> list = Trial::make({0, 0}, {1, 2});
    list[1].onTrial = true;
    Comparison comparison(std::move(list), {});
    while (auto i = comparison.next())
      comparison.measured(*i ? rate : 100, 1, {});
    EXPECT_EQ(comparison.winner(), rate > 100);
    EXPECT_EQ(comparison.intervals() > 2, rate > 100) << comparison.intervals();
    EXPECT_EQ(comparison.intervals() > 8, rate > 100) << comparison.intervals();
  }
}

TEST(ModelComparison, WhoBreaksTheBoundOfLatencyDoesNotWin) {
  ComparisonRules rules;
  rules.latency = 0.005;
  Comparison comparison(Trial::make({100, 200}, {1, 1}), rules);
  while (auto i = comparison.next()) {
    Sample sample;
    sample.length = 1;
    sample.latency = *i ? 0.02 : 0.001;
    comparison.measured(*i ? 200 : 100, 1, sample);
  }
  EXPECT_EQ(comparison.winner(), 0u);
}

/// Three intervals each, in which the second is a little better; `predicted` by the model.
static size_t winnerOf(const std::vector<double> &rates, std::vector<Candidate> list,
                       const std::vector<double> &predicted) {
  const double wobble[] = {0.988, 1.012, 1};
  for (size_t i = 0; i < list.size(); ++i)
    list[i].predicted = predicted[i], list[i].cuts = uint32_t(i + 1);
  ComparisonRules rules;
  rules.rounds = 3;
  Comparison comparison(std::move(list), rules);
  for (std::vector<uint32_t> seen(rates.size()); auto i = comparison.next();) {
    Sample sample;
    sample.length = 1;
    comparison.measured(rates[*i] * wobble[(*i + seen[*i]++) % 3], 1, sample);
  }
  return comparison.winner();
}

TEST(ModelComparison, FewerThreadsAreWorthSomePercentFewerQueuesAreNot) {
  EXPECT_EQ(winnerOf({98.9, 100}, Trial::make({0, 0}, {1, 2}), {100, 100}), 0u);
  EXPECT_EQ(winnerOf({98.9, 100}, Trial::make({0, 0}, {2, 2}), {100, 100}), 1u);
}

TEST(ModelComparison, WhatIntervalsRefuteTheModelHasNoSayIn) {
  EXPECT_EQ(winnerOf({98.9, 100}, Trial::make({0, 0}, {1, 2}), {60, 100}), 0u);
}

//===--- what was compared ------------------------------------------------------------------===//

TEST(ModelCompared, ARivalHadMoreThanTheWinnerHasNow) {
  Compared compared;
  Trial earlier({100, 200}, {1, 2}, 0, 1), last({100, 90}, {1, 3}, 0, 1);
  compared.add(earlier.comparison.candidates());
  compared.remember(earlier.comparison);
  compared.remember(last.comparison);
  std::vector<Candidate> rivals = compared.rivals(last.comparison, 0.02, false);
  ASSERT_EQ(rivals.size(), 2u);
  EXPECT_EQ(rivals[0].configuration.threads, 1u) << "the winner comes first";
  EXPECT_EQ(rivals[1].configuration.threads, 2u);
  EXPECT_TRUE(rivals[1].values.empty()) << "it is measured anew";
}

TEST(ModelCompared, KnowsWhatOthersHadUntilTheLoadChanges) {
  Compared compared;
  Trial trial({100, 200}, {1, 2}, 0, 1);
  const std::vector<Candidate> &all = trial.comparison.candidates();
  compared.add(all);
  compared.remember(trial.comparison);
  EXPECT_TRUE(compared.contains(all[0].configuration));
  EXPECT_GT(compared.mostBeside({all[0]}), 180);
  EXPECT_LT(compared.mostBeside({all[1]}), 110);
  EXPECT_EQ(compared.mostBeside(all), 0);
  compared.forget();
  EXPECT_FALSE(compared.contains(all[0].configuration));
  EXPECT_EQ(compared.mostBeside({}), 0);
}

//===--- over a longer time -----------------------------------------------------------------===//

TEST(ModelLedger, CountsWhatIsRecentMore) {
  Graph graph = pipeline({1e-6}, 2).graph;
  Configuration a = initialConfiguration(graph), b = a;
  b.threads = 7;
  Ledger ledger;
  auto add = [&](const Configuration &c, double rate, double at) {
    Sample s;
    s.length = 1;
    s.time = at;
    ledger.add(c, rate, s);
  };
  EXPECT_EQ(ledger.mean(a), 0);
  add(a, 300, 1);
  add(a, 100, 1);
  EXPECT_DOUBLE_EQ(ledger.mean(a), 200);
  add(a, 500, 41); // two half-lives later the two weigh half of one
  EXPECT_DOUBLE_EQ(ledger.mean(a), 400);
  add(b, 900, 42);
  EXPECT_EQ(ledger.promising(a, 0.1), nullptr) << "once may be chance";
  add(b, 600, 43);
  ASSERT_NE(ledger.promising(a, 0.1), nullptr);
  EXPECT_EQ(ledger.promising(a, 0.1)->configuration, b);
  EXPECT_EQ(ledger.promising(a, 0.6), nullptr);
  ledger.forget();
  EXPECT_EQ(ledger.mean(b), 0);
}

TEST(ModelLedger, CallsWhatItKnowsByTheNameThatItHadFirst) {
  Ledger ledger;
  Candidate c{"all direct", initialConfiguration(pipeline({1e-6}, 2).graph), 0, 100};
  ledger.add(c, 1);
  c.name = "what is set"; // by then
  ledger.add(c, 2);
  ASSERT_NE(ledger.find(c.configuration), nullptr);
  EXPECT_EQ(ledger.find(c.configuration)->name, "all direct");
}

} // namespace
