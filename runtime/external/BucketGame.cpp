//===- BucketGame.cpp - which buckets to empty when memory is full --------===//
#include "runtime/external/BucketGame.h"
#include <algorithm>
#include <numeric>
#include <utility>

namespace sluice::external {

BucketGame::BucketGame(uint32_t buckets, uint64_t memory, uint32_t perTurn)
    : levels(buckets, 0), order(buckets), memory(memory), perTurn(std::min(perTurn, buckets)) {
  std::iota(order.begin(), order.end(), 0);
}

std::span<const uint32_t> BucketGame::fullest() {
  // The number decides between equal ones: the order must not depend on what came before.
  auto fuller = [this](uint32_t a, uint32_t b) {
    return std::pair(levels[b], a) < std::pair(levels[a], b);
  };
  std::nth_element(order.begin(), order.begin() + perTurn - 1, order.end(), fuller);
  std::sort(order.begin(), order.begin() + perTurn, fuller);
  uint32_t count = perTurn;
  while (count && !levels[order[count - 1]])
    --count;
  return {order.data(), count};
}

uint64_t BucketGame::empty(uint32_t bucket) {
  uint64_t held = std::exchange(levels[bucket], 0);
  total -= held;
  return held;
}

} // namespace sluice::external
