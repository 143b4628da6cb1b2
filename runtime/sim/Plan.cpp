//===- Plan.cpp - which operators run as one -------------------------------===//
#include "runtime/sim/Plan.h"
#include <algorithm>

namespace sluice::sim {

namespace {

struct Planner {
  const Application &app;
  const Runtime &runtime;
  const elastic::Configuration &configuration;
  bool later;
  double copyByteNanos;
  double busBytes; // of a copied byte, through memory
  double flopNanos;
  Plan plan;
  std::vector<double> rows; // by operator, for each row of its region's head

  bool isHead(uint32_t node) const {
    const Region &region = plan.regions[plan.regionOf[node]];
    return region.head == node;
  }

  /// Finds the region of each operator: its own if it is a source, queued, or called from several
  /// regions.
  void divide() {
    uint32_t count = uint32_t(app.operators.size());
    constexpr uint32_t kNone = ~0u, kSeveral = ~0u - 1;
    std::vector<uint32_t> caller(count, kNone);
    plan.regionOf.resize(count);
    rows.assign(count, 0);
    for (uint32_t i = 0; i < count; ++i) {
      bool source = app.operators[i].source, queued = configuration.queued[i];
      uint32_t region = caller[i];
      if (source || queued || region >= kSeveral) {
        region = uint32_t(plan.regions.size());
        Region &made = plan.regions.emplace_back();
        made.head = i;
        made.source = source;
        made.queued = queued;
        rows[i] = 1;
      }
      plan.regionOf[i] = region;
      for (const Edge &edge : app.operators[i].to) {
        uint32_t &of = caller[edge.to];
        of = of == kNone || of == region ? region : kSeveral;
        if (of == region)
          rows[edge.to] += rows[i] * edge.rows;
      }
    }
  }

  void addMember(uint32_t node) {
    const Operator &op = app.operators[node];
    Region &region = plan.regions[plan.regionOf[node]];
    double batches = std::min(1.0, rows[node] * runtime.batchRows);
    double own = (later ? op.later : op.flops) * flopNanos +
                 (op.source ? runtime.sourceRowNanos : runtime.rowNanos);
    Member member{node, rows[node], batches, rows[node] * own, 0, rows[node] * op.sleep};
    region.batchNanos += batches * runtime.batchNanos;
    if (region.head == node && region.queued) {
      member.handing += runtime.dequeueRowNanos;
      region.batchNanos += runtime.dequeueBatchNanos;
    } else if (region.head == node && !region.source) {
      member.handing += runtime.sharedRowNanos;
      region.batchNanos += runtime.sharedBatchNanos;
    }
    for (const Edge &edge : op.to)
      if (isHead(edge.to))
        addOutput(region, member, rows[node] * edge.rows, plan.regionOf[edge.to]);
    region.rowNanos += member.nanos + member.handing;
    region.sleepNanos += member.sleep;
    region.members.push_back(member);
  }

  void addOutput(Region &region, Member &member, double count, uint32_t to) {
    if (plan.regions[to].queued) {
      member.handing += count * (runtime.enqueueRowNanos + runtime.copyBytes * copyByteNanos);
      region.batchNanos += std::min(1.0, count * runtime.batchRows) * runtime.enqueueBatchNanos;
      region.copyBytes += count * runtime.copyBytes * busBytes;
    }
    for (Output &output : region.outputs)
      if (output.region == to) {
        output.rows += count;
        return;
      }
    region.outputs.push_back({to, count});
  }

  /// Finds the rings that will be full, by what a row of the sources costs each region.
  void findBackedUp() {
    size_t count = plan.regions.size();
    std::vector<double> visits(count), before(count), after(count);
    for (size_t i = 0; i < count; ++i) {
      Region &region = plan.regions[i];
      visits[i] += region.source;
      after[i] = region.load =
          visits[i] * (region.rowNanos + region.sleepNanos + region.batchNanos / runtime.batchRows);
      for (const Output &output : region.outputs) {
        visits[output.region] += visits[i] * output.rows;
        before[output.region] = std::max({before[output.region], before[i], after[i]});
      }
    }
    for (size_t i = count; i-- > 0;) {
      for (const Output &output : plan.regions[i].outputs)
        after[i] = std::max(after[i], after[output.region]);
      plan.regions[i].backedUp = after[i] > before[i];
    }
  }
};

} // namespace

Plan makePlan(const Application &app, const Runtime &runtime, const Machine &machine,
              const elastic::Configuration &configuration, bool later) {
  // Slots are filled one after the other, so all memory of a ring is used.
  double queued = double(std::count_if(configuration.queued.begin(), configuration.queued.end(),
                                       [](char q) { return q; }));
  double bytes = queued * runtime.ringRows * runtime.copyBytes;
  double missed = bytes > machine.cacheBytes ? 1 - machine.cacheBytes / bytes : 0;
  double byteNanos =
      runtime.copyByteNanos + missed * (runtime.missByteNanos - runtime.copyByteNanos);
  // A byte out of the cache is read and written, and its line is fetched before.
  Planner planner{app, runtime, configuration, later, byteNanos, 3 * missed, machine.flopNanos,
                  {},  {}};
  planner.divide();
  for (uint32_t i = 0; i < app.operators.size(); ++i)
    planner.addMember(i);
  planner.findBackedUp();
  return std::move(planner.plan);
}

} // namespace sluice::sim
