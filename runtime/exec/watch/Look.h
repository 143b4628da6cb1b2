//===- Look.h - what a program does at a moment -----------------*- C++ -*-===//
#pragma once
#include "runtime/exec/metrics/Stats.h"
#include "runtime/trace/Lines.h"
#include "runtime/watch/Cause.h"

namespace sluice {
struct Program;
} // namespace sluice

namespace sluice::watch {

/// A moment.
struct Look {
  CounterSample counted; // since the program began
  Figures figures;       // of that
  trace::Figures line;
};

/// Looks again and again. By one thread.
class Looker {
public:
  explicit Looker(const Program &);
  /// What there is now. The cause is that of the interval since the last time.
  Look look();
  /// What limited the whole run. `used`, `others`: seconds of processor time of this program in it,
  /// and of all others.
  static Cause causeOfRun(const Program &, double used, double others);

private:
  trace::Limit limitIn(const CounterSample &interval, const std::vector<ThreadNow> &,
                       const trace::Figures &);

  const Program &p;
  CounterSample before;
  double cpuBefore = 0, othersBefore = -1;
  CauseWatch watch;
  trace::Limit limit; // that it shows
};

} // namespace sluice::watch
