//===- Measure.cpp - two snapshots become what a policy is told -----------===//
#include "runtime/adapt/Measure.h"
#include "runtime/exec/metrics/Latency.h"
#include <algorithm>

namespace sluice::adapt {

Snapshot takeSnapshot(const Program &p) { return {takeSample(p), os::cpuTime()}; }

namespace {
struct Measurement {
  const Nodes &nodes;
  const ProgramDesc &desc;
  const CounterSample &window; // a difference
  elastic::Sample result = {};

  double ofCycles(int64_t cycles) const { // estimates may be a little below 0
    double perSecond = double(window.cycles) / (double(window.nanos) * 1e-9);
    return double(std::max<int64_t>(cycles, 0)) / perSecond;
  }
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
    const OperatorDesc &op = desc.operators[nodes.operators[i]];
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      to.rows += double(window.out[out].rows);
    for (const SourceSample &source : window.sources)
      if (source.op == nodes.operators[i]) {
        to.busy = ofCycles(source.cycles);
        to.blocked = double(source.blocked) * 1e-9;
      }
  }
}

void Measurement::ports() {
  for (uint32_t i = 0; i < nodes.ports.size(); ++i) {
    if (!nodes.ports[i])
      continue;
    const InPortSample &port = window.in[nodes.ports[i]->id];
    elastic::NodeSample &to = result.nodes[i];
    to.rows = double(port.rows);
    to.batches = double(port.batches);
    to.bytes = double(port.bytes);
    to.queued = double(port.fromQueue);
    to.busy = ofCycles(port.cycles);
    to.blocked = double(port.blocked) * 1e-9;
    to.depth = double(port.depth);
  }
}

/// How many rows of which node came to a port that several lead to is not counted: as
/// many as they took themselves is the best guess.
void Measurement::shareCalled() {
  for (const Nodes::Called &called : nodes.called) {
    double busy = ofCycles(window.in[called.inPort].cycles), rows = 0;
    for (uint32_t node : called.by)
      rows += result.nodes[node].rows;
    for (uint32_t node : called.by)
      result.nodes[node].busy +=
          busy * (rows > 0 ? result.nodes[node].rows / rows : 1 / double(called.by.size()));
  }
}

/// Workers say how long they were busy after each turn, but how long they slept only when
/// they wake. In a window without changes those above the level were parked, and the
/// others idle when they were not busy.
void Measurement::workers(uint32_t threads) {
  double seconds = double(window.nanos) * 1e-9, blocked = 0;
  for (const WorkerSample &worker : window.workers) {
    result.busy += double(worker.busy) * 1e-9;
    blocked += double(worker.blocked) * 1e-9;
  }
  double count = double(window.workers.size()), running = std::min(double(threads), count);
  result.busy = std::clamp(result.busy - blocked, 0.0, running * seconds);
  result.idle = running * seconds - result.busy;
  result.parked = (count - running) * seconds;
}

elastic::Sample measure(const Nodes &nodes, const ProgramDesc &desc,
                        const elastic::Configuration &set, int64_t began, const Snapshot &earlier,
                        Snapshot later) {
  double time = double(later.counters.nanos - began) * 1e-9;
  CounterSample window = std::move(later.counters) - earlier.counters;
  Measurement m{nodes, desc, window};
  m.result.nodes.resize(nodes.ports.size());
  m.result.time = time;
  m.result.length = double(window.nanos) * 1e-9;
  m.sources();
  m.ports();
  m.shareCalled();
  m.workers(set.threads);
  m.result.latency = latencyWithin(window, 0.99);
  m.result.cpu = later.cpu.own - earlier.cpu.own;
  if (later.cpu.all >= 0 && earlier.cpu.all >= 0)
    m.result.others = std::max(0.0, later.cpu.all - earlier.cpu.all - m.result.cpu);
  return std::move(m.result);
}

} // namespace sluice::adapt
