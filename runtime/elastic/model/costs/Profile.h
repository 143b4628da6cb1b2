//===- Profile.h - the sum of samples of one configuration -*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/costs/Topology.h"

namespace sluice::elastic {

/// The sum of samples that were taken under one configuration.
struct Profile {
  Profile() = default;
  explicit Profile(const Sample &sample) { add(sample); }

  double length = 0;  // seconds of all intervals
  double workers = 0; // seconds that workers were busy
  double idle = 0;    // seconds that workers were idle
  double cpu = 0;     // seconds of processor time that the program used
  double others = 0;  // seconds of processor time that other programs used
  uint32_t intervals = 0;
  std::vector<NodeSample> nodes; // sums; the depth is that of the last interval

  void add(const Sample &);
  /// Batches that the sources forwarded.
  double sourceBatches(const Topology &) const;
  /// Rows that the sources submitted.
  double sourceRows(const Topology &) const;
  /// Seconds that all nodes were busy.
  double busy() const;
  /// Seconds of processor time, and of sleep, that the work of all nodes took.
  double work() const;
  /// The share of busy time that was processor time, at most 1. Busy time is read from a clock that
  /// runs on while a thread is preempted.
  double onProcessor() const;
};

/// Seconds of processor time that the nodes used in a second.
double running(const Profile &);

/// Whether `profile` has the time of each node that took some in `before`, unless no row reached
/// it.
bool timesKnown(const Profile &profile, const Profile &before);

/// The share of the work that is done in other nodes, from 0 to 1: half the sum of differences
/// between the nodes' shares of all work.
double distance(const Profile &, const Profile &);

} // namespace sluice::elastic
