//===- Comparison.cpp - which of some candidates is best -------------------===//
#include "runtime/elastic/model/compare/Comparison.h"
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr double matters = 0.05; // a loss, as a share, that must not be overlooked

Comparison::Comparison(std::vector<Candidate> candidates, const ComparisonRules &rules)
    : all(std::move(candidates)), rules(rules) {
  for (size_t i = all.size(); i-- > 0;)
    if (all[i].values.empty())
      queue.push_back(i);
  over = queue.empty() || all.size() < 2;
}

std::optional<size_t> Comparison::next() const {
  return over ? std::nullopt : std::optional<size_t>(queue.back());
}

//===--- what is measured -----------------------------------------------------------===//

void Comparison::measured(double rate, double rowCost, const Sample &sample) {
  size_t i = queue.back();
  queue.pop_back();
  Candidate &candidate = all[i];
  candidate.values.push_back(std::log(rate));
  candidate.rounds.push_back(round);
  candidate.rowCosts.push_back(rowCost);
  candidate.profile.add(sample);
  forbid(candidate, sample);
  ++used;
  if (queue.empty())
    endRound();
}

/// Applies the bounds, to the median of latencies and to the sum of processor time: the machine may
/// stall for a moment.
void Comparison::forbid(Candidate &candidate, const Sample &sample) {
  if (sample.latency >= 0)
    candidate.latencies.push_back(sample.latency);
  bool late = rules.latency > 0 && !candidate.latencies.empty() &&
              median(candidate.latencies) > rules.latency;
  bool greedy = rules.processors > 0 &&
                candidate.profile.cpu > 1.05 * rules.processors * candidate.profile.length;
  candidate.forbidden = late || greedy;
}

/// How fast the machine was in each round: what all candidates of the round had beyond their own
/// mean. What only some of them had is not the machine's: hand-offs may have become dearer, and
/// calls do not pay for them.
void Comparison::levelRounds() {
  levels.assign(round + 1, 0);
  for (int pass = 0; pass < 3; ++pass) {
    std::vector<double> least(round + 1, 1e300), most(round + 1, -1e300), count(round + 1);
    for (const Candidate &c : all) {
      double mean = 0;
      for (size_t k = 0; k < c.values.size(); ++k)
        mean += (c.values[k] - levels[c.rounds[k]]) / double(c.values.size());
      for (size_t k = 0; k < c.values.size(); ++k) {
        uint32_t r = c.rounds[k];
        least[r] = std::min(least[r], c.values[k] - mean);
        most[r] = std::max(most[r], c.values[k] - mean);
        ++count[r];
      }
    }
    for (size_t r = 0; r < levels.size(); ++r)
      levels[r] = count[r] > 1 ? std::max(0.0, least[r]) + std::min(0.0, most[r]) : 0;
  }
}

std::vector<double> Comparison::adjusted(size_t candidate) const {
  std::vector<double> result;
  const Candidate &c = all[candidate];
  for (size_t k = 0; k < c.values.size(); ++k)
    result.push_back(c.values[k] - (c.rounds[k] < levels.size() ? levels[c.rounds[k]] : 0));
  return result;
}

/// The mean of rates, not of their logarithms, as throughput is one.
static double meanRate(const std::vector<double> &logs) {
  double sum = 0;
  for (double v : logs)
    sum += std::exp(v);
  return logs.empty() ? 0 : sum / double(logs.size());
}

double Comparison::rate(size_t i) const { return meanRate(all[i].values); }

double Comparison::gain(size_t a, size_t b) const {
  return meanRate(adjusted(a)) / std::max(1e-12, meanRate(adjusted(b))) - 1;
}

double Comparison::confidence(size_t other) const {
  return std::max(0.5, 1 - probabilityLower(adjusted(other), adjusted(best)));
}

//===--- the winner -----------------------------------------------------------------===//

/// The probability that `a`, with `handicap` (logarithm) more than it has, would look as bad
/// against `b` by noise alone.
double Comparison::lower(size_t a, size_t b, double handicap) const {
  std::vector<double> values = adjusted(a);
  for (double &v : values)
    v += handicap;
  return probabilityLower(values, adjusted(b));
}

