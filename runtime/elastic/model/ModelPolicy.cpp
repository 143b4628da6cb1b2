//===- ModelPolicy.cpp - profile, compare, choose, watch -----------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace sluice::elastic {

namespace {
std::string percent(double share) {
  char text[64];
  auto end = std::to_chars(text, text + sizeof text, 100 * share, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + " %";
}

std::string counted(uint32_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}
} // namespace

ModelPolicy::ModelPolicy(const ModelOptions &options, const Graph &graph, const Machine &machine,
                         const Configuration &start)
    : options(options), graph(graph), topology(this->graph), knowledge(machine, graph.nodes.size()),
      maxThreads(std::max(1u, machine.maxThreads)), applied(start), watch(topology, knowledge.cold),
      warmUp(options.warmUp) {}

double ModelPolicy::processors() const {
  return options.cpus > 0 ? std::min(options.cpus, double(knowledge.machine.cpus))
                          : knowledge.machine.cpus;
}

bool ModelPolicy::capped() const {
  return options.cpus > 0 && options.cpus < knowledge.machine.cpus;
}

Solver ModelPolicy::solver() const {
  return Solver(topology, costs, processors(), maxThreads, capped());
}

//===--- decisions ------------------------------------------------------------------===//

Decision ModelPolicy::wait(double length, std::string reason) {
  Decision decision;
  decision.reason = std::move(reason);
  decision.window = length;
  return decision;
}

/// What leads from what is set to `target`.
Decision ModelPolicy::to(Kind kind, const Configuration &target, double length,
                         std::string reason) {
  Decision decision = wait(length, std::move(reason));
  decision.kind = kind;
  for (uint32_t v = 0; v < graph.nodes.size(); ++v) {
    if (bool(applied.queued[v]) != bool(target.queued[v]))
      decision.queues.emplace_back(v, target.queued[v]);
    if (applied.width[v] != target.width[v])
      decision.widths.emplace_back(v, target.width[v]);
  }
  if (applied.threads != target.threads)
    decision.threads = target.threads;
  // What other queues still hold would be measured as if this configuration had been given it.
  decision.warmUp = decision.changes() ? warmUp + std::min(drainMost, backlog) : 0;
  apply(decision, applied);
  return decision;
}

Decision ModelPolicy::begin() {
  Decision decision = wait(options.window, "measure what each node costs");
  decision.warmUp = options.warmUp;
  return decision;
}

Decision ModelPolicy::step(const Sample &sample) {
  if (!(sample.length > 0) || sample.nodes.size() != graph.nodes.size())
    return wait(options.watchWindow, "the window was not usable");
  double before = std::exchange(backlog, contest ? backlogOf(sample) : 0);
  drained = before - backlog;
  switch (state) {
  case State::Start:
  case State::Profile:
    return profileStep(sample);
  case State::Compare:
    return compareStep(sample);
  case State::Chosen:
    return chosenStep(sample);
  case State::Watching:
    return watchStep(sample);
  }
  return {};
}

//===--- profile --------------------------------------------------------------------===//

/// Three windows and two dozen batches, or a second and a half. The first window with rows is only
/// a warm-up.
Decision ModelPolicy::profileStep(const Sample &sample) {
  if (sample.throughput(graph) <= 0 && profile.windows == 0)
    return wait(options.window, "nothing flows yet");
  if (state == State::Start) {
    state = State::Profile;
    began = sample.time - sample.length;
    return wait(options.window, "the program has begun; measure what each node costs");
  }
  profile.add(sample);
  first.values.push_back(std::log(std::max(1e-9, sample.throughput(graph))));
  first.rounds.push_back(0);
  first.rowCosts.push_back(rowCost(sample));
  if (profile.windows < 3 || (profile.sourceBatches(topology) < 24 && profile.length < 1.5))
    return wait(options.window, "measure what each node costs");
  return propose(sample.time);
}

Decision ModelPolicy::propose(double now) {
  learnLoad(profile);
  expected = costs.rate;
  chosen = profile;
  Solver model = solver();
  std::vector<Candidate> list = candidates(model, false);
  for (Candidate &c : list)
    if (c.configuration == applied && options.latency == 0 &&
        !capped()) { // it need not be measured again
      c.values = first.values;
      c.rounds = first.rounds;
      c.rowCosts = first.rowCosts;
      c.profile = profile;
    }
  // Some time is left for what the first comparison teaches.
  return compare(std::move(list), now, now + 0.6 * (began + options.settle - now), Kind::Try,
                 "compare what the model says is best with its neighbours");
}

//===--- compare --------------------------------------------------------------------===//

void ModelPolicy::timeWindows() {
  batches = profile.sourceBatches(topology) / profile.length;
  warmUp =
      std::clamp(batches > 0 ? 4 / batches : 0.1, options.warmUp, std::max(options.warmUp, 0.1));
}

/// The windows from which the profile is may be of batches that were still growing or shrinking.
void ModelPolicy::timeBatches(const Sample &sample) {
  Profile one(sample);
  if (applied == profiled)
    batches = std::max(batches, one.sourceBatches(topology) / one.length);
}

/// Two dozen batches of the sources at that rate (half of them as long as what is set is of another
/// load), and three passes of one through all, within reason.
double ModelPolicy::windowOf(double rate) const {
  double each = batches > 0 ? 1 / batches : 1, many = changed && contests < 2 ? 12 : 24;
  double faster = costs.rate > 0 ? std::max(1.0, rate / costs.rate) : 1;
  return std::clamp(std::max(many / faster, 3.0) * each, options.window,
                    std::max(options.window, 0.6));
}

/// Starts a comparison that ends at `end`; if there is nothing to compare, settles.
Decision ModelPolicy::compare(std::vector<Candidate> list, double now, double end, Kind first,
                              std::string reason) {
  double each = 0; // seconds a window takes
  for (const Candidate &c : list)
    each += (windowOf(c.predicted) + warmUp) / double(list.size());
  auto most = uint32_t(std::max(0.0, (end - now) / std::max(1e-9, each)));
  // Some windows each at least, four where little is left to be found; those that matter most come
  // first.
  size_t least = 3,
         measured = size_t(std::count_if(list.begin(), list.end(),
                                         [](const Candidate &c) { return !c.values.empty(); }));
  list.resize(std::min(list.size(), std::max(least, most / (contests ? 4 : 3) + measured)));
  if (contests == 0) // what is new is looked at, whatever it takes
    most = std::max(most, 2 * uint32_t(list.size()));
  if (list.size() < 2 || most < 2 * list.size())
    return settled(now, list.size() < 2 ? "nothing that could be better than what is set"
                                        : "no time to try more");
  for (const Candidate &c : list)
    lost.push_back(c.configuration);
  ContestRules rules;
  rules.most = most;
  rules.rounds = contests ? options.rounds
                          : std::min(options.rounds, 6u); // what is alike can be told apart later
  rules.tie = options.tie;
  rules.noise = options.noise;
  rules.level = options.level;
  rules.surprise = contests < 3 ? 0.6 : 0; // there is more to learn than to compare
  for (const Candidate &c : tried)
    if (std::none_of(list.begin(), list.end(), [&](const Candidate &other) {
          return other.configuration == c.configuration;
        }))
      rules.before = std::max(rules.before, (1 - options.noise) * std::exp(c.lately()));
  rules.latency = options.latency;
  rules.processors = capped() ? options.cpus : 0;
  contest.emplace(std::move(list), rules);
  wonMean = 0;
  ++contests;
  state = State::Compare;
  return tryNext(first, std::move(reason));
}

Decision ModelPolicy::tryNext(Kind kind, std::string reason) {
  size_t i = *contest->next();
  const Candidate &c = contest->candidates()[i];
  if (!reason.empty())
    reason += "; ";
  Decision decision = to(kind, c.configuration, windowOf(c.predicted),
                         reason + c.name + " (" + counted(c.cuts, "queue") + ", " +
                             counted(c.configuration.threads, "thread") + ")");
  decision.numbers = {{"candidate", double(i)},
                      {"predicted", c.predicted},
                      {"measuredBefore", c.values.empty() ? 0 : std::exp(c.mean())},
                      {"queues", double(c.cuts)},
                      {"threads", double(c.configuration.threads)}};
  repeats = 0;
  return decision;
}

Decision ModelPolicy::compareStep(const Sample &sample) {
  if (ofBothLoads(sample)) {
    learnLoad(Profile(sample));
    chosen = profile;
    expected = costs.rate;
    forgetTrials();
    return compare(candidates(solver(), true), sample.time, began + options.resettle, Kind::Try,
                   "queues still held rows of before");
  }
  double rate = rateOf(sample);
  bool taken = othersBusy(sample);
  if ((rate <= 0 || taken || draining(sample)) && ++repeats <= 2) {
    contest->wasted();
    return wait(sample.length, rate <= 0 ? "nothing flowed; measure again"
                               : taken   ? "others used the processors; measure again"
                                         : "queues were draining; measure again");
  }
  timeBatches(sample);
  Sample seen = sample;
  seen.latency = options.latency > 0 ? latencyOf(sample) : -1;
  contest->measured(std::max(rate, 1e-9), rowCost(sample), seen);
  for (double time = std::min(drainMost, backlog); time > sample.length;
       time -= sample.length + warmUp)
    contest->wasted();
  return contest->next() ? tryNext(Kind::Try, "") : choose(sample.time);
}

Decision ModelPolicy::choose(double now) {
  bool judged = judge(now);
  holding = judged && contest->winner() == 0;
  const std::vector<Candidate> &all = contest->candidates();
  size_t best = contest->winner(), second = best == 0 ? 1 : 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (i != best && (all[second].out > all[i].out ||
                      (all[second].out == all[i].out && contest->gain(i, second) > 0)))
      second = i;
  const Candidate &c = all[best];
  bool current = applied == c.configuration;
  double over = contest->gain(best, 0);
  std::string reason = c.name + " is best: " + counted(c.cuts, "queue") + ", " +
                       counted(c.configuration.threads, "thread") +
                       (best ? ", " + percent(over) + " over " + all[0].name : std::string());
  if (contest->gain(best, second) <= 0)
    reason += "; " + all[second].name +
              (judged ? " has had less over a longer time"
                      : " is not better by more than noise and costs more");
  Decision decision =
      to(current ? Kind::Accept : Kind::Undo, c.configuration, options.window, reason);
  decision.numbers = {{"predicted", c.predicted},
                      {"measured", std::exp(c.mean())},
                      {"gain", over},
                      {"confidence", contest->confidence(best ? 0 : second)},
                      {"confidenceSecond", contest->confidence(second)},
                      {"windows", double(contest->windows())},
                      {"seconds", now - began}};
  if (judged)
    decision.numbers.emplace_back("longer", ledger.mean(c.configuration));
  expected = std::exp(c.mean());
  chosen = c.profile;
  remember();
  learnCosts();
  if (changed && contests == 1) // an alarm that came to nothing makes the next one harder
    watch.patience = best == 0 ? std::min(4.0, watch.patience + 1) : 1;
  state = State::Chosen;
  return decision;
}

} // namespace sluice::elastic
