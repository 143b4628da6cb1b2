//===- DeviceProbe.h - how fast the device of a directory is ----*- C++ -*-===//
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::os {

struct DeviceRates {
  double readRate, writeRate, seek; // bytes/s, and s for a change of place
  double seconds;                   // that it took to measure them
};

/// Writes a file of `most` bytes (no more than 16 MiB) in the directory, reads it one piece after
/// the other and at random, without the page cache if the file system can; some hundredths of a
/// second. It takes `memory` bytes at most. Nothing: it was not possible.
std::optional<DeviceRates> probeDevice(const std::string &directory, uint64_t most,
                                       uint64_t memory);

} // namespace sluice::os
