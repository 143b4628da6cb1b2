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
std::vector<Candidate> ModelPolicy::candidates(const Solver &model, bool warm) const {
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
  if (near)
    add(list, "all queued", queued);
  if (best.cuts)
    add(list, meetingName, model.meeting(best));
  if (best.cuts)
    neighbours(model, best, list);
  return list;
}

/// More and fewer threads, more and fewer queues.
void ModelPolicy::neighbours(const Solver &model, const Plan &centre, std::vector<Candidate> &list) const {
  uint32_t threads = centre.configuration.threads, cuts = centre.cuts;
  uint32_t most = std::min(maxThreads, std::max(1u, uint32_t(std::ceil(processors()))));
  auto withThreads = [&](const char *name, uint32_t number) {
    Plan plan = centre;
    plan.configuration.threads = number;
    plan.predicted = model.predict(plan.configuration);
    add(list, name, plan);
  };
  auto withQueues = [&](const char *name, Plan plan) {
    // More queues are of use to more threads: as many as there can be, to begin with.
    uint32_t useful = std::min(most, model.usefulThreads(plan.configuration));
    plan.configuration.threads = plan.cuts > cuts ? useful : std::min(threads, useful);
    plan.predicted = model.predict(plan.configuration);
    if (plan.cuts && plan.cuts != cuts)
      add(list, name, plan);
  };
  if (cuts) {
    uint32_t alone = model.threadsFor(centre.configuration, false), step = std::max(1u, threads / 8);
    auto tried = [&](uint32_t number) {
      Configuration c = centre.configuration;
      c.threads = number;
      return isLost(c);
    };
    uint32_t useful = std::min(most, model.usefulThreads(centre.configuration));
    uint32_t more = std::min(useful, alone > threads && !tried(alone) ? std::max(alone, threads + step) : threads + step);
    if (more > threads)
      withThreads("more threads", more);
    Plan even = model.evenest(centre, 0.7, 3);
    withQueues("more queues", even.cuts > cuts ? even : model.finer(centre, cuts + (cuts + 1) / 2));
    if (threads > 1)
      withThreads("fewer threads", alone < threads && !tried(alone) ? alone : threads - step);
    if (threads > 3) // where they are in each other's way, it is by far too many
      withThreads("half the threads", threads / 2);
    if (cuts > 1)
      withQueues("fewer queues", model.withCuts(cuts - std::max(1u, cuts / 3)));
    withQueues("many more queues", model.finer(centre, 3 * cuts));
  }
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

/// Many queues gave far less than promised, and fewer of them gave more by as much as less goes through queues for a
/// row: all hand-offs share the memory, and it carries no more. No cost of a single one would say that.
bool ModelPolicy::learnMemory() {
  const Candidate *few = nullptr, *many = nullptr;
  auto bytes = [](const Candidate &c) { // a second
    double sum = 0;
    for (const NodeSample &node : c.profile.nodes)
      sum += node.bytes;
    return sum / c.profile.length;
  };
  for (const Candidate &c : contest->candidates())
    if (c.profile.windows && c.cuts) {
      few = !few || c.cuts < few->cuts ? &c : few;
      many = !many || c.cuts > many->cuts ? &c : many;
      if (knowledge.mostBytes < 1e300) // known: it may carry more in other hands
        knowledge.mostBytes = std::max(knowledge.mostBytes, bytes(c));
    }
  if (knowledge.mostBytes < 1e300)
    return true;
  if (!few || bytes(*few) <= 0 || few->cuts > 0.8 * many->cuts)
    return false;
  double fewRate = std::exp(few->mean()), manyRate = std::exp(many->mean());
  double less = bytes(*many) / manyRate / (bytes(*few) / fewRate);
  if (manyRate > 0.5 * many->predicted || fewRate < (1 + 0.5 * (less - 1)) * manyRate)
    return false;
  knowledge.mostBytes = std::max(bytes(*few), bytes(*many));
  return true;
}

/// What the work of a row was more with queues than without, against what the model held it to be.
void ModelPolicy::learnHandOffs() {
  const Candidate *base = nullptr, *most = nullptr;
  for (const Candidate &c : contest->candidates()) {
    if (!c.profile.windows)
      continue;
    knowledge.learnBytes(c.profile);
    base = !base || c.cuts < base->cuts ? &c : base;
    most = !most || c.cuts > most->cuts ? &c : most;
  }
  if (learnMemory())
    return;
  // Only a difference that is none of chance teaches anything.
  if (!base || !most || most->cuts == base->cuts)
    return;
  std::vector<double> costsBefore = base->rowCosts; // it may have dropped out soon, but the profile was of it, too
  if (base->configuration == profiled)
    costsBefore.insert(costsBefore.end(), profileCosts.begin(), profileCosts.end());
  if (std::min(probabilityLower(costsBefore, most->rowCosts), probabilityLower(most->rowCosts, costsBefore)) > 0.1)
    return;
  double due = 0;
  for (uint32_t v = 0; v < graph.nodes.size(); ++v)
    due += (most->configuration.queued[v] - base->configuration.queued[v]) * costs.handOff[v] / costs.rate;
  double before = median(costsBefore), extra = median(most->rowCosts) - before;
  if (due <= 0 || std::abs(extra - due) < 0.05 * before)
    return;
  knowledge.handOffFactor = std::clamp(knowledge.handOffFactor * extra / due, 0.25, 1000.0);
}

} // namespace sluice::elastic
