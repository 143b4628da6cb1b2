//===- Profiler.h - looks 100 times a second where threads are --*- C++ -*-===//
//
// The profiler of 'Automating Multi-level Performance Elastic Components for IBM Streams': each
// thread publishes where it is, and one more thread counts. The result is in cycles, as that of
// Meter, so readers of counters need not know which of the two was used.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/counters/Counters.h"
#include <vector>

namespace sluice {

struct Program;

class Profiler {
public:
  /// After all threads of the program were made.
  explicit Profiler(const Program &);
  /// On a thread of its own, until the end.
  void run(const os::Event &end);
  /// Adds `cycles` to the place where each thread is now.
  void look(uint64_t cycles);

  // Written by its own thread; read by anybody.
  CounterTable seen;            // cycles at input ports
  std::vector<Counter> sources; // cycles in sources

private:
  const Program &p;
};

} // namespace sluice
