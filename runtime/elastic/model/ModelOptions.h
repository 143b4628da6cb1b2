//===- ModelOptions.h - the constants of `model` -----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/Registry.h"

namespace sluice::elastic {

std::vector<Constant> modelConstants();

/// The values of modelConstants(), which says what each one is.
struct ModelOptions {
  explicit ModelOptions(const Values &);
  double interval, warmUp, watchInterval, settle, resettle; // seconds
  double tie, noise, level, worth, gain;                    // shares
  double latency;                                           // seconds; 0: no bound
  double cpus;                                              // processors; 0: all
  uint32_t rounds;
};

} // namespace sluice::elastic
