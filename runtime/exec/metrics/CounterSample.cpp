//===- CounterSample.cpp - all counters at one moment ----------------------===//
#include "runtime/exec/metrics/CounterSample.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

/// How the numbers of threads become one.
enum class Merge { Sum, Most };

static uint64_t read(const Counter &counter) { return counter.get(); }
/// relaxed: as Counter.
static uint64_t read(const std::atomic<uint64_t> &counter) {
  return counter.load(std::memory_order_relaxed);
}

template <typename T> static void merge(Merge how, T &to, T from) {
  to = how == Merge::Sum ? to + from : std::max(to, from);
}
/// What was under way at the earlier sample may have been taken for a little more than it became.
template <typename T> static void subtract(Merge how, T &later, T earlier) {
  if (how == Merge::Sum)
    later = std::is_signed_v<T> || later > earlier ? later - earlier : 0;
}

static void add(InPortSample &to, const RunCounters &run, const RunTimes &times,
                const InPortCounters &thread) {
  constexpr Counter nowhere = {};
#define SLUICE_IN_PORT(from, field, how, unit, ...)                                                \
  merge(Merge::how, to.field, Counted<Unit::unit>(read(from)));
#include "runtime/exec/counters/Counters.def"
}

/// A wait for space that goes on. Its nanoseconds, which are counted where it ends.
static uint64_t addBlockedNow(CounterSample &sample, const CounterTable &from) {
  uint64_t place, nanos = from.blockedNow.nanos(sample.nanos, place);
  if (place >= CounterTable::AtPort)
    sample.in[place - CounterTable::AtPort].blocked += nanos;
  return nanos;
}

static void add(const Program &p, CounterSample &sample, const CounterTable &from) {
  for (size_t i = 0; i < sample.in.size(); ++i) {
    const InPortCounters &port = from.in[i];
    add(sample.in[i], port, port, port);
    // Calls at a port with a boundary are counted beside the port, so these ran from its ring.
    sample.in[i].fromQueue +=
        (p.queues.scheduler && p.queues.domains.inPorts[i] ? port.batches : port.fromQueue).get();
  }
}

/// What was counted beside a port with a boundary.
static void add(InPortSample &to, const InPort &in) {
  static const InPortCounters none = {};
  add(to, in.calls, in.times, none);
  to.rows += in.plain.get();
  to.depth = depthOf(in);
  if (in.drops)
    to.dropped = in.drops->dropped();
}

static void addLatency(CounterSample &sample, const Thread &from) {
  if (!from.counted.latency)
    return;
  sample.latency.resize(LatencyCounts::kSlots);
  for (uint32_t i = 0; i < LatencyCounts::kSlots; ++i)
    sample.latency[i] += from.counted.latency->counts[i].get();
}

/// What calls inside segments have counted.
static void addMade(CounterSample &sample, const Thread &from) {
  for (size_t i = 0; i < sample.out.size(); ++i)
    sample.out[i].rows += from.counted.made[i].get();
}

static SourceSample sampleOf(uint32_t op, const CounterTable &own) {
  SourceSample sample = {.op = op};
#define SLUICE_SOURCE(from, field, unit, ...) sample.field = Counted<Unit::unit>(read(from));
#include "runtime/exec/counters/Counters.def"
  return sample;
}

static WorkerSample sampleOf(const queue::Counters &queue, const CounterTable &own) {
  WorkerSample sample;
#define SLUICE_WORKER(from, field, unit, ...) sample.field = Counted<Unit::unit>(read(from));
#include "runtime/exec/counters/Counters.def"
  return sample;
}

static LinkSample sampleOf(const LinkCounters &link) {
  LinkSample sample = {.op = link.op, .peer = link.peer, .sends = link.sends};
#define SLUICE_LINK(field, unit, ...) sample.field = Counted<Unit::unit>(read(link.field));
#include "runtime/exec/counters/Counters.def"
  return sample;
}

static OutPortSample sampleOf(const PortState &port) {
  OutPortSample sample;
#define SLUICE_OUT_PORT(field, unit, ...)                                                          \
  sample.field = Counted<Unit::unit>(read(port.counted.field));
#include "runtime/exec/counters/Counters.def"
  sample.rows += port.plain ? port.only->plain.get() : 0;
  return sample;
}

/// Which part of the program this process runs, and what went to other processes and came from
/// them.
static void addPe(const Program &p, CounterSample &sample) {
  sample.pe = p.options.pe;
  sample.here = p.table.here;
  for (const LinkCounters &link : p.links.counters)
    sample.links.push_back(sampleOf(link));
}

