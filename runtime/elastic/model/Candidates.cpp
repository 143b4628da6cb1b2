//===- Candidates.cpp - what is compared ----------------------------===//
#include "runtime/elastic/model/ModelPolicy.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static const char meetingName[] = "queues also where regions meet";

/// Whether all that are near it should have queues where regions meet.
bool ModelPolicy::meets(const Solver &model, const Configuration &configuration) const {
  Plan plan;
  plan.configuration = configuration;
  return model.meeting(plan).configuration.queued == configuration.queued &&
         model.cutsOf(configuration);
}

//===--- candidates -----------------------------------------------------------------===//

bool ModelPolicy::isLost(const Configuration &configuration) const {
  return std::find(lost.begin(), lost.end(), configuration) != lost.end();
}

/// Unless it is there already or was tried in vain since the load last changed.
void ModelPolicy::add(std::vector<Candidate> &list, std::string name, const Plan &plan) const {
  bool known =
      isLost(plan.configuration) || std::any_of(list.begin(), list.end(), [&](const Candidate &c) {
        return c.configuration == plan.configuration;
      });
  if (!known)
    list.push_back(
        {std::move(name), plan.configuration, plan.cuts, plan.predicted.rate, {}, {}, {}, {}, {}});
}

/// Most important first: what is set, then what must not be missed, then the rest.
std::vector<Candidate> ModelPolicy::candidates(const Solver &model, bool warm) {
  std::vector<Candidate> list;
  Plan direct = model.allDirect(), here{applied, model.predict(applied), model.cutsOf(applied)};
  if (costs.allLimited(topology)) {
    // The objective is met: only what costs less is of interest.
    add(list, "what is set", here);
    Plan enough = model.sustain(0.75);
    if (std::pair(enough.configuration.threads, enough.cuts) <
        std::pair(applied.threads, here.cuts))
      add(list, "the least that keeps up with the sources", enough);
    return list;
  }
  if (warm || here.configuration != direct.configuration)
    add(list, "what was set", here);
  add(list, "all direct", direct);
  Plan best = model.best();
  centre = best.cuts;
  add(list, "the model's proposal", best);
  uint32_t most = std::min(maxThreads, uint32_t(std::ceil(processors())));
  Plan queued = model.allQueued(most);
  queued = model.allQueued(std::min(most, model.usefulThreads(queued.configuration)));
  // What is far behind by any doubt about the hand-off is not worth a window of its rate, nor what
  // leaves more in its queues than can drain before the next one.
  bool near = queued.predicted.rate > (warm ? 0.7 : 0.2) * best.predicted.rate &&
              backlogAfter(queued) < drainMost;
  if (best.cuts == 0)
    addQueues(model, 0.6 * direct.predicted.rate, list);
  if (options.latency > 0) // what lies on the way of a row: fewer queues are sooner through
    for (uint32_t cuts : {best.cuts / 2, 2u, 1u})
      if (cuts && cuts < best.cuts)
        add(list, "few queues, for the bound of latency", model.withCuts(cuts));
  if (near) {
    add(list, "all queued", queued);
    // Fewer threads are never without work, and none of them has to be woken.
    if (uint32_t few = model.threadsFor(queued.configuration, true);
        few < 0.7 * queued.configuration.threads)
      add(list, "all queued, threads for its work", model.allQueued(few));
  }
  if (best.cuts)
    add(list, meetingName, model.meeting(best));
  if (best.cuts)
    neighbours(model, best, 0, list);
  return list;
}

/// Few queues instead of calls, if they should have at least `least` rows a second.
void ModelPolicy::addQueues(const Solver &model, double least, std::vector<Candidate> &list) const {
  Plan nearest;
  for (uint32_t cuts : {1u, 2u, 4u, std::min(maxThreads, uint32_t(std::ceil(processors())))})
    if (Plan plan = model.withCuts(cuts); plan.cuts && plan.predicted.rate > nearest.predicted.rate)
      nearest = plan;
  if (nearest.cuts && nearest.predicted.rate > least)
    add(list, "the best with queues", nearest);
}

