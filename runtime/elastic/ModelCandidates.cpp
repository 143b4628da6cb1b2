//===- ModelCandidates.cpp - what is compared, and by which figure -------===//
#include "runtime/elastic/Model.h"
#include "runtime/elastic/ModelStatistics.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static const char meetingName[] = "queues also where regions meet";

/// Whether all that are near it should have queues where regions meet.
bool ModelPolicy::meets(const Solver &model, const Configuration &configuration) const {
  Plan plan;
  plan.configuration = configuration;
  return model.meeting(plan).configuration.queued == configuration.queued && model.cutsOf(configuration);
}

//===--- candidates -----------------------------------------------------------------===//

bool ModelPolicy::isLost(const Configuration &configuration) const {
  return std::find(lost.begin(), lost.end(), configuration) != lost.end();
}

/// Unless it is there already or was tried in vain since the load last changed.
void ModelPolicy::add(std::vector<Candidate> &list, std::string name, const Plan &plan) const {
  bool known = isLost(plan.configuration) || std::any_of(list.begin(), list.end(), [&](const Candidate &c) {
                 return c.configuration == plan.configuration;
               });
  if (!known)
    list.push_back({std::move(name), plan.configuration, plan.cuts, plan.predicted.rate, {}, {}, {}, {}, {}});
}

