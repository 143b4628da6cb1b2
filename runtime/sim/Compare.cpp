//===- Compare.cpp - policies and fixed configurations, side by side -------===//
#include "runtime/sim/Compare.h"
#include "runtime/sim/Search.h"
#include <algorithm>

namespace sluice::sim {

static bool isOfThePaper(const std::string &policy) {
  return policy == "paper" || policy == "threads";
}

Contender drivePolicy(Experiment experiment, const std::string &name,
                      const elastic::Constants &constants, const CompareOptions &options,
                      double changeAt) {
  experiment.sampled = isOfThePaper(name) && experiment.runtime == "copying";
  elastic::Constants all = constants;
  if (isOfThePaper(name))
    all.emplace_back("period", options.paperPeriod);
  Lab lab(std::move(experiment));
  std::string error;
  auto policy =
      elastic::makePolicy(name, all, lab.graph(), lab.policyMachine(), lab.configuration(), error);
  Contender result;
  result.name = name;
  // A policy may try something once more after it has settled.
  double quiet = changeAt >= 0 ? 1e300 : isOfThePaper(name) ? 10 * options.paperPeriod : 15;
  result.record = drive(lab, *policy, options.seconds, changeAt, {}, quiet);
  result.final = result.record.final;
  result.rate = result.record.rate;
  result.threads = result.final.threads;
  result.queues = countQueues(lab.graph(), result.final);
  result.settling = saso(result.record, 0, lab.time()).settling;
  return result;
}

/// Contender::enough of `c`, for `rate` within 1 %.
static uint32_t enoughFor(double rate, Lab &lab, const Contender &c) {
  constexpr double close = 0.99;
  if (c.rate < close * rate)
    return 0;
  elastic::Configuration set = c.final;
  uint32_t less = 0, enough = c.threads; // rates grow with threads until they have enough
  while (enough - less > 1) {
    set.threads = (less + enough) / 2;
    (lab.lastingRate(set) < close * rate ? less : enough) = set.threads;
  }
  return enough;
}

std::vector<Contender> compareAll(const Experiment &experiment, const CompareOptions &options) {
  Lab lab(experiment);
  std::vector<Contender> all;
  auto fixed = [&](const char *name, const elastic::Configuration &set) {
    Contender &added = all.emplace_back();
    added.name = name;
    added.final = set;
    added.threads = set.threads;
    added.queues = countQueues(lab.graph(), set);
    added.rate = lab.lastingRate(set);
  };
  fixed("none", initialConfiguration(lab.graph()));
  fixed("manual", handPlaced(lab));
  std::vector<std::pair<std::string, std::string>> policies = elastic::policyNames();
  for (const char *name : {"threads", "paper", "model"})
    if (std::any_of(policies.begin(), policies.end(),
                    [&](const auto &policy) { return policy.first == name; }))
      all.push_back(drivePolicy(experiment, name, {}, options));
  if (options.tries) {
    std::vector<elastic::Configuration> hints;
    for (const Contender &contender : all)
      hints.push_back(contender.final);
    fixed("oracle", oracle(lab, options.tries, hints));
  }
  if (const Contender *alone = find(all, "threads"))
    for (Contender &contender : all)
      contender.enough = enoughFor(alone->rate, lab, contender);
  return all;
}

const Contender *find(const std::vector<Contender> &all, std::string_view name) {
  for (const Contender &contender : all)
    if (contender.name == name)
      return &contender;
  return nullptr;
}

} // namespace sluice::sim
