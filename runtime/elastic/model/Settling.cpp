//===- Settling.cpp - what a longer time says of a winner ------------------===//
#include "runtime/elastic/model/Settling.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

// The load is what it was if shares of the work differ by less, and rates (logarithm) by less: a
// neighbour on the machine takes a third.
static constexpr double sameShares = 0.15, sameRate = 0.45;
// Seconds after which a mean of queues counts at all. Calls have the same rate at any time.
static constexpr double shortTime = 0.5;
// Seconds (weighed by age) after which a mean is one over a longer time.
static constexpr double longTime = 10;

bool Settling::sameLoad(const Comparison &comparison, bool trial) const {
  if (load.allLimited())
    return false;
  const std::vector<Candidate> &all = comparison.candidates();
  bool same = false;
  for (size_t i = trial ? 0 : 1; i < all.size(); ++i) {
    const Ledger::Entry *before = rates.find(all[i].configuration);
    if (!before || !all[i].profile.intervals)
      continue;
    bool oldRate = std::abs(std::log(comparison.rate(i) / before->mean())) < sameRate;
    // Queues may have their old rate by chance, where something else than the work bounds them.
    if (!oldRate && !hasQueues(load.graph, all[i].configuration))
      return false;
    same |= oldRate && distance(all[i].profile, before->profile) < sameShares;
  }
  return same;
}

bool Settling::judge(Comparison &comparison, bool sameLoad, bool trial, double now) {
  holding = false;
  const std::vector<Candidate> &all = comparison.candidates();
  for (const Candidate &c : all)
    if (c.profile.intervals)
      rates.add(c, now);
  if (!sameLoad || all[0].forbidden)
    return false;
  auto had = [&](size_t i) { return rates.mean(all[i].configuration); };
  size_t won = comparison.winner();
  bool few = isFew(all[0].configuration, all[won].configuration);
  if (won != 0 &&
      (few ? had(won) < (1 + options.worth) * had(0) : had(0) >= (1 + options.noise) * had(won))) {
    better = all[won].configuration;
    holding = true;
    comparison.overrule(0);
    return true;
  }
  bool calls = trial && !hasQueues(load.graph, all[1].configuration) && !all[1].forbidden;
  if (!calls || won == 1 || had(1) < (1 + options.noise) * had(won))
    return false;
  comparison.overrule(1);
  return true;
}

const Ledger::Entry *Settling::giveUp(const Configuration &set) const {
  const Ledger::Entry *other = holding ? rates.find(better) : nullptr;
  if (!other)
    return nullptr;
  double more = isFew(set, other->configuration) ? options.worth : options.noise;
  return other->mean() < (1 + more) * rates.mean(set) ? nullptr : other;
}

/// Whether `many` must be worth its queues to be set instead of `one`. `one` has no queues (with
/// few processors, half as many: of many, not all move at once) and no more threads. Never where
/// more than rates decides.
bool Settling::isFew(const Configuration &one, const Configuration &many) const {
  if (options.latency > 0 || load.capped() || load.allLimited() || !hasQueues(load.graph, many) ||
      one.threads > many.threads)
    return false;
  bool half = load.processors() <= Solver::fewProcessors;
  return cutsOf(load.graph, one) <= (half ? cutsOf(load.graph, many) / 2 : 0);
}

/// The entry with the greatest mean of those that are `isFew` against what is set and have at most
/// `most` cuts; null if there is none.
const Ledger::Entry *Settling::few(const Configuration &set, uint32_t most) const {
  return rates.best([&](const Ledger::Entry &e) {
    return e.cuts <= most && (e.cuts == 0 || e.seconds > shortTime) && e.configuration != set &&
           isFew(e.configuration, set);
  });
}

const Ledger::Entry *Settling::preferFew(const Configuration &set) {
  // What won the last comparison may have made way for few already. It is still what counts.
  wonMean = std::max(wonMean, rates.mean(set));
  for (uint32_t most : {0u, UINT32_MAX})
    if (const Ledger::Entry *e = few(set, most); e && (1 + options.worth) * e->mean() >= wonMean)
      return e;
  return nullptr;
}

const Ledger::Entry *Settling::betterCalls(const Configuration &set) const {
  const Ledger::Entry *calls = few(set, 0), *now = rates.find(set);
  bool more =
      calls && now && now->seconds > longTime && calls->mean() > (1 + options.noise) * now->mean();
  return more ? calls : nullptr;
}

} // namespace sluice::elastic
