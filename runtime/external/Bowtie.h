//===- Bowtie.h - streams on a slow device that meet in memory --*- C++ -*-===//
//
// A stage of a bowtie: `inputs` sequential streams go through one memory to `outputs` sequential
// streams. Some of them are on a device for which each change of place costs time. All inputs are
// read, and all outputs written, at the same pace. The outputs and the inputs share the memory: in
// each turn the `emptied` fullest outputs are written, then the `refilled` emptiest inputs are read
// until the memory is full again.
//
// With m outputs of which c are emptied, and n inputs of which b are refilled, a turn moves
// E = 2M / (m/c + n/b) bytes: before it the outputs hold E (m/c + 1) / 2, after it the inputs hold
// E (n/b + 1) / 2, and what leaves the outputs comes into the inputs. README.md derives this.
// Source: 'On High-Latency Bowtie Data Streaming'.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice::external {

/// Bytes/s, and s for a change of place.
struct Device {
  double readRate, writeRate, seek;
};

struct Stage {
  uint64_t inputs = 1, outputs = 1;
  bool reads = true, writes = true; // the inputs, the outputs are on the device
};

/// How many streams are served in a turn.
struct Turn {
  uint64_t refilled = 1, emptied = 1;
};

/// Bytes that come into a memory of `memory` bytes in a turn; as many leave it.
double bytesOfTurn(double memory, const Stage &, const Turn &);
/// The mean number of bytes that are read or written on the device without a change of place.
double meanRun(double memory, const Stage &, const Turn &);
/// The turn whose runs are longest.
Turn bestTurn(const Stage &);
/// The mean run if each stream on the device has a part of the memory of its own.
double evenRun(double memory, const Stage &);
/// s of the device for each byte that goes through the stage in runs of `run` bytes.
double secondsPerByte(const Device &, const Stage &, double run);

} // namespace sluice::external
