//===- Backlog.h - the work that waits in queues -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/load/LoadModel.h"

namespace sluice::elastic {

/// The work in the queues at the end of an interval, against the interval before.
class Backlog {
public:
  /// Seconds that a backlog is given to drain before the next interval, at most.
  static constexpr double drainMost = 0.5;

  /// `seconds`: backlogOf() the last sample.
  void update(double seconds);
  /// Seconds to let pass before another configuration is measured.
  double drainTime() const;
  /// Seconds of work by which the backlog became less in the last interval.
  double drained() const { return drainedSeconds; }

private:
  double seconds = 0, drainedSeconds = 0;
};

/// Seconds that all processors need for what waits in queues, until it has left the graph.
double backlogOf(const LoadModel &, const Sample &);

/// The backlog that `seconds` of `plan` would leave, at most: what the sources bring until all
/// queues are full, or until as much is in flight as the sources allow (Machine::inFlight).
double backlogAfter(const LoadModel &, const Plan &plan, double seconds);

} // namespace sluice::elastic