/// What operators have counted, and the queues before them.
static std::vector<LeftOutSample> leftOutOf(const Program &p) {
  std::vector<LeftOutSample> samples = p.show.leftOut.sample();
  for (const auto &in : p.queues.domains.inPorts)
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
  for (const PortState &port : p.out.ports)
    sample.out.push_back(sampleOf(port));
  for (auto &source : p.threads.sources) {
    add(p, sample, source->counters);
    addLatency(sample, *source);
    addMade(sample, *source);
    if (source->delays)
      continue; // it is no source; such come last
    sample.sources.push_back(sampleOf(source->op, source->counters));
    sample.sources.back().blocked += addBlockedNow(sample, source->counters);
  }
  for (uint32_t i = 0; i < p.threads.workers.size(); ++i) {
    if (i >= p.queues.scheduler->options.workers &&
        !p.queues.scheduler->countersOf(i).entries.load(std::memory_order_relaxed))
      break; // a spare that was never needed, nor were those behind it
    add(p, sample, p.threads.workers[i]->counters);
    addLatency(sample, *p.threads.workers[i]);
    addMade(sample, *p.threads.workers[i]);
    sample.workers.push_back(
        sampleOf(p.queues.scheduler->countersOf(i), p.threads.workers[i]->counters));
    sample.workers.back().blocked += addBlockedNow(sample, p.threads.workers[i]->counters);
  }
  sample.metrics = p.show.customMetrics.sample();
  sample.leftOut = leftOutOf(p);
  if (p.threads.profiler) {
    add(p, sample, p.threads.profiler->seen);
    for (size_t i = 0; i < sample.sources.size(); ++i)
      sample.sources[i].cycles += int64_t(p.threads.profiler->sources[i].get());
  }
  for (size_t i = 0; i < sample.in.size(); ++i)
    if (const InPort *in = p.queues.domains.inPorts[i].get())
      add(sample.in[i], *in);
  return sample;
}

/// Tuples of a batch that one channel ran for all are of the channels to which they were dealt.
static void addDealt(const Program &p, const WholeBatches &whole, CounterSample &sample) {
  auto add = [](uint64_t &rows, int64_t more) {
    rows = uint64_t(std::max<int64_t>(int64_t(rows) + more, 0)); // a batch may begin or end now
  };
  for (uint32_t at = 0; at < whole.segments(); ++at) {
    std::vector<int64_t> missing = whole.counts[at].missing();
    for (size_t channel = 0; channel < missing.size(); ++channel) {
      uint32_t in = whole.inPorts[channel * whole.segments() + at];
      add(sample.in[in].rows, missing[channel]);
      add(sample.out[p.desc.inPorts[in].inPlaceOutput - 1].rows, missing[channel]);
    }
  }
}

CounterSample sampleOfRun(const Program &p) {
  CounterSample sample = takeSample(p);
  for (const auto &partitioners : p.table.instances.partitioners)
    for (const Partitioner &partitioner : partitioners)
      if (partitioner.whole)
        addDealt(p, *partitioner.whole, sample);
  sample.nanos -= p.show.began.nanos;
  sample.cycles -= p.show.began.cycles;
  return sample;
}

static void subtract(InPortSample &later, const InPortSample &earlier) {
#define SLUICE_IN_PORT(from, field, how, ...) subtract(Merge::how, later.field, earlier.field);
#include "runtime/exec/counters/Counters.def"
}
static void subtract(OutPortSample &later, const OutPortSample &earlier) {
#define SLUICE_OUT_PORT(field, ...) subtract(Merge::Sum, later.field, earlier.field);
#include "runtime/exec/counters/Counters.def"
}
static void subtract(SourceSample &later, const SourceSample &earlier) {
#define SLUICE_SOURCE(from, field, ...) subtract(Merge::Sum, later.field, earlier.field);
#include "runtime/exec/counters/Counters.def"
}
static void subtract(WorkerSample &later, const WorkerSample &earlier) {
#define SLUICE_WORKER(from, field, ...) subtract(Merge::Sum, later.field, earlier.field);
#include "runtime/exec/counters/Counters.def"
}
static void subtract(LinkSample &later, const LinkSample &earlier) {
#define SLUICE_LINK(field, ...) later.field -= earlier.field;
#include "runtime/exec/counters/Counters.def"
}
static void subtract(uint64_t &later, uint64_t earlier) { later -= earlier; }

template <typename T>
static void subtractAll(std::vector<T> &later, const std::vector<T> &earlier) {
  for (size_t i = 0; i < earlier.size(); ++i)
    subtract(later[i], earlier[i]);
}

CounterSample operator-(CounterSample later, const CounterSample &earlier) {
  later.nanos -= earlier.nanos;
  later.cycles -= earlier.cycles;
  subtractAll(later.in, earlier.in);
  subtractAll(later.out, earlier.out);
  subtractAll(later.sources, earlier.sources);
  subtractAll(later.workers, earlier.workers);
  subtractAll(later.links, earlier.links);
  subtractAll(later.latency, earlier.latency);
  return later;
}

} // namespace sluice
