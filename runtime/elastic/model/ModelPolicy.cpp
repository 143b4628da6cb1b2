//===- ModelPolicy.cpp - profile, compare, choose, watch -------------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

std::unique_ptr<Policy> makeModel(const Values &values, const Graph &graph, const Machine &machine,
                                  const Configuration &start) {
  return std::make_unique<ModelPolicy>(ModelOptions(values), graph, machine, start);
}

ModelPolicy::ModelPolicy(const ModelOptions &options, const Graph &graph, const Machine &machine,
                         const Configuration &start)
    : options(options), load(this->options, graph, machine), timing(this->options, load, episode),
      finder(this->options, load, timing, episode, compared), settling(this->options, load),
      watch(load.topology, load.knowledge.cold), applied(start) {}

//===--- decisions ------------------------------------------------------------------===//

Decision ModelPolicy::wait(double interval, std::string reason) const {
  Decision decision;
  decision.reason = std::move(reason);
  decision.interval = interval;
  return decision;
}

/// What leads from what is set to `target`.
Decision ModelPolicy::to(Kind kind, const Configuration &target, double interval,
                         std::string reason) {
  Decision decision = wait(interval, std::move(reason));
  decision.kind = kind;
  for (uint32_t v = 0; v < load.graph.nodes.size(); ++v) {
    if (bool(applied.queued[v]) != bool(target.queued[v]))
      decision.queues.emplace_back(v, target.queued[v]);
    if (applied.width[v] != target.width[v])
      decision.widths.emplace_back(v, target.width[v]);
  }
  if (applied.threads != target.threads)
    decision.threads = target.threads;
  // What other queues still hold would be measured as if this configuration had been given it.
  decision.warmUp = decision.changes() ? timing.warmUp() + backlog.drainTime() : 0;
  apply(decision, applied);
  return decision;
}

Decision ModelPolicy::begin() {
  Decision decision = wait(options.interval, "measure what each node costs");
  decision.warmUp = options.warmUp;
  return decision;
}

