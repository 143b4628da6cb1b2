//===- Drive.cpp - a policy drives a simulated program ---------------------===//
#include "runtime/sim/Drive.h"
#include <algorithm>

namespace sluice::sim {

uint32_t countQueues(const elastic::Graph &graph, const elastic::Configuration &configuration) {
  uint32_t count = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    count += configuration.queued[i] && !graph.nodes[i].source;
  return count;
}

Record drive(Lab &lab, elastic::Policy &policy, double seconds, double changeAt,
             const Observer &observer, double quiet) {
  Record run;
  elastic::Configuration set = lab.configuration();
  run.begin = policy.begin();
  if (observer)
    observer(nullptr, run.begin);
  elastic::Decision decision = run.begin;
  bool watches = false;
  double last = 0; // when something changed, or the policy was not settled
  while (lab.time() < seconds && lab.time() - last < quiet) {
    apply(decision, set);
    lab.configure(set);
    // An interval has one load. The interval in which the load changes has the new one.
    if (changeAt >= 0 && lab.time() + decision.warmUp + decision.interval > changeAt) {
      lab.changeLoad();
      changeAt = -1;
    }
    elastic::Sample sample = lab.measure(decision.warmUp, decision.interval);
    decision = policy.step(sample);
    if (observer)
      observer(&sample, decision);
    watches = decision.kind == elastic::Kind::Settled ||
              (watches && decision.kind == elastic::Kind::Wait);
    if (!watches || decision.changes())
      last = sample.time;
    run.steps.push_back({sample.time, sample.throughput(lab.graph()), set.threads,
                         countQueues(lab.graph(), set), decision});
  }
  run.final = lab.configuration();
  run.rate = lab.lastingRate(run.final);
  return run;
}

Saso saso(const Record &run, double from, double to, bool newLoad) {
  Saso result;
  double last = from, before = from;
  uint32_t threads = 0;
  for (const Step &step : run.steps) {
    if (step.time <= from || step.time > to)
      continue;
    threads = step.threads;
    newLoad &= step.decision.kind != elastic::Kind::LoadChange;
    bool says = step.decision.kind == elastic::Kind::Settled && !newLoad;
    if (step.decision.changes()) {
      last = step.time;
      result.changesAfter += result.settled && !says;
    }
    result.settled |= says;
    if (says && result.settling == 0)
      result.settling = last - from;
  }
  if (!result.settled)
    result.settling = to - from;
  for (const Step &step : run.steps) {
    if (step.time > from && step.time <= to && step.threads > threads) {
      result.overshoot = std::max(result.overshoot, step.threads - threads);
      result.overshootSeconds += step.time - std::max(before, from);
    }
    before = step.time;
  }
  return result;
}

} // namespace sluice::sim
