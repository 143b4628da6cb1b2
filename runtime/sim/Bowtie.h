//===- Bowtie.h - bucket games played on a modelled device ------*- C++ -*-===//
#pragma once
#include "runtime/external/SplitPlan.h"

namespace sluice::sim {

/// What a device has done.
struct DeviceWork {
  double read = 0, written = 0; // bytes
  double runs = 0;              // pieces without a change of place
  double bytes = 0;             // that went through

  double meanRun() const { return (read + written) / runs; }
  double seconds(const external::Device &device) const {
    return read / device.readRate + written / device.writeRate + runs * device.seek;
  }
};

/// Bytes come from inputs and go to outputs at random, each as likely as the others, for so many
/// turns after the memory has found its level. With more inputs than outputs the order in which
/// inputs are used is known beforehand, as a merge knows it from an index of its runs: then the
/// reads are the writes of a split that is played backward.
DeviceWork playTurns(double memory, const external::Stage &, const external::Turn &, uint32_t turns,
                     uint64_t seed);
/// The same if each stream on the device has a part of the memory of its own.
DeviceWork playEven(double memory, const external::Stage &, uint32_t turns, uint64_t seed);

} // namespace sluice::sim
