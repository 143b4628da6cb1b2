//===- CandidateFinder.cpp - what is worth comparing -----------------------===//
#include "runtime/elastic/model/compare/CandidateFinder.h"
#include "runtime/elastic/model/load/Backlog.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

/// Unless it is in the list, or was compared already.
void CandidateFinder::add(List &list, std::string name, const Plan &plan) const {
  bool known = compared.contains(plan.configuration) ||
               std::any_of(list.begin(), list.end(), [&](const Candidate &c) {
                 return c.configuration == plan.configuration;
               });
  if (!known)
    list.push_back({std::move(name), plan.configuration, plan.cuts, plan.predicted.rate});
}

//===--- the first comparison of an episode -----------------------------------------===//

std::vector<Candidate> CandidateFinder::first(const Configuration &set, bool again) {
  Solver model = load.solver();
  List list;
  Plan direct = model.allDirect(), here{set, model.predict(set), cutsOf(load.graph, set)};
  if (load.allLimited()) {
    // The program is as fast as its sources. Only what costs less is of interest.
    add(list, "what is set", here);
    Plan enough = model.sustain(0.75);
    if (std::pair(enough.configuration.threads, enough.cuts) < std::pair(set.threads, here.cuts))
      add(list, "the least that keeps up with the sources", enough);
    return list;
  }
  if (again || here.configuration != direct.configuration)
    add(list, "what was set", here);
  add(list, "all direct", direct);
  Plan best = model.best();
  centre = best.cuts;
  add(list, "the model's proposal", best);
  if (best.cuts == 0)
    addQueues(model, 0.6 * direct.predicted.rate, list);
  if (options.latency > 0) // a row passes fewer queues sooner
    for (uint32_t cuts : {best.cuts / 2, 2u, 1u})
      if (cuts && cuts < best.cuts)
        add(list, "few queues, for the bound of latency", model.withCuts(cuts));
  addAllQueued(model, best, again, list);
  if (best.cuts) {
    add(list, "queues also where regions meet", model.meeting(best));
    addNeighbours(model, best, 0, list);
  }
  return list;
}

/// All queued, unless the model gives it far less than `best` by any doubt about hand-offs, or it
/// would leave more in its queues than can drain before the next interval.
void CandidateFinder::addAllQueued(const Solver &model, const Plan &best, bool again,
                                   List &list) const {
  uint32_t most = load.mostThreads();
  Plan queued = model.allQueued(most);
  queued = model.allQueued(std::min(most, model.usefulThreads(queued.configuration)));
  if (queued.predicted.rate <= (again ? 0.7 : 0.2) * best.predicted.rate ||
      backlogAfter(load, queued, timing.turn(queued.predicted.rate)) >= Backlog::drainMost)
    return;
  add(list, "all queued", queued);
  // Fewer threads are never without work, and none of them has to be woken.
  if (uint32_t few = model.threadsFor(queued.configuration, true);
      few < 0.7 * queued.configuration.threads)
    add(list, "all queued, threads for its work", model.allQueued(few));
}

//===--- around a plan --------------------------------------------------------------===//

/// A few queues instead of calls, if the model gives them at least `least` rows a second.
void CandidateFinder::addQueues(const Solver &model, double least, List &list) const {
  Plan nearest;
  for (uint32_t cuts : {1u, 2u, 4u, load.mostThreads()})
    if (Plan plan = model.withCuts(cuts); plan.cuts && plan.predicted.rate > nearest.predicted.rate)
      nearest = plan;
  if (nearest.cuts && nearest.predicted.rate > least)
    add(list, "the best with queues", nearest);
}

/// One queue at the next place along its chain. Where there are few queues, each place counts.
void CandidateFinder::addMoved(const Solver &model, const Plan &around, List &list) const {
  constexpr uint32_t few = 3;
  if (around.cuts == 0 || around.cuts > few)
    return;
  size_t before = list.size();
  for (const Plan &plan : model.moved(around))
    if (add(list, "a queue a place further", plan); list.size() > before)
      return;
}

/// With few processors: as many even regions as there are processors, so that no thread leaves its
/// region. Not if the model gives them less than `around`.
void CandidateFinder::addRegions(const Solver &model, const Plan &around, List &list) const {
  if (load.processors() > Solver::fewProcessors)
    return;
  auto regions = uint32_t(std::ceil(load.processors())),
       sources = uint32_t(load.topology.sources.size());
  Plan plan = model.withCuts(regions > sources ? regions - sources : 1);
  if (!plan.cuts || plan.predicted.rate < (1 - options.gain) * around.predicted.rate)
    return;
  add(list, "a region for each processor", plan);
  addMoved(model, plan, list);
}

//===--- neighbours -----------------------------------------------------------------===//

void CandidateFinder::addThreads(const Solver &model, const char *name, const Plan &around,
                                 uint32_t number, List &list) const {
  Plan plan = around;
  plan.configuration.threads = number;
  plan.predicted = model.predict(plan.configuration);
  add(list, name, plan);
}

