//===- Contest.h - which of some configurations is best ----*- C++ -*-===//
//
// Candidates are measured in turn, a short window each, in rounds that go there and
// back, so that a drift of the machine meets all alike. What is worse by more than
// noise drops out, then the worse half; among those that cannot be told from the best
// the one with the fewest threads, then queues, wins.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/Costs.h"
#include <optional>

namespace sluice::elastic {

struct Candidate {
  std::string name; // in reasons
  Configuration configuration;
  uint32_t cuts = 0;
  double predicted = 0;                // rows a second
  std::vector<double> values;          // measured, logarithms of a rate
  std::vector<uint32_t> rounds;        // in which
  std::vector<double> latencies;       // seconds, by window
  std::vector<double> rowCosts;        // seconds of work a source row, by window
  Profile profile;                     // the sum of its windows
  bool out = false, forbidden = false; // forbidden: past a limit of the user
  bool onTrial = false; // out if its first window is not as good as that of the others, who stay as
                        // long as it does
  double mean() const;
  double lately() const; // of the last windows
};

struct ContestRules {
  uint32_t most = 40; // windows
  uint32_t rounds = 14;
  double tie = 0.01;     // a smaller difference is none
  double noise = 0.04;   // nor is one up to this that the test does not confirm
  double level = 0.1;    // of the test; of those that are repeated a fraction
  double hopeless = 0.8; // so much worse after one window: out
  double poor = 0.25;    // so much worse after two
  double surprise =
      0; // the best has less than this share of what was predicted: two rounds are enough
  double before = 0;     // rows a second that others had: if the best has less in its last windows,
                         // three rounds are enough
  double latency = 0;    // seconds; 0: no bound
  double processors = 0; // in use; 0: no bound
};

class Contest {
public:
  /// Who has been measured before is not in the first round.
  Contest(std::vector<Candidate>, const ContestRules &);
  /// Who is measured next; none if it is over.
  std::optional<size_t> next() const;
  /// Of the candidate `next()` in one window. `rate` above 0.
  void measured(double rate, double rowCost, const Sample &);
  /// A window was spent in vain.
  void wasted() { ++used; }
  size_t winner() const { return best; }
  /// It is over, and something else is known that makes `i` the winner.
  void overrule(size_t i) { best = i; }
  /// That the winner is better than `other`: 1 - the probability that noise alone says so; 0.5 at
  /// least.
  double confidence(size_t other) const;
  /// Rows a second in its windows, on the average.
  double rate(size_t i) const;
  /// Of `a` against `b`, relative; drift between rounds taken out.
  double gain(size_t a, size_t b) const;
  const std::vector<Candidate> &candidates() const { return all; }
  uint32_t windows() const { return used; }

private:
  std::vector<double> adjusted(size_t candidate) const;
  void endRound();
  void levelRounds();
  void forbid(Candidate &, const Sample &);
  double lower(size_t a, size_t b, double handicap) const;
  bool worse(size_t a, size_t b) const;
  bool sure(const std::vector<size_t> &in) const;
  std::pair<uint32_t, uint32_t> price(size_t) const;
  void choose();

  std::vector<Candidate> all;
  ContestRules rules;
  std::vector<size_t> queue;  // of this round, from the back
  std::vector<double> levels; // by round
  uint32_t round = 0, used = 0;
  size_t best = 0;
  bool over = false;
};

} // namespace sluice::elastic
