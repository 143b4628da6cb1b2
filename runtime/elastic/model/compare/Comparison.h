//===- Comparison.h - which of some candidates is best -----*- C++ -*-===//
//
// Candidates are measured by turns, a short interval each, in rounds that run
// forwards and backwards. So a drift of the machine affects all of them alike. What
// is worse by more than noise drops out, then the worse half. Among the candidates
// that cannot be told from the best, the one with the fewest threads, then the
// fewest queues, wins.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/compare/Candidate.h"
#include <optional>

namespace sluice::elastic {

struct ComparisonRules {
  uint32_t most = 40;    // intervals in all
  uint32_t rounds = 14;  // at most
  double tie = 0.01;     // a smaller difference of rates is none
  double noise = 0.04;   // nor is one up to this that the test does not confirm
  double level = 0.1;    // of the test; a fraction of it where it is repeated
  double hopeless = 0.8; // a candidate that is so much worse after one interval is out
  double poor = 0.25;    // one that is so much worse after two is out
  // Two rounds are enough if the best has less than this share of what was predicted.
  double surprise = 0;
  // Three rounds are enough if the best has had less than this lately, in rows a second.
  double before = 0;
  double latency = 0;    // seconds that a candidate may have; 0: no bound
  double processors = 0; // that a candidate may use; 0: no bound
};

class Comparison {
public:
  /// Candidates that have values already are not in the first round.
  Comparison(std::vector<Candidate>, const ComparisonRules &);
  /// The candidate that is measured next; none if the comparison is over.
  std::optional<size_t> next() const;
  /// Takes an interval of the candidate `next()`. `rate`: rows a second, above 0. `rowCost`:
  /// seconds of work for a row of the sources.
  void measured(double rate, double rowCost, const Sample &);
  /// An interval was spent in vain.
  void wasted() { ++used; }
  /// The best candidate so far.
  size_t winner() const { return best; }
  /// Makes `i` the winner of a comparison that is over.
  void overrule(size_t i) { best = i; }
  /// The confidence that the winner is better than `other`: 1 less the probability that noise alone
  /// says so, at least 0.5.
  double confidence(size_t other) const;
  /// The mean rate of a candidate, in rows a second.
  double rate(size_t i) const;
  /// The gain of `a` over `b`, as a share, without the drift between rounds.
  double gain(size_t a, size_t b) const;
  const std::vector<Candidate> &candidates() const { return all; }
  /// Intervals so far.
  uint32_t intervals() const { return used; }

private:
  std::vector<double> adjusted(size_t candidate) const;
  void endRound();
  bool dropsOut(size_t i) const;
  void keepBetterHalf(std::vector<size_t> &in);
  bool isOver(const std::vector<size_t> &in) const;
  void levelRounds();
  void forbid(Candidate &, const Sample &);
  double lower(size_t a, size_t b, double handicap) const;
  bool worse(size_t a, size_t b) const;
  bool sure(const std::vector<size_t> &in) const;
  std::pair<uint32_t, uint32_t> price(size_t) const;
  void choose();

  std::vector<Candidate> all;
  ComparisonRules rules;
  std::vector<size_t> queue;  // candidates to measure in this round, last first
  std::vector<double> levels; // by round: how fast the machine was (logarithm)
  uint32_t round = 0, used = 0;
  size_t best = 0;
  bool over = false;
};

} // namespace sluice::elastic
