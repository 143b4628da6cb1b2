//===- DeviceProbe.cpp - how fast the device of a directory is ------------===//
#include "runtime/base/DeviceProbe.h"
#include "runtime/base/os.h"
#include "runtime/base/scratch.h"
#include <algorithm>
#include <cstring>

namespace sluice::os {

static constexpr uint64_t kMostBytes = 16 << 20, kMostPiece = 1 << 20;
static constexpr int64_t kMostNanos = 15'000'000; // of each of the three measurements
static constexpr int kMostSeeks = 32;
static constexpr double kLeastSeek = 1e-6; // s

namespace {
class Probe {
public:
  Probe(const std::string &directory, uint64_t most, uint64_t memory)
      : most(std::min(most, kMostBytes)),
        bytes(std::clamp<uint64_t>(memory / kDirect, 1, kMostPiece / kDirect) * kDirect),
        piece(static_cast<char *>(mapPages(bytes, kDirect))) {
    if (!piece)
      return;
    fd = openScratch(directory.c_str(), true);
    if (fd < 0)
      fd = openScratch(directory.c_str(), false);
    fill();
  }
  ~Probe() {
    if (piece)
      unmapPages(piece, bytes);
    if (fd >= 0)
      closeFile(fd);
  }
  Probe(const Probe &) = delete;

  bool isOpen() const { return fd >= 0; }
  /// Bytes/s; 0: it failed. They are read as far as they were written.
  double writeRate();
  double readRate();
  /// Mean s of a read of one page anywhere.
  double randomRead();

private:
  void fill();
  /// Calls `step(offset)` until it fails or time or bytes are over; bytes/s.
  template <typename Step> double rateOf(uint64_t most, const Step &step);

  const uint64_t most, bytes; // of the file, of a piece
  char *const piece;
  int fd = -1;
  uint64_t written = 0;
};
} // namespace

/// With what no device can compress.
void Probe::fill() {
  uint64_t state = 1;
  for (uint64_t i = 0; i < bytes; i += sizeof state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t word = state ^ (state >> 29);
    memcpy(piece + i, &word, sizeof word);
  }
}

template <typename Step> double Probe::rateOf(uint64_t most, const Step &step) {
  int64_t begin = now(), at = begin;
  uint64_t done = 0;
  for (; done < most && at - begin < kMostNanos; at = now()) {
    if (!step(done))
      return 0;
    done += bytes;
  }
  return double(done) * kNanos / double(std::max<int64_t>(at - begin, 1));
}

double Probe::writeRate() {
  Part part = {piece, bytes};
  return rateOf(most, [&](uint64_t offset) {
    size_t moved;
    bool good = writeAt(fd, {&part, 1}, offset, moved) == 0;
    written += good ? bytes : 0;
    return good;
  });
}

double Probe::readRate() {
  Part part = {piece, bytes};
  return rateOf(written, [&](uint64_t offset) {
    size_t moved;
    return readAt(fd, {&part, 1}, offset, moved) == 0;
  });
}

double Probe::randomRead() {
  Part part = {piece, kDirect};
  int64_t begin = now(), at = begin;
  uint64_t state = 7;
  int reads = 0;
  for (; reads < kMostSeeks && at - begin < kMostNanos; at = now(), ++reads) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    size_t moved;
    if (readAt(fd, {&part, 1}, (state >> 33) % (written / kDirect) * kDirect, moved))
      return 0;
  }
  return double(at - begin) / kNanos / reads;
}

std::optional<DeviceRates> probeDevice(const std::string &directory, uint64_t most,
                                       uint64_t memory) {
  int64_t begin = now();
  Probe probe(directory, most, memory);
  if (!probe.isOpen())
    return std::nullopt;
  double writes = probe.writeRate(), reads = writes > 0 ? probe.readRate() : 0,
         random = reads > 0 ? probe.randomRead() : 0;
  if (random <= 0)
    return std::nullopt;
  return DeviceRates{reads, writes, std::max(random - double(kDirect) / reads, kLeastSeek),
                     double(now() - begin) / kNanos};
}

} // namespace sluice::os
