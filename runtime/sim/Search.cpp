//===- Search.cpp - configurations to compare with -------------------------===//
#include "runtime/sim/Search.h"
#include "runtime/sim/Drive.h"
#include <algorithm>

namespace sluice::sim {

using elastic::Configuration;

static uint32_t maxThreads(const Lab &lab) { return lab.policyMachine().maxThreads; }

Configuration handPlaced(const Lab &lab) {
  Configuration result = initialConfiguration(lab.graph());
  const Application &app = lab.setup().app;
  uint32_t queues = 0, most = uint32_t(lab.setup().machine.cores);
  std::vector<uint32_t> places = app.hand;
  if (places.empty())
    for (uint32_t i = 10; i + 1 < app.operators.size(); i += 10)
      places.push_back(i);
  // With fewer cores than places it takes every second place, or third.
  uint32_t step = std::max<uint32_t>(1, uint32_t((places.size() + most - 1) / std::max(1u, most)));
  for (uint32_t i = 0; i < places.size(); i += step, ++queues)
    result.queued[places[i]] = 1;
  result.threads = std::clamp(queues, 1u, maxThreads(lab));
  return result;
}

Configuration allQueued(const Lab &lab, uint32_t threads) {
  Configuration result = initialConfiguration(lab.graph());
  for (size_t i = 0; i < result.queued.size(); ++i)
    result.queued[i] = lab.graph().nodes[i].changeable;
  result.threads = std::clamp(threads, 1u, maxThreads(lab));
  return result;
}

Configuration cutBy(const Lab &lab, double share) {
  const Plan whole = lab.planOf(initialConfiguration(lab.graph()));
  Configuration result = initialConfiguration(lab.graph());
  std::vector<double> visits = lab.setup().app.visits(), cost(visits.size());
  double all = 0;
  for (const Region &region : whole.regions)
    for (const Member &member : region.members)
      all += cost[member.node] = visits[region.head] * (member.nanos + member.handing);
  // An operator runs with its callers if they are all in one region and it fits there.
  constexpr uint32_t kNone = ~0u, kSeveral = ~0u - 1;
  std::vector<uint32_t> head(visits.size()), caller(visits.size(), kNone);
  std::vector<double> load(visits.size());
  for (uint32_t i = 0; i < visits.size(); ++i) {
    bool joins = caller[i] < kSeveral && load[caller[i]] + cost[i] <= share * all;
    head[i] = joins ? caller[i] : i;
    load[head[i]] += cost[i];
    result.queued[i] = head[i] == i && lab.graph().nodes[i].changeable;
    for (uint32_t to : lab.graph().nodes[i].to)
      caller[to] = caller[to] == kNone || caller[to] == head[i] ? head[i] : kSeveral;
  }
  result.threads = std::clamp(countQueues(lab.graph(), result), 1u, maxThreads(lab));
  return result;
}

namespace {

struct Searcher {
  Lab &lab;
  Random random{12345};
  Configuration best;
  double rate = 0;

  bool consider(const Configuration &candidate) {
    double now = lab.rate(candidate);
    if (now <= rate)
      return false;
    best = candidate;
    rate = now;
    return true;
  }

  void everySize() {
    for (double share = 1; share > 0.3 / double(lab.graph().nodes.size()); share /= 1.3) {
      Configuration cut = cutBy(lab, share);
      uint32_t threads = cut.threads;
      consider(cut);
      for (double part : {0.5, 0.75}) {
        cut.threads = std::max(1u, uint32_t(threads * part));
        if (cut.threads < threads)
          consider(cut);
      }
    }
    for (uint32_t threads = 1;; threads *= 2) {
      consider(allQueued(lab, threads));
      if (threads >= maxThreads(lab))
        break;
    }
  }

  /// The best configuration, changed in one to three places.
  Configuration neighbour() {
    Configuration result = best;
    uint32_t count = uint32_t(result.queued.size());
    for (uint32_t changes = 1 + random.below(3); changes--;) {
      uint32_t node = random.below(count);
      if (random.below(4) == 0) {
        double factor = 0.8 + 0.4 * random.uniform();
        result.threads = std::clamp(uint32_t(result.threads * factor + 0.5), 1u, maxThreads(lab));
      } else if (lab.graph().nodes[node].changeable) {
        const std::vector<uint32_t> &to = lab.graph().nodes[node].to;
        result.queued[node] = !result.queued[node];
        if (!to.empty() && random.below(2)) // half of the time it moves the queue instead
          result.queued[to[random.below(uint32_t(to.size()))]] = !result.queued[node];
      }
    }
    return result;
  }

  void fewestThreads() {
    double least = 0.99 * rate;
    for (double part : {0.5, 0.75, 0.9, 0.95}) {
      Configuration fewer = best;
      fewer.threads = std::max(1u, uint32_t(best.threads * part));
      double now = lab.rate(fewer);
      if (now < least)
        continue;
      best = fewer;
      rate = now;
      break;
    }
  }
};

} // namespace

Configuration oracle(Lab &lab, uint32_t tries, const std::vector<Configuration> &hints) {
  Searcher searcher{lab, Random(12345), initialConfiguration(lab.graph()), 0};
  searcher.consider(initialConfiguration(lab.graph()));
  searcher.consider(handPlaced(lab));
  for (const Configuration &hint : hints)
    searcher.consider(hint);
  searcher.everySize();
  for (uint32_t i = 0; i < tries; ++i)
    searcher.consider(searcher.neighbour());
  searcher.fewestThreads();
  return searcher.best;
}

} // namespace sluice::sim
