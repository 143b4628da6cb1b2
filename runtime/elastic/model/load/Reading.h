//===- Reading.h - what a sample shows ---------------------*- C++ -*-===//
//
// Queues fill and drain for long where batches are slow. So a rate is the work that
// was done, not the rows that went in or came out.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/load/LoadModel.h"

namespace sluice::elastic {

/// What a sample shows of the configuration that was set, by the profile of the load. It refers to
/// its arguments.
class Reading {
public:
  Reading(const LoadModel &load, const Configuration &set, const Sample &sample)
      : load(load), set(set), sample(sample) {}

  /// Rows a second of the sources, by the work that was done. With several sources, whose rates may
  /// part, the rows that they submitted.
  double rate() const;
  /// Seconds of work for a row of the sources. Needs no profile yet.
  double rowCost() const;
  /// Whether the queues of another configuration were draining.
  bool draining() const;
  /// Whether the work before and behind the queues differs, by the profile. If what is set is what
  /// was profiled, the profile is of two loads.
  bool uneven() const;
  /// Whether other programs used far more of the processors than in the profile.
  bool othersBusy() const;
  /// Seconds from source to sink: as measured, else the longest path through the queues, by the
  /// batches in them and how fast they are emptied (Little's law).
  double latency() const;

private:
  struct Halves;
  Halves halves() const;
  double unevenness() const;
  double busiestAllows() const;

  const LoadModel &load;
  const Configuration &set;
  const Sample &sample;
};

} // namespace sluice::elastic
