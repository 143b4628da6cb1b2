//===- CounterSample.h - all counters at one moment -----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/metrics/CustomMetrics.h"
#include "runtime/exec/metrics/LeftOut.h"
#include "sluice/abi.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// An input port: what all threads have counted there.
struct InPortSample {
  uint64_t batches = 0, rows = 0; // that have run
  uint64_t timed = 0;             // batches whose time was taken
  int64_t cycles = 0;             // of all batches; those that were not timed are estimated
  int64_t waited = 0;             // cycles that threads slept in its segment as part of the work
  uint64_t queued = 0;            // batches that were put into the ring
  uint64_t fromQueue = 0;         // batches that ran from the ring
  uint64_t bytes = 0;             // of the batches that were put into the ring
  uint64_t blocked = 0;           // ns that threads waited for space in the ring
  uint64_t dropped = 0;           // tuples that config threadedPort dropped
  uint64_t highest = 0;           // the most batches that the ring held since the beginning
  uint64_t depth = 0;             // batches in the ring at that moment

  /// Batches that were called by the thread that forwarded them.
  uint64_t direct() const { return batches - fromQueue; }
};

struct OutPortSample {
  uint64_t rows = 0, puncts = 0; // that were forwarded
};

struct SourceSample {
  uint32_t op = 0;       // id of its operator
  int64_t cycles = 0;    // of its own code
  int64_t waited = 0;    // cycles that it waited for time, for files, or for others
  int64_t ownWaited = 0; // cycles among them that were part of the work of its own code
  uint64_t blocked = 0;  // ns among `waited` that it waited for space in a ring
};

/// Times are in ns, but for `waited`.
struct WorkerSample {
  uint64_t busy = 0;                             // running entries, waits for space included
  uint64_t idle = 0;                             // looking for work, or asleep for want of it
  uint64_t parked = 0;                           // above the level
  uint64_t blocked = 0;                          // of `busy`: waiting for space in a ring
  int64_t waited = 0;                            // of `busy`: cycles that were waits of the work
  uint64_t batches = 0, entries = 0, steals = 0; // that it ran, took, and took from other workers
};

/// One end of a link to another PE.
struct LinkSample {
  uint32_t op = 0, peer = 0; // id of its operator; the other PE
  bool sends = false;        // else it receives
  uint64_t frames = 0, tuples = 0, bytes = 0;
  uint64_t waited = 0; // ns that a sender waited for credits
};

/// Ports are by id, sources in the order of their operators. The difference of two samples says
/// what has happened in between.
struct CounterSample {
  int32_t pe = -1;        // of this process; -1: it runs the whole program
  std::vector<bool> here; // by operator: whether this process runs it; empty: all
  int64_t nanos = 0;      // os::now()
  uint64_t cycles = 0;    // the cycle counter at that moment
  std::vector<InPortSample> in;
  std::vector<OutPortSample> out;
  std::vector<SourceSample> sources;
  std::vector<WorkerSample> workers;
  std::vector<LinkSample> links;
  std::vector<MetricSample> metrics;  // that operators made; not as a difference
  std::vector<LeftOutSample> leftOut; // by operator; not as a difference
  std::vector<uint64_t> latency;      // tuples by LatencyCounts::slotOf(); empty: not timed
};

/// Cycles of a difference of two samples in seconds. Estimates may be a little below 0.
inline double secondsOf(const CounterSample &sample, int64_t cycles) {
  double perSecond = sample.nanos > 0 ? double(sample.cycles) / (double(sample.nanos) * 1e-9) : 0;
  return perSecond > 0 && cycles > 0 ? double(cycles) / perSecond : 0;
}
/// Whether the operator ran in the process that was sampled.
inline bool isHere(const CounterSample &sample, uint32_t op) {
  return sample.here.empty() || sample.here[op];
}
/// Reads all counters. Any thread, at any time from runSources() on.
CounterSample takeSample(const Program &);
/// The same, with times since the program began to run.
CounterSample sampleOfRun(const Program &);
/// What has happened between two samples; `highest` and `depth` are those of the later one.
CounterSample operator-(CounterSample later, const CounterSample &earlier);

} // namespace sluice
