//===- ModelRecall.cpp - what a longer time says, and what is tried again --===//
//
// A machine that is shared moves: for some seconds hand-offs are far dearer, or two
// processors do the work of one, and then no more. A comparison sees one such stretch,
// and who calls sees none of it. So after a change that was not one of the load, means
// over a longer time decide (ModelLedger.h), and what had more at times is tried again.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/Model.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr double alike = 0.15;      // rates (logarithm) and shares of the work that differ by less say that the load is what it was
static constexpr double longestDelay = 80; // seconds between two trials
static constexpr double pause = 1;         // seconds between two of them before it has settled
static constexpr double muchMore = 0.3;    // that the model must promise beyond what there is for them

/// Something else than what was set gives what it gave before, and does the same work for it.
bool ModelPolicy::sameLoad() const {
  if (costs.allLimited(topology))
    return false;
  const std::vector<Candidate> &all = contest->candidates();
  for (size_t i = retrying ? 0 : 1; i < all.size(); ++i)
    if (const Ledger::Entry *before = ledger.find(all[i].configuration); before && all[i].profile.windows)
      if (std::abs(std::log(contest->rate(i) / before->mean())) < alike && distance(all[i].profile, before->profile) < alike)
        return true;
  return false;
}

/// After a comparison: whether what is set had more over a longer time than what had most in it, and so stays.
bool ModelPolicy::judge(double now) {
  const std::vector<Candidate> &all = contest->candidates();
  bool judged = (changed || retrying) && sameLoad();
  if (changed && !retrying && !judged) {
    ledger.forget();
    retryDelay = firstDelay;
  }
  for (const Candidate &c : all)
    if (c.profile.windows)
      ledger.add(c, now);
  const Configuration &won = all[contest->winner()].configuration, &set = all[0].configuration;
  if (!judged || won == set || all[0].forbidden || ledger.mean(set) < (1 + options.noise) * ledger.mean(won))
    return false;
  better = won;
  contest->overrule(0);
  return true;
}

/// What is set stayed for what it gave before, and has not given it again for too long.
std::optional<Decision> ModelPolicy::giveUp() {
  const Ledger::Entry *other = holding ? ledger.find(better) : nullptr;
  if (!other || other->mean() < (1 + options.noise) * ledger.mean(applied))
    return std::nullopt;
  Decision decision = to(Kind::Undo, better, options.watchWindow, other->name + " has had more over a longer time than what is set");
  decision.numbers = {{"longer", other->mean()}, {"longerBefore", ledger.mean(applied)}};
  holding = false;
  expected = other->mean();
  chosen = other->profile;
  contests = 6; // nothing else is tried
  state = State::Chosen;
  return decision;
}

//===--- tried again ----------------------------------------------------------------===//

void ModelPolicy::scheduleRetry(double now) {
  if (retrying && settledOnce)
    retryDelay = std::min(longestDelay, 2 * retryDelay);
  retrying = false;
  const Ledger::Entry *other = ledger.promising(applied, 2 * options.gain);
  later = other ? std::optional(Retry{other->configuration, now + retryDelay}) : std::nullopt;
}

/// A window of it against what is set; more if that is as good.
Decision ModelPolicy::retry(const Ledger::Entry &e, double now, double end) {
  std::vector<Candidate> list;
  list.push_back({"what is set", applied, solver().cutsOf(applied), expected, {}, {}, {}, {}, {}});
  list.push_back({e.name, e.configuration, e.cuts, e.predicted, {}, {}, {}, {}, {}});
  list.back().onTrial = true;
  retrying = true;
  contests = 6; // nothing else is tried
  double each = std::max(windowOf(expected), windowOf(e.predicted)) + warmUp;
  return compare(std::move(list), now, std::min(end, now + 16 * each), Kind::Try, "it may have more now");
}

/// Before it settles: the model promised far more than what is set has, and far more than was measured. It may be the machine that has
/// changed for a second or two, so while there is time it is tried again. None if there is no doubt, or no time.
std::optional<Decision> ModelPolicy::doubt(double now, double end) {
  const Ledger::Entry *e = settledOnce ? nullptr : ledger.refuted(applied, muchMore);
  if (!e || now + 4 * (std::max(windowOf(expected), windowOf(e->predicted)) + warmUp) + pause > end)
    return std::nullopt;
  if (doubtEnds < 0)
    doubtEnds = now + pause;
  if (now < doubtEnds)
    return wait(pause / 2, "the model promised far more; wait before it is tried again");
  doubtEnds = -1;
  return retry(*e, now, end);
}

} // namespace sluice::elastic
