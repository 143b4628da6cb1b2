//===- BucketGame.h - which buckets to empty when memory is full -*- C++ -*-===//
//
// Buckets of different sizes share one memory. When it is full the fullest of them are emptied.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::external {

class BucketGame {
public:
  /// `memory`: what all buckets hold together at most. `perTurn`: how many are emptied at once.
  BucketGame(uint32_t buckets, uint64_t memory, uint32_t perTurn);

  bool fits(uint64_t bytes) const { return total + bytes <= memory; }
  void add(uint32_t bucket, uint64_t bytes) {
    levels[bucket] += bytes;
    total += bytes;
  }
  /// The fullest buckets, the fullest one first; none that is empty. Valid until the next call.
  std::span<const uint32_t> fullest();
  /// It was emptied. How much it held.
  uint64_t empty(uint32_t bucket);
  uint64_t level(uint32_t bucket) const { return levels[bucket]; }
  uint64_t held() const { return total; }

private:
  std::vector<uint64_t> levels; // bytes, by bucket
  std::vector<uint32_t> order;
  uint64_t memory, total = 0;
  uint32_t perTurn;
};

} // namespace sluice::external
