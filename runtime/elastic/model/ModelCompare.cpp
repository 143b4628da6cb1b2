//===- ModelCompare.cpp - the comparisons of the policy --------------------===//
#include "runtime/elastic/Words.h"
#include "runtime/elastic/model/ModelPolicy.h"
#include "runtime/elastic/model/compare/CostLearner.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

//===--- begin ----------------------------------------------------------------------===//

/// Compares the first of `list`, as many as there is time for until `end`. If there is nothing to
/// compare, settles.
Decision ModelPolicy::compare(std::vector<Candidate> list, double now, double end, Kind first,
                              std::string reason) {
  double each = 0; // seconds that an interval takes, with the pause before it
  for (const Candidate &c : list)
    each += timing.turn(c.predicted) / double(list.size());
  auto most = uint32_t(std::max(0.0, (end - now) / std::max(1e-9, each)));
  // Each has some intervals at least, more where little is left to be found. The most important
  // candidates come first.
  size_t least = 3,
         measured = size_t(std::count_if(list.begin(), list.end(),
                                         [](const Candidate &c) { return !c.values.empty(); }));
  list.resize(
      std::min(list.size(), std::max(least, most / (episode.comparisons ? 4 : 3) + measured)));
  if (episode.comparisons == 0) // what is new is looked at, whatever time it takes
    most = std::max(most, 2 * uint32_t(list.size()));
  if (list.size() < 2 || most < 2 * list.size())
    return settle(now, list.size() < 2 ? "nothing that could be better than what is set"
                                       : "no time to try more");
  compared.add(list);
  ComparisonRules limits = rules(list, most);
  comparison.emplace(std::move(list), limits);
  settling.beginComparison();
  ++episode.comparisons;
  state = State::Compare;
  return measureNext(first, std::move(reason));
}

ComparisonRules ModelPolicy::rules(const std::vector<Candidate> &list, uint32_t most) const {
  ComparisonRules rules;
  rules.most = most;
  // What the first comparison finds alike can be told apart later.
  rules.rounds = episode.comparisons ? options.rounds : std::min(options.rounds, 6u);
  rules.tie = options.tie;
  rules.noise = options.noise;
  rules.level = options.level;
  // Neighbours of a proposal that was wrong are not worth their intervals.
  rules.surprise = episode.comparisons < 3 ? 0.6 : 0;
  rules.before = (1 - options.noise) * compared.mostBeside(list);
  rules.latency = options.latency;
  rules.processors = load.capped() ? options.cpus : 0;
  return rules;
}

//===--- measure --------------------------------------------------------------------===//

Decision ModelPolicy::measureNext(Kind kind, std::string reason) {
  size_t i = *comparison->next();
  const Candidate &c = comparison->candidates()[i];
  if (!reason.empty())
    reason += "; ";
  reason += c.name + " (" + counted(c.cuts, "queue") + ", " +
            counted(c.configuration.threads, "thread") + ")";
  Decision decision = to(kind, c.configuration, timing.interval(c.predicted), std::move(reason));
  decision.numbers = {{"candidate", double(i)},
                      {"predicted", c.predicted},
                      {"measuredBefore", c.values.empty() ? 0 : std::exp(c.mean())},
                      {"queues", double(c.cuts)},
                      {"threads", double(c.configuration.threads)}};
  repeats = 0;
  return decision;
}

/// Whether the profile after an alarm says too little of the load. It may be of the load before as
/// well, as queues held rows of it. Or rows reached a node whose time is not known yet: what took
/// no time would seem to be free. False if there is no time to measure costs again.
bool ModelPolicy::profileIsPoor(const Reading &reading, double now) const {
  return episode.afterAlarm && episode.comparisons == 1 && !comparison->intervals() &&
         applied == load.profiled() && now <= episode.began + options.resettle / 2 &&
         (reading.uneven() || !timesKnown(load.profile(), first.profile));
}

