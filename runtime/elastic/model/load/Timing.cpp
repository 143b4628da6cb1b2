//===- Timing.cpp - how long candidates are measured -----------------------===//
#include "runtime/elastic/model/load/Timing.h"
#include <algorithm>

namespace sluice::elastic {

void Timing::restart() {
  batches = load.profile().sourceBatches(load.topology) / load.profile().length;
  pause =
      std::clamp(batches > 0 ? 4 / batches : 0.1, options.warmUp, std::max(options.warmUp, 0.1));
}

void Timing::observe(const Sample &sample, const Configuration &set) {
  Profile one(sample);
  if (set == load.profiled())
    batches = std::max(batches, one.sourceBatches(load.topology) / one.length);
}

double Timing::interval(double rate) const {
  double each = batches > 0 ? 1 / batches : 1;
  double many = episode.afterAlarm && episode.comparisons < 2 ? 12 : 24;
  double usual = load.present().rate, faster = usual > 0 ? std::max(1.0, rate / usual) : 1;
  return std::clamp(std::max(many / faster, 3.0) * each, options.interval,
                    std::max(options.interval, 0.6));
}

} // namespace sluice::elastic