/// `plan`, if it has another number of queues than `around`, with threads for them. More queues are
/// of use to more threads: to begin with as many as there can be. If threads are known to slow each
/// other down, a quarter more than there is work for.
void CandidateFinder::addCuts(const Solver &model, const char *name, const Plan &around, Plan plan,
                              List &list) const {
  uint32_t all = std::min(load.mostThreads(), model.usefulThreads(plan.configuration));
  if (episode.comparisons && load.present().slowdown.at(all) > 1.1)
    all = std::min(all, model.threadsFor(plan.configuration, true) * 5 / 4 + 1);
  plan.configuration.threads =
      plan.cuts > around.cuts ? all : std::min(around.configuration.threads, all);
  plan.predicted = model.predict(plan.configuration);
  if (plan.cuts && plan.cuts != around.cuts)
    add(list, name, plan);
}

/// More and fewer threads, more and fewer queues. `toward`: below 0 if fewer queues have just been
/// better, above 0 if more were; further that way comes first.
void CandidateFinder::addNeighbours(const Solver &model, const Plan &around, int toward,
                                    List &list) const {
  uint32_t threads = around.configuration.threads, cuts = around.cuts;
  if (!cuts)
    return addQueues(model, 0.9 * around.predicted.rate, list);
  auto withThreads = [&](const char *name, uint32_t number) {
    addThreads(model, name, around, number, list);
  };
  auto withQueues = [&](const char *name, Plan plan) {
    addCuts(model, name, around, std::move(plan), list);
  };
  if (episode.comparisons)
    addMoved(model, around, list);
  if (toward < 0 && cuts > 1)
    withQueues("far fewer queues", model.withCuts(cuts / 2));
  if (toward > 0)
    withQueues("far more queues", model.finer(around, 2 * cuts));
  uint32_t alone = model.threadsFor(around.configuration, false);
  uint32_t useful = std::min(load.mostThreads(), model.usefulThreads(around.configuration));
  uint32_t more = std::min(useful, std::max(alone, threads + std::max(1u, threads / 2)));
  if (more > threads)
    withThreads("more threads", more);
  if (toward >= 0) {
    Plan even = model.evenest(around, 0.7, 3);
    withQueues("more queues", even.cuts > cuts ? even : model.finer(around, cuts + (cuts + 1) / 2));
  }
  if (cuts > 1)
    withQueues("fewer queues", model.withCuts(cuts - std::max(1u, cuts / 3)));
  if (threads > 1) {
    Configuration least = around.configuration;
    least.threads = alone;
    withThreads("fewer threads", alone < threads && !compared.contains(least)
                                     ? alone
                                     : threads - std::max(1u, threads / 8));
  }
  if (threads > 3) // threads that slow each other down are by far too many
    withThreads("half the threads", threads / 2);
  withQueues("many more queues", model.finer(around, 3 * cuts));
}

//===--- the next comparison --------------------------------------------------------===//

/// Whether all that is near `configuration` should have queues where regions meet.
static bool meets(const Graph &graph, const Solver &model, const Configuration &configuration) {
  Plan plan;
  plan.configuration = configuration;
  return model.meeting(plan).configuration.queued == configuration.queued &&
         cutsOf(graph, configuration);
}

/// Below 0: the winner has fewer queues than the centre of the comparison, and won by its rate, not
/// by its costs. Above 0: it has more.
int CandidateFinder::toward(const Comparison &last) const {
  const List &all = last.candidates();
  const Candidate &won = all[last.winner()];
  double over = 1e300;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].cuts == centre && all[i].profile.intervals)
      over = std::min(over, last.gain(last.winner(), i));
  return over > options.noise ? (won.cuts > centre) - (won.cuts < centre) : 0;
}

std::vector<Candidate> CandidateFinder::next(const Comparison &last) {
  constexpr double trusted = 0.15; // how far a prediction (logarithm) may be off to be trusted
  const Candidate &won = last.candidates()[last.winner()];
  Solver model = load.solver();
  if (meets(load.graph, model, won.configuration))
    model.alwaysMeet();
  List list(1, {"what has won", won.configuration, won.cuts, won.predicted});
  Plan plan{won.configuration, model.predict(won.configuration), won.cuts};
  Plan best = model.best();
  addRegions(model, plan, list);
  if (best.predicted.rate > (1 + options.tie) * plan.predicted.rate) {
    add(list, "the model's next proposal", best);
    addMoved(model, best, list);
  }
  int way = toward(last);
  centre = won.cuts;
  if (load.knowledge.mostBytes < 1e300 && way == 0 && won.cuts > 1) // they move fewer bytes
    add(list, "fewer queues", model.withCuts(won.cuts - std::max(1u, won.cuts / 3)));
  addNeighbours(model, plan, way, list);
  double expects = plan.predicted.rate;
  if (std::abs(std::log(expects) - won.mean()) < trusted) // then what it puts far behind goes
    list.erase(std::remove_if(list.begin() + 1, list.end(),
                              [&](const Candidate &c) { return c.predicted < 0.85 * expects; }),
               list.end());
  if (list.size() > 4)
    list.resize(4);
  return list;
}

} // namespace sluice::elastic
