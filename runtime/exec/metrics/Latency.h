//===- Latency.h - quantiles of latency -------------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/metrics/CounterSample.h"

namespace sluice {

/// Tuples whose latency path was timed and has ended.
uint64_t timedTuples(const CounterSample &);
/// A quantile of latency: seconds within which the path of that share of the tuples ended, too high
/// by an eighth at most. -1: there are none.
double latencyWithin(const CounterSample &, double share);

} // namespace sluice