/// Where there are few queues, each place counts.
void ModelPolicy::addMoved(const Solver &model, const Plan &around,
                           std::vector<Candidate> &list) const {
  constexpr uint32_t few = 3;
  if (around.cuts == 0 || around.cuts > few)
    return;
  size_t before = list.size();
  for (const Plan &plan : model.moved(around))
    if (add(list, "a queue a place further", plan); list.size() > before)
      return;
}

/// With few processors: as many even regions as there are, unless the model says that this has less
/// than `around`. No thread leaves its region then.
void ModelPolicy::addRegions(const Solver &model, const Plan &around,
                             std::vector<Candidate> &list) const {
  if (processors() > Solver::fewProcessors)
    return;
  auto regions = uint32_t(std::ceil(processors())), sources = uint32_t(topology.sources.size());
  Plan plan = model.withCuts(regions > sources ? regions - sources : 1);
  if (!plan.cuts || plan.predicted.rate < (1 - options.gain) * around.predicted.rate)
    return;
  add(list, "a region for each processor", plan);
  addMoved(model, plan, list);
}

/// More and fewer threads, more and fewer queues. `toward`: below 0 fewer queues have just been
/// better, above 0 more; further that way comes first.
void ModelPolicy::neighbours(const Solver &model, const Plan &around, int toward,
                             std::vector<Candidate> &list) const {
  uint32_t threads = around.configuration.threads, cuts = around.cuts;
  if (!cuts)
    return addQueues(model, 0.9 * around.predicted.rate, list);
  uint32_t most = std::min(maxThreads, std::max(1u, uint32_t(std::ceil(processors()))));
  uint32_t useful = std::min(most, model.usefulThreads(around.configuration));
  auto withThreads = [&](const char *name, uint32_t number) {
    Plan plan = around;
    plan.configuration.threads = number;
    plan.predicted = model.predict(plan.configuration);
    add(list, name, plan);
  };
  auto withQueues = [&](const char *name, Plan plan) {
    // More queues are of use to more threads: as many as there can be, to begin with; if those are
    // known to be in each other's way, a quarter more than there is work for.
    uint32_t all = std::min(most, model.usefulThreads(plan.configuration));
    if (contests && costs.slowdown.at(all) > 1.1)
      all = std::min(all, model.threadsFor(plan.configuration, true) * 5 / 4 + 1);
    plan.configuration.threads = plan.cuts > cuts ? all : std::min(threads, all);
    plan.predicted = model.predict(plan.configuration);
    if (plan.cuts && plan.cuts != cuts)
      add(list, name, plan);
  };
  uint32_t alone = model.threadsFor(around.configuration, false), step = std::max(1u, threads / 8);
  auto tried = [&](uint32_t number) {
    Configuration c = around.configuration;
    c.threads = number;
    return isLost(c);
  };
  if (contests)
    addMoved(model, around, list);
  if (toward < 0 && cuts > 1)
    withQueues("far fewer queues", model.withCuts(cuts / 2));
  if (toward > 0)
    withQueues("far more queues", model.finer(around, 2 * cuts));
  uint32_t more = std::min(useful, std::max(alone, threads + std::max(1u, threads / 2)));
  if (more > threads)
    withThreads("more threads", more);
  if (toward >= 0) {
    Plan even = model.evenest(around, 0.7, 3);
    withQueues("more queues", even.cuts > cuts ? even : model.finer(around, cuts + (cuts + 1) / 2));
  }
  if (cuts > 1)
    withQueues("fewer queues", model.withCuts(cuts - std::max(1u, cuts / 3)));
  if (threads > 1)
    withThreads("fewer threads", alone < threads && !tried(alone) ? alone : threads - step);
  if (threads > 3) // where they are in each other's way, it is by far too many
    withThreads("half the threads", threads / 2);
  withQueues("many more queues", model.finer(around, 3 * cuts));
}

} // namespace sluice::elastic
