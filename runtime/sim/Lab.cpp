//===- Lab.cpp - a simulated program that can be measured ------------------===//
#include "runtime/sim/Lab.h"
#include <algorithm>
#include <cmath>

namespace sluice::sim {

static Runtime runtimeOf(const Experiment &setup) {
  Runtime result;
  makeRuntime(setup.runtime, setup.machine, setup.app.payload, result);
  return result;
}

static uint32_t workersOf(const Experiment &setup) {
  return setup.threads ? setup.threads : setup.machine.cpus() + setup.app.sleepers();
}

Lab::Lab(Experiment s)
    : parameters(std::move(s)), shape(parameters.app.graph()), runtime(runtimeOf(parameters)),
      engine(runtime, parameters.machine, workersOf(parameters)),
      set(elastic::initialConfiguration(shape)), random(parameters.seed) {}

elastic::Machine Lab::policyMachine() const {
  elastic::Machine result;
  result.cpus = parameters.machine.cpus();
  result.maxThreads = workersOf(parameters);
  result.handOffNanos = runtime.enqueueBatchNanos + runtime.dequeueBatchNanos;
  result.rowNanos = runtime.enqueueRowNanos + runtime.dequeueRowNanos;
  result.byteNanos = runtime.missByteNanos;
  result.wakeNanos = parameters.machine.wakeNanos;
  return result;
}

void Lab::configure(const elastic::Configuration &configuration) {
  if (configuration == set)
    return;
  set = configuration;
  changed = true;
}

void Lab::changeLoad() {
  later = true;
  changed = true;
}

Plan Lab::planOf(const elastic::Configuration &configuration) const {
  return makePlan(parameters.app, runtime, parameters.machine, configuration, later);
}

void Lab::replan() {
  engine.configure(planOf(set), set.threads);
  changed = false;
}

/// Runs so many events that each region is seen often.
void Lab::stretch() {
  double regions = double(engine.plan().regions.size());
  if (!engine.run(uint64_t(parameters.effort * (4000 + 60 * regions))))
    isStuck = true;
}

/// Rows a nanosecond at each operator: the work that was done, against the work that a row of the
/// sources causes. Rows that wait in rings are on their way. This has less noise than a count at
/// either end, and is the same in the long run.
std::vector<double> Lab::rates(const Totals &totals) const {
  const Plan &plan = engine.plan();
  std::vector<double> result(shape.nodes.size());
  double done = 0, caused = 0;
  for (uint32_t i = 0; i < result.size(); ++i)
    if (shape.nodes[i].source) // a source that waited all the time counts as one batch
      result[i] = std::fmax(runtime.batchRows, totals.regions[plan.regionOf[i]].rows);
  for (uint32_t i = 0; i < result.size(); ++i)
    for (const Edge &edge : parameters.app.operators[i].to)
      result[edge.to] += result[i] * edge.rows;
  for (uint32_t i = 0; i < plan.regions.size(); ++i) {
    double nanos = plan.regions[i].rowNanos + plan.regions[i].sleepNanos;
    done += totals.regions[i].rows * nanos;
    caused += result[plan.regions[i].head] * nanos;
  }
  double factor = done / caused / totals.nanos;
  // One thread at a time is inside a region, however much waits for it.
  for (uint32_t i = 0; i < plan.regions.size(); ++i)
    if (const Flow &flow = totals.regions[i]; flow.busy > 0)
      factor =
          std::fmin(factor, flow.rows / (flow.busy + flow.asleep) / result[plan.regions[i].head]);
  for (double &rows : result)
    rows *= factor;
  return result;
}

/// Runs stretches until two agree.
void Lab::balance() {
  constexpr int kPatience = 8;
  double last = 0;
  for (int i = 0; i < kPatience && !isStuck; ++i) {
    engine.clear();
    stretch();
    double now = 0;
    for (double rate : rates(engine.totals()))
      now += rate;
    if (std::fabs(now - last) <= 0.01 * now)
      break;
    last = now;
  }
}

/// What happened at an operator in a nanosecond, in which `rows` arrived there.
elastic::NodeSample Lab::sampleOf(const Totals &totals, uint32_t number, const Member &member,
                                  double rows) const {
  const Region &region = engine.plan().regions[number];
  const Flow &flow = totals.regions[number];
  elastic::NodeSample node;
  node.rows = rows;
  if (flow.rows <= 0)
    return node;
  // IBM's runtime forwards tuple by tuple. What the engine runs at once is not a batch of it.
  double each = rows / (flow.rows * member.rows), queued = flow.queued / flow.batches;
  node.batches = runtime.copies ? rows : flow.batches * member.batches * each;
  double share = region.rowNanos > 0
                     ? (member.nanos + (parameters.sampled ? 0 : member.handing)) / region.rowNanos
                     : 0;
  node.busy = flow.busy * share * each * 1e-9;
  node.waited =
      region.sleepNanos > 0 ? flow.asleep * member.sleep / region.sleepNanos * each * 1e-9 : 0;
  if (member.node != region.head)
    return node;
  node.queued = node.batches * queued;
  node.bytes = rows * queued * parameters.app.payload;
  node.blocked = flow.blocked / totals.nanos * 1e-9;
  node.depth = flow.depth;
  return node;
}

/// Lets changes take effect.
void Lab::prepare() {
  if (!changed)
    return;
  replan();
  balance();
  stretches.clear();
}

void Lab::addStretch() {
  engine.clear();
  stretch();
  stretches.push_back(engine.totals());
}

/// Measures a stretch. If nothing has changed for many intervals, one of the stretches before
/// stands for the next.
void Lab::measureStretch() {
  prepare();
  bool enough = stretches.size() == kEnough;
  if (!enough)
    addStretch();
  shown = enough ? stretches[random.below(kEnough)] : stretches.back();
}

elastic::Sample Lab::measure(double warmUp, double interval) {
  clock += warmUp + interval;
  measureStretch();
  const Totals &totals = shown;
  elastic::Sample sample;
  sample.time = clock;
  sample.length = interval;
  sample.nodes.resize(shape.nodes.size());
  // Other programs, the kernel, the clock: less in a long interval.
  double noise =
      parameters.noise ? std::sqrt(0.005 * 0.005 + 1e-4 / interval) * random.normal() : 0;
  double scale = interval * 1e9 * (1 + noise);
  std::vector<double> rows = rates(totals);
  for (uint32_t i = 0; i < totals.regions.size(); ++i)
    for (const Member &member : engine.plan().regions[i].members) {
      elastic::NodeSample &node = sample.nodes[member.node] =
          sampleOf(totals, i, member, rows[member.node]);
      for (double *each : {&node.rows, &node.batches, &node.bytes, &node.queued, &node.busy,
                           &node.waited, &node.blocked})
        *each *= scale;
      if (parameters.noise) // Sluice's counts the cycles of some batches
        node.busy = parameters.sampled ? random.poisson(node.busy * 100) / 100
                                       : node.busy * (1 + 0.01 * random.normal());
    }
  double share = interval / totals.nanos;
  sample.idle = totals.idle * share;
  sample.parked = totals.parked * share;
  sample.busy = std::fmax(0, policyMachine().maxThreads * interval - sample.idle - sample.parked -
                                 totals.blocked * share);
  sample.cpu = totals.cpu * share;
  return sample;
}

double Lab::rate(const elastic::Configuration &configuration) {
  return rateOf(configuration, 0, 1);
}

double Lab::lastingRate(const elastic::Configuration &configuration) {
  return rateOf(configuration, 2 * kEnough, kEnough);
}

/// The mean of `count` stretches, after `passed` others.
double Lab::rateOf(const elastic::Configuration &configuration, size_t passed, size_t count) {
  elastic::Configuration before = set;
  configure(configuration);
  prepare();
  for (size_t i = 0; i < passed && !isStuck; ++i) {
    engine.clear();
    stretch();
  }
  double submitted = 0, nanos = 0;
  for (size_t i = 0; i < count && !isStuck; ++i) {
    engine.clear();
    stretch();
    std::vector<double> rows = rates(engine.totals());
    for (uint32_t node = 0; node < rows.size(); ++node)
      submitted += shape.nodes[node].source ? rows[node] * engine.totals().nanos : 0;
    nanos += engine.totals().nanos;
  }
  configure(before);
  return nanos > 0 ? 1e9 * submitted / nanos : 0;
}

} // namespace sluice::sim
