//===- Measure.cpp - two snapshots become what a policy is told -----------===//
#include "runtime/adapt/Measure.h"
#include "runtime/exec/metrics/Latency.h"
#include <algorithm>

namespace sluice::adapt {

Snapshot takeSnapshot(const Program &p) { return {takeSample(p), os::cpuTime()}; }

namespace {
/// Makes the sample that a policy sees.
struct Measurement {
  const Nodes &nodes;
  const ProgramDesc &desc;
  const CounterSample &counted; // in the interval: a difference of two samples
  elastic::Sample result = {};

  double ofCycles(int64_t cycles) const { return secondsOf(counted, cycles); }
  void sources();
  void ports();
  void shareCalled();
  void workers(uint32_t threads);
};
} // namespace

void Measurement::sources() {
  for (uint32_t i = 0; i < nodes.ports.size(); ++i) {
    if (nodes.ports[i])
      continue;
    elastic::NodeSample &to = result.nodes[i];
    const OperatorDesc &op = desc.operators[nodes.operators[i].front()];
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      to.rows += double(counted.out[out].rows);
    for (const SourceSample &source : counted.sources)
      if (source.op == nodes.operators[i].front()) {
        to.busy = ofCycles(source.cycles);
        to.waited = ofCycles(source.ownWaited);
        to.blocked = double(source.blocked) * 1e-9;
      }
  }
}

void Measurement::ports() {
  for (uint32_t i = 0; i < nodes.ports.size(); ++i) {
    if (!nodes.ports[i])
      continue;
    const InPortSample &port = counted.in[nodes.ports[i]->id];
    elastic::NodeSample &to = result.nodes[i];
    to.rows = double(port.rows);
    to.batches = double(port.batches);
    to.bytes = double(port.bytes);
    to.queued = double(port.fromQueue);
    to.busy = ofCycles(port.cycles);
    to.waited = ofCycles(port.waited);
    to.blocked = double(port.blocked) * 1e-9;
    to.depth = double(port.depth);
  }
}

/// Adds the time of called ports to the nodes that lead to them. It is not counted how many rows
/// came from which node, so the time is shared in proportion to the rows of the nodes themselves.
void Measurement::shareCalled() {
  for (const Nodes::Called &called : nodes.called) {
    const InPortSample &port = counted.in[called.inPort];
    double busy = ofCycles(port.cycles), waited = ofCycles(port.waited), rows = 0;
    for (uint32_t node : called.by)
      rows += result.nodes[node].rows;
    for (uint32_t node : called.by) {
      elastic::NodeSample &to = result.nodes[node];
      double share = rows > 0 ? to.rows / rows : 1 / double(called.by.size());
      to.busy += busy * share;
      to.waited += waited * share;
    }
  }
}

/// Workers count how long they were busy after each turn, but how long they slept only when they
/// wake. So that is computed: in an interval without changes the workers above the level were
/// parked, and the others were idle when they were not busy.
void Measurement::workers(uint32_t threads) {
  double seconds = double(counted.nanos) * 1e-9, blocked = 0, waited = 0;
  for (const WorkerSample &worker : counted.workers) {
    result.busy += double(worker.busy) * 1e-9;
    blocked += double(worker.blocked) * 1e-9;
    waited += ofCycles(worker.waited);
  }
  double count = double(counted.workers.size()), running = std::min(double(threads), count);
  // Who sleeps in the middle of a batch leaves its place within the level to a spare worker.
  double ran = std::clamp(result.busy - blocked - waited, 0.0, running * seconds);
  result.busy = ran + waited;
  result.idle = running * seconds - ran;
  result.parked = (count - running) * seconds;
}

elastic::Sample measure(const Nodes &nodes, const ProgramDesc &desc,
                        const elastic::Configuration &set, int64_t began, const Snapshot &earlier,
                        Snapshot later) {
  double time = double(later.counters.nanos - began) * 1e-9;
  CounterSample counted = std::move(later.counters) - earlier.counters;
  Measurement m{nodes, desc, counted};
  m.result.nodes.resize(nodes.ports.size());
  m.result.time = time;
  m.result.length = double(counted.nanos) * 1e-9;
  m.sources();
  m.ports();
  m.shareCalled();
  m.workers(set.threads);
  m.result.latency = latencyWithin(counted, 0.99);
  m.result.cpu = later.cpu.own - earlier.cpu.own;
  if (later.cpu.all >= 0 && earlier.cpu.all >= 0)
    m.result.others = std::max(0.0, later.cpu.all - earlier.cpu.all - m.result.cpu);
  return std::move(m.result);
}

} // namespace sluice::adapt
