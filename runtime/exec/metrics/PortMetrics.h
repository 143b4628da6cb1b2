//===- PortMetrics.h - what an operator asks about its ports ----*- C++ -*-===//
//
// Inside a segment no port counts tuples (Counters.h), so the code of an operator that asks for
// such numbers counts them here.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/metrics/Counters.h"
#include "sluice/abi.h"
#include <vector>

namespace sluice {

struct Program;

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

/// The queue of an input port. All but the capacity is 0 where it has none in this run.
struct QueueFigures {
  uint64_t dropped = 0;  // tuples
  uint64_t waits = 0;    // how often a thread waited for space in it
  uint64_t now = 0;      // tuples that may be in it: its batches may have fewer than they can have
  uint64_t most = 0;     // the same, the most so far
  uint64_t capacity = 0; // tuples, of config threadedPort
};
QueueFigures queueFiguresOf(const Program &, uint32_t inPort);

/// The share of an operator in the time of all, in percent. Takes a sample of all counters.
double relativeCostOf(const Program &, uint32_t op);

} // namespace sluice
