//===- Coordinator.cpp - workers and queues, one after the other -----------===//
#include "runtime/elastic/paper/Coordinator.h"
#include "runtime/elastic/Words.h"
#include <algorithm>

namespace sluice::elastic::paper {

static std::vector<uint32_t> changeableOf(const Graph &graph) {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].changeable && !graph.nodes[i].source)
      result.push_back(i);
  return result;
}

Coordinator::Coordinator(const PaperOptions &options, const Graph &graph, const Machine &machine,
                         const Configuration &start)
    : options(options), graph(graph), machine(machine), now(start), changeable(changeableOf(graph)),
      levels(options.levels), queues(changeable, options.queues),
      load(options.loadChange, options.loadPeriods) {}

//===--- decisions -----------------------------------------------------------------===//

Decision Coordinator::wait(Kind kind, std::string reason, Numbers numbers) const {
  Decision decision;
  decision.kind = kind;
  decision.reason = std::move(reason);
  decision.numbers = std::move(numbers);
  decision.interval = options.period;
  return decision;
}

Decision Coordinator::change(Kind kind, const std::vector<char> &queued, uint32_t threads,
                             std::string reason, Numbers numbers) {
  Decision decision = wait(kind, std::move(reason), std::move(numbers));
  for (uint32_t node : changeable)
    if (queued[node] != now.queued[node])
      decision.queues.emplace_back(node, queued[node] != 0);
  if (threads != now.threads)
    decision.threads = threads;
  if (decision.changes())
    decision.warmUp = options.skip * options.period;
  apply(decision, now);
  return decision;
}

std::vector<char> Coordinator::allQueued(bool queued) const {
  std::vector<char> result = now.queued;
  for (uint32_t node : changeable)
    result[node] = queued;
  return result;
}

Coordinator::Numbers Coordinator::numbers(const Measured &sample) const {
  double queued = 0;
  for (uint32_t node : changeable)
    queued += now.queued[node] != 0;
  return {{"throughput", sample.throughput}, {"threads", now.threads}, {"queues", queued}};
}

std::string Coordinator::rated(double throughput) const {
  return rate(throughput) + (options.sumOfNodes ? " in all" : "");
}

//===--- the life of a run -----------------------------------------------------------===//

Decision Coordinator::begin() {
  uint32_t threads = options.levels.least;
  std::string how =
      options.placement ? "begin without queues and with " : "begin with all queues and ";
  Decision decision =
      change(Kind::Try, allQueued(!options.placement), threads, how + counted(threads, "worker"));
  if (!decision.changes())
    decision.kind = Kind::Wait;
  return decision;
}

Coordinator::Measured Coordinator::read(const Sample &sample) const {
  Measured result{0, 0, std::vector<double>(graph.nodes.size())};
  double rows = 0;
  for (size_t i = 0; i < std::min(sample.nodes.size(), graph.nodes.size()); ++i) {
    result.costs[i] = sample.nodes[i].busy;
    if (options.sumOfNodes || graph.nodes[i].source)
      rows += sample.nodes[i].rows;
  }
  if (sample.length > 0) {
    result.throughput = rows / sample.length;
    result.busy = (sample.cpu + sample.others) / (sample.length * std::max(machine.cpus, 1u));
  }
  return result;
}

Decision Coordinator::step(const Sample &sample) {
  Measured measured = read(sample);
  if (measured.throughput <= 0 && (state == State::Base || state == State::Level))
    return wait(Kind::Wait,
                "nothing came from the sources, which says nothing about queues or workers");
  switch (state) {
  case State::Base:
    return base(measured);
  case State::Trial:
    return trial(measured);
  case State::Level:
    return level(measured);
  case State::Watch:
    break;
  }
  return watch(measured);
}

/// A level was set: searches for queues, unless that is superfluous.
Decision Coordinator::base(const Measured &sample) {
  if (!options.placement)
    return level(sample);
  if (options.history && last.covers(now.threads)) {
    if (last.threads != now.threads)
      note = "the queues found with " + counted(last.threads, "worker") + " are good with " +
             std::to_string(now.threads) + ", too; ";
    return level(sample);
  }
  bool more = fromThreads && now.threads > fromThreads && fromThroughput > 0 &&
              now.threads < options.levels.most;
  if (options.satisfaction && more &&
      satisfied(sample.throughput / fromThroughput, double(now.threads) / fromThreads,
                options.sf)) {
    note = "the workers paid well enough to leave the queues as they are; ";
    return level(sample);
  }
  return searchQueues(sample);
}

