//===- CounterSample.cpp - all counters at one moment ----------------------===//
#include "runtime/exec/metrics/CounterSample.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/source/Source.h"
#include <algorithm>

namespace sluice {

static void sum(InPortSample &to, const RunCounters &from, const RunTimes &times) {
  to.batches += from.batches.get();
  to.rows += from.rows.get();
  to.timed += times.timed.get();
  to.cycles += int64_t(times.cycles.get());
}

static void sum(const Program &p, CounterSample &sample, const CounterTable &from) {
  for (size_t i = 0; i < sample.in.size(); ++i) {
    InPortSample &to = sample.in[i];
    const InPortCounters &port = from.in[i];
    sum(to, port, port);
    to.queued += port.queued.get();
    // Calls at a port with a boundary are counted beside the port, so these ran from its ring.
    to.fromQueue += p.scheduler && p.domains.inPorts[i] ? port.batches.get() : port.fromQueue.get();
    to.bytes += port.bytes.get();
    to.blocked += port.blocked.get();
    to.waited += int64_t(port.waited.get());
    to.highest = std::max(to.highest, port.highest.get());
  }
}

static void addLatency(CounterSample &sample, const Thread &from) {
  if (!from.latency)
    return;
  sample.latency.resize(LatencyCounts::kSlots);
  for (uint32_t i = 0; i < LatencyCounts::kSlots; ++i)
    sample.latency[i] += from.latency->counts[i].get();
}

static WorkerSample workerSample(const queue::Counters &c, int64_t waited) {
  auto get = [](const std::atomic<uint64_t> &counter) {
    return counter.load(std::memory_order_relaxed);
  };
  return {get(c.busy), get(c.idle),    get(c.parked),  get(c.blocked),
          waited,      get(c.batches), get(c.entries), get(c.steals)};
}

/// Which part of the program this process runs, and what went to other processes and came from
/// them.
static void addPe(const Program &p, CounterSample &sample) {
  sample.pe = p.options.pe;
  sample.here = p.here;
  for (const LinkCounters &link : p.links)
    sample.links.push_back({link.op, link.peer, link.sends, link.frames.get(), link.tuples.get(),
                            link.bytes.get(), link.waited.get()});
}

/// What operators have counted, and the queues before them.
static std::vector<LeftOutSample> leftOutOf(const Program &p) {
  std::vector<LeftOutSample> samples = p.leftOut.sample();
  for (const auto &in : p.domains.inPorts)
    if (uint64_t dropped = in && in->drops ? in->drops->dropped() : 0)
      samples.push_back({p.desc.inPorts[in->id].op, LeftOut::Dropped, dropped});
  std::sort(samples.begin(), samples.end(), [](const auto &a, const auto &b) {
    return std::pair(a.op, a.what) < std::pair(b.op, b.what);
  });
  return samples;
}

CounterSample takeSample(const Program &p) {
  CounterSample sample;
  addPe(p, sample);
  sample.nanos = os::now();
  sample.cycles = os::cycles();
  sample.in.resize(p.desc.inPortCount);
  for (const PortState &port : p.ports)
    sample.out.push_back({port.counted.rows.get() + (port.plain ? port.only->plain.get() : 0),
                          port.counted.puncts.get()});
  for (auto &source : p.sources) {
    sum(p, sample, source->counters);
    addLatency(sample, *source);
    if (source->delays)
      continue; // it is no source; such come last
    const CounterTable &of = source->counters;
    sample.sources.push_back({source->op, int64_t(of.own.get()), int64_t(of.waited.get()),
                              int64_t(of.ownWaited.get()), of.blocked.get()});
  }
  for (uint32_t i = 0; i < p.workers.size(); ++i) {
    if (i >= p.scheduler->options.workers &&
        !p.scheduler->countersOf(i).entries.load(std::memory_order_relaxed))
      break; // a spare that was never needed, nor were those behind it
    sum(p, sample, p.workers[i]->counters);
    addLatency(sample, *p.workers[i]);
    sample.workers.push_back(
        workerSample(p.scheduler->countersOf(i), int64_t(p.workers[i]->counters.worked.get())));
  }
  sample.metrics = p.customMetrics.sample();
  sample.leftOut = leftOutOf(p);
  if (p.profiler) {
    sum(p, sample, p.profiler->seen);
    for (size_t i = 0; i < sample.sources.size(); ++i)
      sample.sources[i].cycles += int64_t(p.profiler->sources[i].get());
  }
  for (size_t i = 0; i < sample.in.size(); ++i)
    if (const InPort *in = p.domains.inPorts[i].get()) {
      sum(sample.in[i], in->calls, in->times);
      sample.in[i].rows += in->plain.get();
      sample.in[i].depth = depthOf(*in);
      if (in->drops)
        sample.in[i].dropped = in->drops->dropped();
    }
  return sample;
}

CounterSample sampleOfRun(const Program &p) {
  CounterSample sample = takeSample(p);
  sample.nanos -= p.began.nanos;
  sample.cycles -= p.began.cycles;
  return sample;
}

CounterSample operator-(CounterSample later, const CounterSample &earlier) {
  later.nanos -= earlier.nanos;
  later.cycles -= earlier.cycles;
  for (size_t i = 0; i < earlier.in.size(); ++i) {
    InPortSample &to = later.in[i];
    const InPortSample &from = earlier.in[i];
    to.batches -= from.batches;
    to.rows -= from.rows;
    to.timed -= from.timed;
    to.cycles -= from.cycles;
    to.queued -= from.queued;
    to.fromQueue -= from.fromQueue;
    to.bytes -= from.bytes;
    to.blocked -= from.blocked;
    to.waited -= from.waited;
    to.dropped -= from.dropped;
  }
  for (size_t i = 0; i < earlier.out.size(); ++i) {
    later.out[i].rows -= earlier.out[i].rows;
    later.out[i].puncts -= earlier.out[i].puncts;
  }
  for (size_t i = 0; i < earlier.sources.size(); ++i) {
    later.sources[i].cycles -= earlier.sources[i].cycles;
    later.sources[i].waited -= earlier.sources[i].waited;
    later.sources[i].ownWaited -= earlier.sources[i].ownWaited;
    later.sources[i].blocked -= earlier.sources[i].blocked;
  }
  for (size_t i = 0; i < earlier.workers.size(); ++i) {
    WorkerSample &to = later.workers[i];
    const WorkerSample &from = earlier.workers[i];
    to.busy -= from.busy;
    to.idle -= from.idle;
    to.parked -= from.parked;
    to.blocked -= from.blocked;
    to.waited -= from.waited;
    to.batches -= from.batches;
    to.entries -= from.entries;
    to.steals -= from.steals;
  }
  for (size_t i = 0; i < earlier.links.size(); ++i) {
    LinkSample &to = later.links[i];
    const LinkSample &from = earlier.links[i];
    to.frames -= from.frames;
    to.tuples -= from.tuples;
    to.bytes -= from.bytes;
    to.waited -= from.waited;
  }
  for (size_t i = 0; i < earlier.latency.size(); ++i)
    later.latency[i] -= earlier.latency[i];
  return later;
}

} // namespace sluice
