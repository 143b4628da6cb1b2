//===- Timing.h - how long candidates are measured ---------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/load/Episode.h"
#include "runtime/elastic/model/load/LoadModel.h"

namespace sluice::elastic {

/// How long candidates are measured. An interval holds a number of batches of the sources, so it
/// depends on their rate.
class Timing {
public:
  Timing(const ModelOptions &options, const LoadModel &load, const Episode &episode)
      : options(options), load(load), episode(episode), pause(options.warmUp) {}

  /// Takes the batches from the profile of the load.
  void restart();
  /// Corrects them by a sample of `set`: the profile may have been taken while batches still grew
  /// or shrank.
  void observe(const Sample &, const Configuration &set);
  /// Seconds that a candidate of `rate` rows a second is measured at a time: two dozen batches (one
  /// dozen in the first comparison after an alarm), or three passes of one batch through all
  /// queues.
  double interval(double rate) const;
  /// Seconds that pass unmeasured after a change.
  double warmUp() const { return pause; }
  /// Both together.
  double turn(double rate) const { return interval(rate) + pause; }

private:
  const ModelOptions &options;
  const LoadModel &load;
  const Episode &episode;
  double pause;
  double batches = 0; // a second of the sources, under what was profiled
};

} // namespace sluice::elastic
