//===- LeftOut.h - counters of what is left out -----------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include "sluice/leftout.h"
#include <atomic>
#include <string>
#include <vector>

namespace sluice {

/// A counter of an operator that is not 0.
struct LeftOutSample {
  uint32_t op; // id of the operator
  LeftOut what;
  uint64_t count;
};

/// What LeftOut.def says of a counter.
struct LeftOutInfo {
  const char *name, *unit, *text, *advice;
  uint64_t said;
};

const LeftOutInfo &infoOf(LeftOut);

/// What has happened, as the end of a sentence: "3 tuples were ...".
std::string leftOutText(LeftOut, uint64_t count);

/// The counters of all operators. Touched seldom. By any thread, at any time.
class LeftOuts {
public:
  explicit LeftOuts(uint32_t operators) : counts(size_t(operators) * kLeftOuts) {}
  /// Returns how many there were before.
  uint64_t add(uint32_t op, LeftOut what, uint64_t more) {
    return counts[size_t(op) * kLeftOuts + uint32_t(what)].fetch_add(more,
                                                                     std::memory_order_relaxed);
  }
  /// Those that are not 0, in the order of the operators.
  std::vector<LeftOutSample> sample() const;

private:
  std::vector<std::atomic<uint64_t>> counts; // relaxed: no order between counters
};

} // namespace sluice