Decision ModelPolicy::compareStep(const Sample &sample) {
  Reading reading(load, applied, sample);
  if (profileIsPoor(reading, sample.time)) {
    bool uneven = reading.uneven();
    Profile profile = uneven ? Profile() : load.profile();
    profile.add(sample);
    learn(profile);
    chosen = {load.present().rate, load.profile()};
    compared.forget();
    episode.comparisons = 0;
    return compare(finder.first(applied, true), sample.time, episode.end(options), Kind::Try,
                   uneven ? "queues still held rows of before"
                          : "the costs of some nodes were not known");
  }
  double rate = reading.rate();
  bool taken = reading.othersBusy();
  if ((rate <= 0 || taken || reading.draining()) && ++repeats <= 2) {
    comparison->wasted();
    return wait(sample.length, rate <= 0 ? "nothing flowed; measure again"
                               : taken   ? "others used the processors; measure again"
                                         : "queues were draining; measure again");
  }
  timing.observe(sample, applied);
  Sample seen = sample;
  seen.latency = options.latency > 0 ? reading.latency() : -1;
  comparison->measured(std::max(rate, 1e-9), reading.rowCost(), seen);
  for (double time = backlog.drainTime(); time > sample.length;
       time -= sample.length + timing.warmUp())
    comparison->wasted(); // the time that the backlog is given to drain
  return comparison->next() ? measureNext(Kind::Try, "") : choose(sample.time);
}

//===--- choose ---------------------------------------------------------------------===//

/// Lets a longer time decide, where it is known. True if it overruled the winner.
bool ModelPolicy::judge(double now) {
  bool trial = retry.running();
  bool same = (episode.afterAlarm || trial) && settling.sameLoad(*comparison, trial);
  if (episode.afterAlarm && !trial && !same) {
    settling.forget();
    retry.forget();
  }
  return settling.judge(*comparison, same, trial, now);
}

/// The best candidate beside the winner; those that dropped out come last.
static size_t secondOf(const Comparison &comparison) {
  const std::vector<Candidate> &all = comparison.candidates();
  size_t best = comparison.winner(), second = best == 0 ? 1 : 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (i != best && (all[second].out > all[i].out ||
                      (all[second].out == all[i].out && comparison.gain(i, second) > 0)))
      second = i;
  return second;
}

static std::string whyBest(const Comparison &comparison, size_t second, bool overruled) {
  const std::vector<Candidate> &all = comparison.candidates();
  size_t best = comparison.winner();
  const Candidate &c = all[best];
  std::string reason = c.name + " is best: " + counted(c.cuts, "queue") + ", " +
                       counted(c.configuration.threads, "thread");
  if (best)
    reason += ", " + percentTenths(comparison.gain(best, 0)) + " over " + all[0].name;
  if (comparison.gain(best, second) <= 0)
    reason += "; " + all[second].name +
              (overruled ? " has had less over a longer time"
                         : " is not better by more than noise and costs more");
  return reason;
}

Decision ModelPolicy::choose(double now) {
  bool overruled = judge(now);
  size_t best = comparison->winner(), second = secondOf(*comparison);
  const Candidate &c = comparison->candidates()[best];
  Kind kind = applied == c.configuration ? Kind::Accept : Kind::Undo;
  Decision decision =
      to(kind, c.configuration, options.interval, whyBest(*comparison, second, overruled));
  decision.numbers = {{"predicted", c.predicted},
                      {"measured", std::exp(c.mean())},
                      {"gain", comparison->gain(best, 0)},
                      {"confidence", comparison->confidence(best ? 0 : second)},
                      {"confidenceSecond", comparison->confidence(second)},
                      {"windows", double(comparison->intervals())},
                      {"seconds", now - episode.began}};
  if (overruled)
    decision.numbers.emplace_back("longer", settling.ledger().mean(c.configuration));
  chosen = {std::exp(c.mean()), c.profile};
  compared.remember(*comparison);
  CostLearner(load, *comparison).learn();
  if (episode.afterAlarm && episode.comparisons == 1) // after an alarm in vain the next is harder
    watch.patience = best == 0 ? std::min(4.0, watch.patience + 1) : 1;
  state = State::Chosen;
  return decision;
}

} // namespace sluice::elastic
