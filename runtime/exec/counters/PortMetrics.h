//===- PortMetrics.h - what an operator asks about its ports ----*- C++ -*-===//
//
// Inside a segment no port counts tuples (Counters.h), so the code of an operator that asks for
// such numbers counts them here.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <vector>

namespace sluice {

/// What has come to a port, or has left it. relaxed: several threads may be inside the operator,
/// and readers need no order between counters.
struct PortEvents {
  uint64_t tuples = 0, windows = 0, finals = 0;

  static void add(uint64_t &to) { __atomic_fetch_add(&to, 1, __ATOMIC_RELAXED); }
  static uint64_t get(const uint64_t &of) { return __atomic_load_n(&of, __ATOMIC_RELAXED); }
  void add(PunctuationKind kind) {
    if (kind != PunctuationKind::Watermark)
      add(isFinal(kind) ? finals : windows);
  }
};

/// Of all ports, by id. Empty until the program starts.
struct PortMetrics {
  std::vector<PortEvents> in, out;
};

} // namespace sluice
