//===- Random.cpp - random numbers of programs ----------------------------===//
#include "runtime/value/Random.h"
#include "runtime/value/Value.h"
#include <atomic>

namespace sluice {

/// A counter, scrambled: threads need no lock.
static std::atomic<uint64_t> state{1};

void seedRandom(uint64_t seed) { state = hashBits(seed); }

uint64_t randomState() { return state.load(std::memory_order_relaxed); }
void setRandomState(uint64_t to) { state.store(to, std::memory_order_relaxed); }

double nextRandom() {
  uint64_t x = state.fetch_add(kHash0, std::memory_order_relaxed) + kHash0;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return double(x >> 11) * 0x1p-53;
}

} // namespace sluice