//===--- workers -----------------------------------------------------------------------===//

Decision Coordinator::level(const Measured &sample) {
  levels.measured(now.threads, sample.throughput);
  bool mayRise = options.cpuLimit >= 1 || sample.busy <= options.cpuLimit;
  LevelSearch::Step next = levels.next(now.threads, mayRise);
  if (next.level != now.threads)
    return setThreads(next, sample);
  bool settled = !options.placement || searched.count(now.threads) ||
                 (options.history && last.covers(now.threads));
  if (!settled)
    return searchQueues(sample);
  state = State::Watch;
  load.forget();
  load.changed(sample.throughput); // later samples are compared with it
  std::string reason =
      note + "settled with " + counted(now.threads, "worker") + ": " + why(next, sample.throughput);
  note.clear();
  return wait(Kind::Settled, std::move(reason), numbers(sample));
}

std::string Coordinator::why(const LevelSearch::Step &step, double throughput) const {
  std::string there =
      "there is " + compared(throughput, step.throughput, "with " + std::to_string(step.other));
  switch (step.why) {
  case LevelSearch::Why::First:
    return "more have not been tried yet";
  case LevelSearch::Why::Gained:
    return there;
  case LevelSearch::Why::AboveBetter:
    return std::to_string(step.other) + " gave " + compared(step.throughput, throughput);
  case LevelSearch::Why::NothingBelow:
    return "fewer have not been tried yet";
  case LevelSearch::Why::NoGain:
    return there + ", and " + percent(options.levels.sens) + " more is what counts";
  case LevelSearch::Why::Best:
    return step.level == options.levels.most ? "there are no more"
                                             : "more gave nothing that counts";
  case LevelSearch::Why::Enough:
    return "what seems to be better was measured often enough";
  case LevelSearch::Why::Busy:
    break;
  }
  return "the processors are too busy for more";
}

Decision Coordinator::setThreads(const LevelSearch::Step &step, const Measured &sample) {
  std::string reason = note + "try " + counted(step.level, "worker") + " instead of " +
                       std::to_string(now.threads) + ": " + why(step, sample.throughput);
  note.clear();
  Numbers rests = numbers(sample);
  if (step.other) {
    rests.emplace_back("otherThreads", step.other);
    rests.emplace_back("otherThroughput", step.throughput);
  }
  fromThreads = now.threads;
  fromThroughput = sample.throughput;
  state = State::Base;
  return change(Kind::Try, now.queued, step.level, std::move(reason), std::move(rests));
}

//===--- load ----------------------------------------------------------------------------===//

Decision Coordinator::watch(const Measured &sample) {
  if (load.changed(sample.throughput))
    return loadChanged(sample);
  std::string reason = "steady: " + rated(sample.throughput);
  if (uint32_t running = load.running())
    reason = compared(sample.throughput, load.firstThroughput(), "at first") + ", for " +
             counted(running, "period") + " of the " + std::to_string(load.needed()) +
             " that make a change of load";
  Numbers rests = numbers(sample);
  rests.emplace_back("firstThroughput", load.firstThroughput());
  return wait(Kind::Settled, std::move(reason), std::move(rests));
}

/// Forgets what was learnt and removes all queues. The workers stay.
Decision Coordinator::loadChanged(const Measured &sample) {
  std::string reason = "the load has changed (" +
                       compared(sample.throughput, load.firstThroughput(), "at first") + ")";
  reason += options.placement ? ": begin anew without queues"
                              : ": forget what other numbers of workers gave";
  Numbers rests = numbers(sample);
  rests.emplace_back("firstThroughput", load.firstThroughput());
  levels.forget();
  searched.clear();
  last = Adjustment();
  fromThreads = 0;
  state = State::Base;
  return change(Kind::LoadChange, allQueued(!options.placement), now.threads, std::move(reason),
                std::move(rests));
}

} // namespace sluice::elastic::paper
