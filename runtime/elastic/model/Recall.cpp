//===- Recall.cpp - what a longer time says, and what is tried again --===//
//
// A machine that is shared moves: for some seconds hand-offs are far dearer, or two
// processors do the work of one, and then no more. A comparison sees one such stretch,
// and who calls sees none of it. So after a change that was not one of the load, means
// over a longer time decide (ModelLedger.h), and what had more at times is tried again.
//
//===----------------------------------------------------------------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr double alike =
    0.15; // shares of the work that differ by less say that the load is what it was,
static constexpr double samePace = 0.45;   // and rates (logarithm): a neighbour takes a third
static constexpr double longestDelay = 80; // seconds between two trials
static constexpr double pause = 1;         // seconds between two of them before it has settled
static constexpr double muchMore = 0.3; // that the model must promise beyond what there is for them
static constexpr double shortTime =
    0.5; // seconds after which queues are believed at all; calls are the same at any time
static constexpr double longTime =
    10; // seconds (weighed by age) after which a mean is one over a longer time

/// Something else than what was set gives what it gave before, and does the same work for it.
bool ModelPolicy::sameLoad() const {
  if (costs.allLimited(topology))
    return false;
  const std::vector<Candidate> &all = contest->candidates();
  for (size_t i = retrying ? 0 : 1; i < all.size(); ++i)
    if (const Ledger::Entry *before = ledger.find(all[i].configuration);
        before && all[i].profile.windows)
      if (std::abs(std::log(contest->rate(i) / before->mean())) < samePace &&
          distance(all[i].profile, before->profile) < alike)
        return true;
  return false;
}

/// After a comparison: whether what is set, or calls that are on trial, had more over a longer time
/// than what had most in it.
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
  if (!judged || all[0].forbidden)
    return false;
  auto had = [&](size_t i) { return ledger.mean(all[i].configuration); };
  size_t won = contest->winner();
  bool few = isFew(all[0].configuration, all[won].configuration);
  if (won != 0 &&
      (few ? had(won) < (1 + options.worth) * had(0) : had(0) >= (1 + options.noise) * had(won))) {
    better = all[won].configuration;
    contest->overrule(0);
    return true;
  }
  bool calls = retrying && !hasQueues(graph, all[1].configuration) && !all[1].forbidden;
  if (!calls || won == 1 || had(1) < (1 + options.noise) * had(won))
    return false;
  contest->overrule(1);
  return true;
}

/// What is set stayed for what it gave before, and has not given it again for too long.
std::optional<Decision> ModelPolicy::giveUp() {
  const Ledger::Entry *other = holding ? ledger.find(better) : nullptr;
  if (!other ||
      other->mean() < (1 + (isFew(applied, other->configuration) ? options.worth : options.noise)) *
                          ledger.mean(applied))
    return std::nullopt;
  return change(*other, other->name + " has had more over a longer time than what is set");
}

/// To what was measured before, without another comparison.
Decision ModelPolicy::change(const Ledger::Entry &e, std::string reason) {
  double before = ledger.mean(applied);
  Decision decision = to(Kind::Undo, e.configuration, options.watchWindow, std::move(reason));
  decision.numbers = {{"longer", e.mean()}, {"longerBefore", before}};
  holding = false;
  expected = e.mean();
  chosen = e.profile;
  contests = 6; // nothing else is tried
  state = State::Chosen;
  return decision;
}

//===--- calls and few queues -------------------------------------------------------===//
//
// Whatever the machine does, calls have the same, and few queues lose less than many where it makes
// hand-offs dear. More of them must have had more altogether, not just in the comparison that they
// won.

/// Whether `many` must be worth it to be set instead of `one`: calls, or half as many queues with
/// few processors (of many, not all move at once), by no more threads. Never where more than rates
/// decides.
bool ModelPolicy::isFew(const Configuration &one, const Configuration &many) const {
  if (options.latency > 0 || capped() || costs.allLimited(topology) || !hasQueues(graph, many) ||
      one.threads > many.threads)
    return false;
  Solver model = solver();
  return model.cutsOf(one) <= (processors() > Solver::fewProcessors ? 0 : model.cutsOf(many) / 2);
}

/// Of those that are `isFew` against what is set, with at most `most` queues that need not be: what
/// has had most over the longer time. Null if there is none.
const Ledger::Entry *ModelPolicy::few(uint32_t most) const {
  return ledger.best([&](const Ledger::Entry &e) {
    return e.cuts <= most && (e.cuts == 0 || e.seconds > shortTime) && e.configuration != applied &&
           isFew(e.configuration, applied);
  });
}

/// Before it settles. Measured against what won the last comparison even where that has made way
/// for few already.
std::optional<Decision> ModelPolicy::preferFew() {
  wonMean = std::max(wonMean, ledger.mean(applied));
  for (uint32_t most : {0u, UINT32_MAX})
    if (const Ledger::Entry *e = few(most); e && (1 + options.worth) * e->mean() >= wonMean)
      return change(*e, e->name + " has had about as much altogether as what is set");
  return std::nullopt;
}

/// Once it has settled: what is set has had less for long than calls had.
void ModelPolicy::doubtQueues(double now) {
  const Ledger::Entry *e = few(0), *set = ledger.find(applied);
  if (e && !later && set && set->seconds > longTime &&
      e->mean() > (1 + options.noise) * set->mean())
    later = Retry{e->configuration, now};
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
  return compare(std::move(list), now, std::min(end, now + 16 * each), Kind::Try,
                 "it may have more now");
}

/// Before it settles: the model promised far more than what is set has, and far more than was
/// measured. It may be the machine that has changed for a second or two, so while there is time it
/// is tried again. None if there is no doubt, or no time.
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
