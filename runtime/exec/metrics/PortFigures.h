//===- PortFigures.h - figures of ports for operators that ask ---*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

struct Program;

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