Decision ModelPolicy::step(const Sample &sample) {
  if (!(sample.length > 0) || sample.nodes.size() != load.graph.nodes.size())
    return wait(options.watchInterval, "the window was not usable");
  backlog.update(comparison ? backlogOf(load, sample) : 0);
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

/// Three intervals and two dozen batches, or a second and a half. The first interval with rows is
/// only a warm-up.
Decision ModelPolicy::profileStep(const Sample &sample) {
  double rate = sample.throughput(load.graph);
  if (rate <= 0 && first.profile.intervals == 0)
    return wait(options.interval, "nothing flows yet");
  if (state == State::Start) {
    state = State::Profile;
    episode.began = sample.time - sample.length;
    return wait(options.interval, "the program has begun; measure what each node costs");
  }
  first.profile.add(sample);
  first.values.push_back(std::log(std::max(1e-9, rate)));
  first.rounds.push_back(0);
  first.rowCosts.push_back(Reading(load, applied, sample).rowCost());
  if (first.profile.intervals < 3 ||
      (first.profile.sourceBatches(load.topology) < 24 && first.profile.length < 1.5))
    return wait(options.interval, "measure what each node costs");
  return propose(sample.time);
}

Decision ModelPolicy::propose(double now) {
  learn(first.profile);
  chosen = {load.present().rate, first.profile};
  std::vector<Candidate> list = finder.first(applied, false);
  bool bounded = options.latency > 0 || load.capped();
  for (Candidate &c : list)
    if (c.configuration == applied && !bounded) { // it need not be measured again
      c.values = first.values;
      c.rounds = first.rounds;
      c.rowCosts = first.rowCosts;
      c.profile = first.profile;
    }
  // Some time is left for what the first comparison teaches.
  return compare(std::move(list), now, now + 0.6 * (episode.end(options) - now), Kind::Try,
                 "compare what the model says is best with its neighbours");
}

/// Takes the profile of what is set as that of the load.
void ModelPolicy::learn(const Profile &profile) {
  load.learn(profile, applied);
  timing.restart();
}

//===--- chosen ---------------------------------------------------------------------===//

/// Compares once more, if there is time: around what has won and with what the comparison taught,
/// or those that it could not tell apart. Else settles.
Decision ModelPolicy::chosenStep(const Sample &sample) {
  double now = sample.time, end = episode.end(options);
  const Candidate &won = comparison->candidates()[comparison->winner()];
  if (episode.mayCompare() && now + 8 * timing.turn(won.predicted) <= end) {
    if (std::vector<Candidate> list = compared.rivals(*comparison, options.noise, false);
        list.size() > 1)
      return compare(std::move(list), now, end, Kind::Try,
                     "compare what has won with what had more before");
    load.estimateAgain();
    if (std::vector<Candidate> list = finder.next(*comparison); list.size() > 1)
      return compare(std::move(list), now, end, Kind::Try,
                     "compare what has won with what is near it");
    if (std::vector<Candidate> list = compared.rivals(*comparison, options.noise, true);
        list.size() > 1)
      return compare(std::move(list), now, end, Kind::Try,
                     "compare once more what could not be told apart");
  }
  Retry::Doubt doubt = retry.doubt(settling.ledger(), applied, chosen.rate, timing, now, end);
  if (doubt.wait)
    return wait(Retry::doubtInterval, "the model promised far more; wait before it is tried again");
  if (doubt.entry)
    return tryAgain(*doubt.entry, now, end);
  return settle(now, "nothing near what has won is left to try");
}

/// To what was measured before, without another comparison.
Decision ModelPolicy::goBack(const Ledger::Entry &entry, std::string reason) {
  double before = settling.ledger().mean(applied);
  Decision decision = to(Kind::Undo, entry.configuration, options.watchInterval, std::move(reason));
  decision.numbers = {{"longer", entry.mean()}, {"longerBefore", before}};
  settling.release();
  chosen = {entry.mean(), entry.profile};
  episode.close();
  state = State::Chosen;
  return decision;
}

/// A trial: an interval of `entry` against what is set; more of them if that is as good.
Decision ModelPolicy::tryAgain(const Ledger::Entry &entry, double now, double end) {
  std::vector<Candidate> list;
  list.push_back({"what is set", applied, cutsOf(load.graph, applied), chosen.rate});
  list.push_back({entry.name, entry.configuration, entry.cuts, entry.predicted});
  list.back().onTrial = true;
  retry.begin();
  episode.close();
  double each = std::max(timing.turn(chosen.rate), timing.turn(entry.predicted));
  return compare(std::move(list), now, std::min(end, now + 16 * each), Kind::Try,
                 "it may have more now");
}

Decision ModelPolicy::settle(double now, std::string reason) {
  if (const Ledger::Entry *few = settling.preferFew(applied))
    return goBack(*few, few->name + " has had about as much altogether as what is set");
  load.estimateAgain();
  Solver model = load.solver();
  Prediction here = model.predict(applied);
  promisedBefore = std::max(1.0, model.best().predicted.rate / std::max(1e-12, here.rate));
  startWatching(chosen.profile);
  retry.settled(settling.ledger(), applied, options.gain, now);
  Decision decision = wait(options.watchInterval, "settled: " + reason);
  decision.kind = Kind::Settled;
  decision.numbers = {{"queues", double(cutsOf(load.graph, applied))},
                      {"threads", double(applied.threads)},
                      {"predicted", here.rate},
                      {"bottleneck", double(here.bottleneck)},
                      {"seconds", now - episode.began},
                      {"handOffFactor", load.knowledge.handOffFactor}};
  return decision;
}

//===--- watch ----------------------------------------------------------------------===//

/// What looks like `normal` is the load. The watch knows the regions of what is set if each of them
/// has a processor most of the time.
void ModelPolicy::startWatching(const Profile &normal) {
  std::vector<uint32_t> regions = load.solver().regions(applied.queued), heads = regions;
  std::sort(heads.begin(), heads.end());
  bool few =
      std::unique(heads.begin(), heads.end()) - heads.begin() <= std::ceil(load.processors());
  watch.restart(normal, few ? regions : std::vector<uint32_t>());
  state = State::Watching;
}

Decision ModelPolicy::watchStep(const Sample &sample) {
  Reading reading(load, applied, sample);
  const char *disturbance = backlog.drained() > 0.15 * sample.length ? "queues are draining"
                            : reading.othersBusy()                   ? "others use the processors"
                                                                     : nullptr;
  if (!disturbance)
    settling.add(applied, reading.rate(), sample);
  if (const Ledger::Entry *other = settling.giveUp(applied))
    return goBack(*other, other->name + " has had more over a longer time than what is set");
  if (const Ledger::Entry *calls = settling.betterCalls(applied))
    retry.soon(calls->configuration, sample.time);
  if (watch.changed(sample, disturbance)) {
    learn(watch.recent());
    return alarm(sample.time);
  }
  const Configuration *due = retry.due(sample.time);
  if (due && !watch.suspicious()) {
    episode.began = sample.time;
    return tryAgain(*settling.ledger().find(*due), sample.time, 1e300);
  }
  return wait(watch.suspicious() ? options.watchInterval / 2 : options.watchInterval,
              watch.ignored ? watch.ignored : "the load is as it was");
}

/// The load has changed. Compares again if the model promises more than it did before, or if little
/// is as it was.
Decision ModelPolicy::alarm(double now) {
  Solver model = load.solver();
  Prediction here = model.predict(applied);
  Plan best = load.allLimited() ? model.sustain(0.75) : model.best();
  double promised = best.predicted.rate / std::max(1e-12, here.rate);
  bool cheaper = load.allLimited() && (best.configuration.threads < applied.threads ||
                                       best.cuts < cutsOf(load.graph, applied));
  std::string what = watch.what();
  std::vector<std::pair<std::string, double>> numbers = {{"moved", watch.moved},
                                                         {"rowCost", std::exp(watch.dearer)},
                                                         {"rate", std::exp(watch.faster)},
                                                         {"promised", promised},
                                                         {"promisedBefore", promisedBefore}};
  if (!cheaper && !watch.much() && promised < (1 + options.gain) * promisedBefore) {
    startWatching(load.profile());
    Decision decision = wait(options.watchInterval, what + ", but what is set is still right");
    decision.numbers = numbers;
    return decision;
  }
  episode = {now, true, 0};
  compared.forget();
  std::vector<Candidate> list = finder.first(applied, true);
  if (list.size() < 2) {
    startWatching(load.profile());
    promisedBefore = std::max(1.0, promised);
    return wait(options.watchInterval, what + ", but there is nothing else to try");
  }
  Decision decision = compare(std::move(list), now, episode.end(options), Kind::LoadChange, what);
  if (decision.kind == Kind::LoadChange)
    decision.numbers.insert(decision.numbers.end(), numbers.begin(), numbers.end());
  return decision;
}

} // namespace sluice::elastic
