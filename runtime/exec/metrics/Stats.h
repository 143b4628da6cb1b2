//===- Stats.h - what operators did, from the counters ----------*- C++ -*-===//
//
// Only ports at the ends of segments have counters. What they say of the operators
// in between: tuples where one follows from the other for certain; time by
// the compiler's estimate of what a tuple costs.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/metrics/CounterSample.h"
#include "sluice/abi.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

using Tuples = std::optional<uint64_t>; // nothing: unknown

struct OperatorFigures {
  Tuples in, out; // over all ports
  double cycles = 0;
  bool estimated = false; // the cycles: shared out, or not all batches were timed
  bool hasQueue = false;  // one of its input ports does
  uint64_t highest = 0;   // of its queues
  uint32_t head = 0;      // the operator that heads its segment, the last one if several
  /// Of a tuple that it took; of a source, of one that it gave.
  std::optional<double> cyclesPerTuple;
};

/// What an input or output port saw. It heads or ends a segment unless `fused`.
struct PortFigures {
  Tuples tuples;
  bool fused = true;
};

struct Figures {
  std::vector<OperatorFigures> operators;
  std::vector<PortFigures> in, out; // by port id
  double cycles = 0;                // of all operators
  Tuples fromSources;
};

/// `whole`: the program came to its end without failing, so that tuples that entered a
/// segment went all the way.
Figures figuresOf(const ProgramDesc &, const CounterSample &, bool whole);

/// The table of --stats.
std::string statsTable(const ProgramDesc &, const CounterSample &, const Figures &);
/// The object of --metrics-json (docs/metrics.md).
std::string metricsJson(const ProgramDesc &, const CounterSample &, const Figures &, int exitCode);

} // namespace sluice