/// Whether `a` is worse by more than noise, or may well be worse by what matters or by as much as
/// the model says. Threads are taken from other programs and queues are not: for fewer queues alone
/// next to nothing is given up.
bool Comparison::worse(size_t a, size_t b) const {
  double lost = -gain(a, b),
         promised = std::log(std::max(1e-9, all[b].predicted) / std::max(1e-9, all[a].predicted));
  bool fewer = all[a].configuration.threads < all[b].configuration.threads;
  auto mayBe = [&](double share) { return lower(b, a, -share) > 2 * rules.level; };
  return lost > (fewer ? rules.noise : rules.tie) ||
         (lost > rules.tie && lower(a, b, 0) < rules.level) || mayBe(matters) ||
         (promised > rules.tie && mayBe(promised));
}

/// What a candidate costs: threads first, then queues.
std::pair<uint32_t, uint32_t> Comparison::price(size_t i) const {
  return {all[i].configuration.threads, all[i].cuts};
}

/// Whether no further interval would change the choice: none of `in` costs less than the best, and
/// what costs more is hardly better.
bool Comparison::sure(const std::vector<size_t> &in) const {
  return std::all_of(in.begin(), in.end(), [&](size_t i) {
    return i == best ||
           (price(i) >= price(best) && lower(i, best, -matters / 2) <= rules.level / 2);
  });
}

/// Chooses the best, then the cheapest of those that are not worse.
void Comparison::choose() {
  std::vector<size_t> allowed;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].values.empty() && !all[i].forbidden)
      allowed.push_back(i);
  if (allowed.empty()) { // No candidate keeps the bounds. The first one is what is set.
    best = 0;
    return;
  }
  size_t top = allowed[0];
  // A candidate that dropped out early has few intervals. They do not make it the best.
  for (size_t i : allowed)
    if ((!all[i].out || all[top].out) && (all[top].out > all[i].out || gain(i, top) > 0))
      top = i;
  best = top;
  for (size_t i : allowed)
    if (!all[i].out && price(i) < price(best) && !worse(i, top))
      best = i;
}

/// Whether candidate `i` is measured no more, after a round. The test is repeated after every
/// round, so its level is a fraction.
bool Comparison::dropsOut(size_t i) const {
  const Candidate &c = all[i];
  double lost = -gain(i, best);
  size_t n = c.values.size();
  return (c.forbidden && n >= 2) || lost > (c.onTrial ? rules.tie : rules.hopeless) ||
         (n >= 2 && lost > rules.poor) ||
         (n >= 3 && lost > rules.tie && lower(i, best, 0) <= rules.level / 4);
}

/// Takes the worse half out of `in`, as long as there are more than three.
void Comparison::keepBetterHalf(std::vector<size_t> &in) {
  auto order = [&](size_t i) { return std::pair(-gain(i, best), i); };
  std::sort(in.begin(), in.end(), [&](size_t a, size_t b) { return order(a) < order(b); });
  for (size_t k = std::max<size_t>(3, (in.size() + 1) / 2); k < in.size(); ++k)
    all[in[k]].out = in[k] != best;
  std::erase_if(in, [&](size_t i) { return all[i].out; });
  std::sort(in.begin(), in.end());
}

/// Whether `in` need not be measured any more.
bool Comparison::isOver(const std::vector<size_t> &in) const {
  bool surprise = std::exp(all[best].mean()) < rules.surprise * all[best].predicted;
  bool less = std::exp(all[best].lately()) < rules.before;
  return in.size() < 2 || (round >= 4 && sure(in)) || (round >= 2 && surprise) ||
         (round >= 3 && less) || round >= rules.rounds || used + in.size() > rules.most;
}

void Comparison::endRound() {
  levelRounds();
  choose();
  bool trial =
      std::any_of(all.begin(), all.end(), [](const Candidate &c) { return c.onTrial && !c.out; });
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].out && i != best && (!trial || all[i].onTrial))
      all[i].out = dropsOut(i);
  std::vector<size_t> in;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].out)
      in.push_back(i);
  if (round >= 2 && in.size() > 3)
    keepBetterHalf(in);
  ++round;
  if (isOver(in)) {
    choose();
    over = true;
    return;
  }
  queue = in;
  if (round % 2 ==
      0) // They are taken from the back: forwards in even rounds, backwards in odd ones.
    std::reverse(queue.begin(), queue.end());
}

} // namespace sluice::elastic