/// Most important first: what is set, then what must not be missed, then the rest.
std::vector<Candidate> ModelPolicy::candidates(const Solver &model, bool warm) {
  std::vector<Candidate> list;
  Plan direct = model.allDirect(), here{applied, model.predict(applied), model.cutsOf(applied)};
  if (costs.allLimited(topology)) {
    // The objective is met: only what costs less is of interest.
    add(list, "what is set", here);
    Plan enough = model.sustain(0.75);
    if (std::pair(enough.configuration.threads, enough.cuts) < std::pair(applied.threads, here.cuts))
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
  // What is far behind by any doubt about the hand-off is not worth a window of its rate.
  bool near = queued.predicted.rate > (warm ? 0.7 : 0.2) * best.predicted.rate;
  if (best.cuts == 0) {
    Plan nearest;
    for (uint32_t cuts : {1u, 2u, 4u, most})
      if (Plan plan = model.withCuts(cuts); plan.cuts && plan.predicted.rate > nearest.predicted.rate)
        nearest = plan;
    if (nearest.cuts && nearest.predicted.rate > 0.6 * direct.predicted.rate)
      add(list, "the best with queues", nearest);
  }
  if (options.latency > 0) // what lies on the way of a row: fewer queues are sooner through
    for (uint32_t cuts : {best.cuts / 2, 2u, 1u})
      if (cuts && cuts < best.cuts)
        add(list, "few queues, for the bound of latency", model.withCuts(cuts));
  if (near) {
    add(list, "all queued", queued);
    // Fewer threads are never without work, and none of them has to be woken.
    if (uint32_t few = model.threadsFor(queued.configuration, true); few < 0.7 * queued.configuration.threads)
      add(list, "all queued, threads for its work", model.allQueued(few));
  }
  if (best.cuts)
    add(list, meetingName, model.meeting(best));
  if (best.cuts)
    neighbours(model, best, 0, list);
  return list;
}

/// More and fewer threads, more and fewer queues. `toward`: below 0 fewer queues have just been better, above 0 more;
/// further that way comes first.
void ModelPolicy::neighbours(const Solver &model, const Plan &around, int toward, std::vector<Candidate> &list) const {
  uint32_t threads = around.configuration.threads, cuts = around.cuts;
  if (!cuts)
    return;
  uint32_t most = std::min(maxThreads, std::max(1u, uint32_t(std::ceil(processors()))));
  uint32_t useful = std::min(most, model.usefulThreads(around.configuration));
  auto withThreads = [&](const char *name, uint32_t number) {
    Plan plan = around;
    plan.configuration.threads = number;
    plan.predicted = model.predict(plan.configuration);
    add(list, name, plan);
  };
  auto withQueues = [&](const char *name, Plan plan) {
    // More queues are of use to more threads: as many as there can be, to begin with; if those are known to be in each
    // other's way, a quarter more than there is work for.
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
  if (toward < 0 && cuts > 1)
    withQueues("far fewer queues", model.withCuts(cuts / 2));
  if (toward > 0)
    withQueues("far more queues", model.finer(around, 2 * cuts));
  uint32_t more = std::min(useful, alone > threads && !tried(alone) ? std::max(alone, threads + step) : threads + step);
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

//===--- what a window shows --------------------------------------------------------===//

namespace {
/// Work done in the upper and lower half of the graph, in rows of the sources: they differ while queues fill or drain.
struct Halves {
  double upper = 0, lower = 0, both = 0;
};
} // namespace

static Halves halves(const Topology &topology, const Profile &profile, const Costs &costs, const Sample &sample) {
  double all = costs.totalLoad(), done[2] = {0, 0}, due[2] = {0, 0}, seen = 0;
  for (uint32_t v : topology.order) {
    if (profile.nodes[v].rows <= 0)
      continue;
    size_t half = seen > all / 2;
    seen += costs.load[v];
    due[half] += costs.load[v];
    done[half] += costs.load[v] * (sample.nodes[v].rows / sample.length) / (profile.nodes[v].rows / profile.length);
  }
  Halves result;
  result.upper = due[0] > 0 ? costs.rate * done[0] / due[0] : 0;
  result.lower = due[1] > 0 ? costs.rate * done[1] / due[1] : result.upper;
  result.both = due[0] + due[1] > 0 ? costs.rate * (done[0] + done[1]) / (due[0] + due[1]) : 0;
  return result;
}

bool ModelPolicy::steady(const Sample &sample) const {
  if (std::find(applied.queued.begin(), applied.queued.end(), 1) == applied.queued.end())
    return true; // nothing that could fill
  Halves h = halves(topology, profile, costs, sample);
  Profile one;
  one.add(sample);
  // A batch more or less at the ends of the window is neither.
  double allowed = 0.15 + 3 / std::max(1.0, one.sourceBatches(topology));
  return std::abs(h.upper - h.lower) <= allowed * std::max(h.upper, h.lower);
}

/// Rows a second of the sources, by the work that was done: what is in a queue is not done, and what was does not
/// count. With several sources, whose rates may part, what they submit.
double ModelPolicy::rateOf(const Sample &sample) const {
  if (topology.sources.size() != 1)
    return sample.throughput(graph);
  Halves h = halves(topology, profile, costs, sample);
  return steady(sample) ? h.both : std::min(h.upper, h.lower);
}

double ModelPolicy::rowCost(const Sample &sample) const {
  Profile one;
  one.add(sample);
  return one.busy() * one.onProcessor() / std::max(1.0, one.sourceRows(topology));
}

/// Seconds until what waits in queues has gone all its way, all processors at it; at most half a second.
double ModelPolicy::backlogOf(const Sample &sample) const {
  std::vector<double> below(graph.nodes.size()); // work of a row, from here on
  double work = 0;
  for (auto at = topology.order.rbegin(); at != topology.order.rend(); ++at) {
    uint32_t v = *at;
    if (profile.nodes[v].rows <= 0)
      continue;
    below[v] = costs.load[v] * profile.length / profile.nodes[v].rows;
    for (uint32_t w : topology.to[v]) {
      double arrived = 0;
      for (uint32_t u : topology.from[w])
        arrived += profile.nodes[u].rows;
      below[v] += below[w] * profile.nodes[w].rows / std::max(1.0, arrived);
    }
    if (const NodeSample &n = sample.nodes[v]; n.batches > 0)
      work += n.depth * n.rows / n.batches * below[v];
  }
  return std::min(0.5, work / std::max(1.0, processors()));
}

/// As measured; else the longest way through the queues, by what is in them and how fast they are emptied (Little).
double ModelPolicy::latencyOf(const Sample &sample) const {
  if (sample.latency >= 0)
    return sample.latency;
  std::vector<double> until(graph.nodes.size());
  double longest = 0;
  for (uint32_t v : topology.order) {
    for (uint32_t u : topology.from[v])
      until[v] = std::max(until[v], until[u]);
    const NodeSample &n = sample.nodes[v];
    if (n.batches > 0)
      until[v] += n.depth * sample.length / n.batches;
    longest = std::max(longest, until[v]);
  }
  return longest;
}

} // namespace sluice::elastic
