//===- CounterSample.h - all counters at one moment -----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/counters/CustomMetrics.h"
#include "runtime/exec/counters/LeftOut.h"
#include "sluice/abi.h"
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sluice {

/// What the number of a counter is, and how --metrics-json shows it.
enum class Unit {
  Count,
  Nanos,  // in seconds
  Cycles, // as they are
  Waits   // cycles, in seconds
};
/// Estimates of cycles, and so their differences, may be a little below 0.
template <Unit unit>
using Counted = std::conditional_t<unit == Unit::Cycles || unit == Unit::Waits, int64_t, uint64_t>;

/// An input port: what all threads have counted there.
struct InPortSample {
#define SLUICE_IN_PORT(from, field, merge, unit, ...) Counted<Unit::unit> field = 0;
#include "runtime/exec/counters/Counters.def"

  /// Batches that were called by the thread that forwarded them.
  uint64_t direct() const { return batches - fromQueue; }
};

struct OutPortSample {
#define SLUICE_OUT_PORT(field, unit, ...) Counted<Unit::unit> field = 0;
#include "runtime/exec/counters/Counters.def"
};

struct SourceSample {
  uint32_t op = 0; // id of its operator
#define SLUICE_SOURCE(from, field, unit, ...) Counted<Unit::unit> field = 0;
#include "runtime/exec/counters/Counters.def"
};

struct WorkerSample {
#define SLUICE_WORKER(from, field, unit, ...) Counted<Unit::unit> field = 0;
#include "runtime/exec/counters/Counters.def"
};

/// One end of a link to another PE.
struct LinkSample {
  uint32_t op = 0, peer = 0; // id of its operator; the other PE
  bool sends = false;        // else it receives
#define SLUICE_LINK(field, unit, ...) Counted<Unit::unit> field = 0;
#include "runtime/exec/counters/Counters.def"
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
/// The same for people: with times since the program began to run, and tuples by the channels to
/// which they were dealt, whichever has run them.
CounterSample sampleOfRun(const Program &);
/// What has happened between two samples; counters of which the most is kept are those of the later
/// one.
CounterSample operator-(CounterSample later, const CounterSample &earlier);

} // namespace sluice
