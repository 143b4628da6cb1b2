//===- Stats.h - what operators did, from the counters --------------*- C++ -*-===//
//
// Only ports at the ends of segments have counters. For operators in between, numbers of tuples are
// derived where one follows from another for certain, and time is shared out by the compiler's
// estimate of what a tuple costs.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/metrics/CounterSample.h"
#include "sluice/abi.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

using Tuples = std::optional<uint64_t>; // no value: unknown

struct OperatorFigures {
  Tuples in, out; // over all ports
  double cycles = 0;
  bool estimated = false; // the cycles were shared out, or not all batches were timed
  bool hasQueue = false;  // one of its input ports has a boundary
  uint64_t highest = 0;   // the most batches that one of its queues held
  uint32_t head = 0;      // the operator that heads its segment, the first of several; or itself
  /// Of a tuple that it consumed; of a source, of a tuple that it submitted.
  std::optional<double> cyclesPerTuple;
};

/// What an input or output port saw. `fused`: it is inside a segment.
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

/// A kind of boundary as --metrics-json has it.
const char *nameOf(BoundaryKind);

/// Derives the figures of all operators. `whole`: the program has ended without a failure, so that
/// all tuples that entered a segment have left it.
Figures figuresOf(const ProgramDesc &, const CounterSample &, bool whole);

/// The text of --stats. `live`: while the program runs, on a terminal that may have few lines.
std::string statsTable(const ProgramDesc &, const CounterSample &, const Figures &,
                       bool live = false);
/// The text of --metrics-json: an object (docs/metrics.md).
std::string metricsJson(const ProgramDesc &, const CounterSample &, const Figures &, int exitCode);

} // namespace sluice
