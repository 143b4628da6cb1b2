//===- OpenMetrics.h - the counters for Prometheus --------------*- C++ -*-===//
#pragma once
#include "runtime/exec/watch/Look.h"
#include <array>

namespace sluice::watch {

/// What the policy has done.
struct PolicyCounts {
  std::array<uint64_t, size_t(elastic::Kind::Settled) + 1> decisions = {}; // by kind
  bool isSettled = false;
};

/// The text of all families of metrics, without the `# EOF` behind the last (docs/metrics.md).
std::string openMetrics(const ProgramDesc &, const Look &, const PolicyCounts &);

} // namespace sluice::watch
