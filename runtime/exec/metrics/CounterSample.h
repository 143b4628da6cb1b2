//===- CounterSample.h - all counters at one moment ------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <cstdint>
#include <vector>

namespace sluice {

struct InPortSample {
  uint64_t batches = 0, rows = 0, timed = 0;
  int64_t cycles = 0;
  uint64_t queued = 0, fromQueue = 0, bytes = 0, blocked = 0;
  uint64_t dropped = 0;            // tuples that config threadedPort dropped
  uint64_t highest = 0, depth = 0; // of the ring: since the beginning, and now
  /// Batches that were run by who handed them on.
  uint64_t direct() const { return batches - fromQueue; }
};
struct OutPortSample {
  uint64_t rows = 0, puncts = 0;
};
struct SourceSample {
  uint32_t op = 0;
  int64_t cycles = 0, waited = 0; // waited: for time, for files, for others
  uint64_t blocked = 0;           // ns among them that a ring was full
};
/// In nanoseconds; blocked is part of busy.
struct WorkerSample {
  uint64_t busy = 0, idle = 0, parked = 0, blocked = 0;
  uint64_t batches = 0, entries = 0, steals = 0;
};

/// Ports by id, sources in the order of their operators.
struct CounterSample {
  int64_t nanos = 0;
  uint64_t cycles = 0; // the same moment on the cycle counter
  std::vector<InPortSample> in;
  std::vector<OutPortSample> out;
  std::vector<SourceSample> sources;
  std::vector<WorkerSample> workers;
  std::vector<uint64_t> latency; // tuples by LatencyCounts::slotOf; empty: not timed
};

/// Any thread, any time from runSources() on.
CounterSample takeSample(const Program &);
/// What happened between the two; high-water marks and depths are the later ones.
CounterSample operator-(CounterSample later, const CounterSample &earlier);

} // namespace sluice
