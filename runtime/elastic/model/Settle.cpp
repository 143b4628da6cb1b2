//===- Settle.cpp - after a comparison: refine, settle, watch -------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

/// Below 0: fewer queues than those that the others were near to have won, and not because they
/// cost less; above 0: more.
int ModelPolicy::toward() const {
  const std::vector<Candidate> &all = contest->candidates();
  const Candidate &won = all[contest->winner()];
  double over = 1e300;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].cuts == centre && all[i].profile.windows)
      over = std::min(over, contest->gain(contest->winner(), i));
  return over > options.noise ? (won.cuts > centre) - (won.cuts < centre) : 0;
}

/// What was measured last of each.
void ModelPolicy::remember() {
  for (const Candidate &c : contest->candidates()) {
    if (c.values.size() < 2 || c.forbidden)
      continue;
    auto known = std::find_if(tried.begin(), tried.end(), [&](const Candidate &t) {
      return t.configuration == c.configuration;
    });
    if (known == tried.end())
      known = tried.insert(tried.end(), c);
    known->values.assign(1, c.lately());
  }
}

/// What has won, and those that noise may have kept from it (`nearToo`), or that had more when they
/// were measured than it has had now: queues and caches that fill may make the first windows of a
/// configuration better than the later ones. Nothing measured yet.
std::vector<Candidate> ModelPolicy::rivals(bool nearToo) const {
  const std::vector<Candidate> &all = contest->candidates();
  size_t won = contest->winner();
  std::vector<std::pair<double, const Candidate *>> near;
  for (const Candidate &c : tried) {
    auto last = std::find_if(all.begin(), all.end(), [&](const Candidate &other) {
      return other.configuration == c.configuration;
    });
    auto i = size_t(last - all.begin());
    double behind =
        i < all.size() ? std::log1p(contest->gain(won, i)) : all[won].lately() - c.lately();
    if (i != won && (i < all.size() ? nearToo && behind < 0.15 && contest->confidence(i) < 0.95
                                    : behind < -options.noise))
      near.emplace_back(behind, &c);
  }
  std::sort(near.begin(), near.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  near.insert(near.begin(), {0, &all[won]});
  if (near.size() > 3)
    near.resize(3);
  std::vector<Candidate> list;
  for (auto [behind, c] : near)
    list.push_back({c->name, c->configuration, c->cuts, c->predicted, {}, {}, {}, {}, {}});
  return list;
}

/// Perhaps once more: around what has won and with what the comparison taught, or those that it
/// could not tell apart.
Decision ModelPolicy::chosenStep(const Sample &sample) {
  const std::vector<Candidate> &all = contest->candidates();
  const Candidate won = all[contest->winner()];
  double end = changed ? began + options.resettle : began + options.settle;
  if (contests < (changed ? 3u : 6u) &&
      sample.time + 8 * (windowOf(won.predicted) + warmUp) <= end) {
    if (std::vector<Candidate> before = rivals(false); before.size() > 1)
      return compare(std::move(before), sample.time, end, Kind::Try,
                     "compare what has won with what had more before");
    costs = estimate(topology, profile, profiled, knowledge);
    Solver model = solver();
    if (meets(model, won.configuration))
      model.alwaysMeet();
    std::vector<Candidate> list(
        1, {"what has won", won.configuration, won.cuts, won.predicted, {}, {}, {}, {}, {}});
    Plan plan{won.configuration, model.predict(won.configuration), won.cuts};
    Plan best = model.best();
    addRegions(model, plan, list);
    if (best.predicted.rate > (1 + options.tie) * plan.predicted.rate) {
      add(list, "the model's next proposal", best);
      addMoved(model, best, list);
    }
    int way = toward();
    centre = won.cuts;
    if (knowledge.mostBytes < 1e300 && way == 0 && won.cuts > 1) // fewer queues move fewer bytes
      add(list, "fewer queues", model.withCuts(won.cuts - std::max(1u, won.cuts / 3)));
    neighbours(model, plan, way, list);
    // What it has learnt is to be trusted for what is far behind.
    double expects = plan.predicted.rate;
    if (std::abs(std::log(expects) - won.mean()) < 0.15)
      list.erase(std::remove_if(list.begin() + 1, list.end(),
                                [&](const Candidate &c) { return c.predicted < 0.85 * expects; }),
                 list.end());
    if (list.size() > 4)
      list.resize(4);
    if (list.size() > 1)
      return compare(std::move(list), sample.time, end, Kind::Try,
                     "compare what has won with what is near it");
    if (list = rivals(true); list.size() > 1)
      return compare(std::move(list), sample.time, end, Kind::Try,
                     "compare once more what could not be told apart");
  }
  if (std::optional<Decision> again = doubt(sample.time, end))
    return *again;
  return settled(sample.time, "nothing near what has won is left to try");
}

Decision ModelPolicy::settled(double now, std::string reason) {
  if (std::optional<Decision> few = preferFew())
    return *few;
  costs = estimate(topology, profile, profiled, knowledge);
  Solver model = solver();
  Prediction here = model.predict(applied);
  regret = std::max(1.0, model.best().predicted.rate / std::max(1e-12, here.rate));
  watch.restart(chosen, watchedRegions());
  state = State::Watching;
  scheduleRetry(now);
  settledOnce = true;
  Decision decision = wait(options.watchWindow, "settled: " + reason);
  decision.kind = Kind::Settled;
  decision.numbers = {{"queues", double(model.cutsOf(applied))},
                      {"threads", double(applied.threads)},
                      {"predicted", here.rate},
                      {"bottleneck", double(here.bottleneck)},
                      {"seconds", now - began},
                      {"handOffFactor", knowledge.handOffFactor}};
  return decision;
}

//===--- watch ----------------------------------------------------------------------===//

/// What is set, if each region has a processor most of the time.
std::vector<uint32_t> ModelPolicy::watchedRegions() const {
  std::vector<uint32_t> regions = solver().regions(applied.queued), seen = regions;
  std::sort(seen.begin(), seen.end());
  bool few = std::unique(seen.begin(), seen.end()) - seen.begin() <= std::ceil(processors());
  return few ? regions : std::vector<uint32_t>();
}

Decision ModelPolicy::watchStep(const Sample &sample) {
  const char *disturbance = drained > 0.15 * sample.length ? "queues are draining"
                            : othersBusy(sample)           ? "others use the processors"
                                                           : nullptr;
  if (!disturbance)
    ledger.add(applied, rateOf(sample), sample);
  if (std::optional<Decision> other = giveUp())
    return *other;
  doubtQueues(sample.time);
  bool alarm = watch.changed(sample, disturbance);
  if (!alarm && later && sample.time >= later->at && !watch.suspicious()) {
    began = sample.time;
    return retry(*ledger.find(later->configuration), sample.time, 1e300);
  }
  if (!alarm)
    return wait(watch.suspicious() ? options.watchWindow / 2 : options.watchWindow,
                watch.ignored ? watch.ignored : "the load is as it was");
  learnLoad(watch.recent());
  return again(sample.time, solver());
}

/// From what is measured now, under what is set now.
void ModelPolicy::learnLoad(const Profile &now) {
  profile = now;
  profiled = applied;
  knowledge.learnBytes(profile);
  costs = estimate(topology, profile, profiled, knowledge);
  timeWindows();
}

/// What was compared under another load may be compared again.
void ModelPolicy::forgetTrials() {
  lost.clear();
  tried.clear();
  contests = 0;
}

/// The load has changed: try again if the model promises more than it did before, or if little is
/// as it was.
Decision ModelPolicy::again(double now, const Solver &model) {
  Prediction here = model.predict(applied);
  Plan best = costs.allLimited(topology) ? model.sustain(0.75) : model.best();
  double promised = best.predicted.rate / std::max(1e-12, here.rate);
  bool cheaper = costs.allLimited(topology) && (best.configuration.threads < applied.threads ||
                                                best.cuts < model.cutsOf(applied));
  bool much = watch.much();
  std::string what = watch.what();
  std::vector<std::pair<std::string, double>> numbers = {{"moved", watch.moved},
                                                         {"rowCost", std::exp(watch.dearer)},
                                                         {"rate", std::exp(watch.faster)},
                                                         {"promised", promised},
                                                         {"promisedBefore", regret}};
  if (!cheaper && !much && promised < (1 + options.gain) * regret) {
    watch.restart(profile, watchedRegions());
    Decision decision = wait(options.watchWindow, what + ", but what is set is still right");
    decision.numbers = numbers;
    return decision;
  }
  began = now;
  changed = true;
  forgetTrials();
  std::vector<Candidate> list = candidates(model, true);
  if (list.size() < 2) {
    watch.restart(profile, watchedRegions());
    regret = std::max(1.0, promised);
    return wait(options.watchWindow, what + ", but there is nothing else to try");
  }
  Decision decision = compare(std::move(list), now, now + options.resettle, Kind::LoadChange, what);
  if (decision.kind == Kind::LoadChange)
    decision.numbers.insert(decision.numbers.end(), numbers.begin(), numbers.end());
  return decision;
}

} // namespace sluice::elastic
