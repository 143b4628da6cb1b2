//===- Profiler.h - looks 100 times a second where threads are --*- C++ -*-===//
//
// The profiler of 'Automating Multi-level Performance Elastic Components for IBM
// Streams': each thread publishes what it is in, one more thread counts. What it sees
// is in the unit of the other one, so that who reads counters need not know which.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/metrics/Counters.h"

namespace sluice {

class Profiler {
public:
  /// Once all threads of the program are known.
  explicit Profiler(const Program &);
  void run(const os::Event &end);
  /// Charges what each thread is in now with `cycles`.
  void look(uint64_t cycles);

  // Written by its thread alone.
  CounterTable seen;
  std::vector<Counter> sources; // by source

private:
  const Program &p;
};

} // namespace sluice
