//===- joined.cpp - W8f by hand, one thread -------------------------------===//
//
// joined KEYS 1000|1000000 COUNT: tuples go left and right by turns; each meets those with its key
// among the last 1000, or a million, of the other side. A side is a ring, whose tuples with equal
// hashes are chained from the newest; a tuple that has left ends its chain, as all behind it are
// older.
#include "windows.h"
#include <memory>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
template <uint32_t size> struct Side {
  static constexpr uint32_t kSize = size, kRing = std::bit_ceil(size), kHeads = 8 * kRing;
  uint64_t keys[kRing], numbers[kRing];
  uint32_t before[kRing], heads[kHeads] = {};
  uint32_t next = kSize + 1; // the place of the next tuple, below 2^32; 0 has left for good
};

template <bool left, class Side>
inline void take(Side &mine, Side &other, uint64_t key, size_t head, uint64_t i, Sink &sink) {
  constexpr uint32_t kSize = Side::kSize, kRing = Side::kRing;
  const uint32_t end = other.next;
  for (uint32_t p = other.heads[head]; p + kSize >= end; p = other.before[p % kRing])
    if (other.keys[p % kRing] == key) {
      uint64_t met = other.numbers[p % kRing];
      sink.sum += checkAll(i, key, left ? i : met, left ? met : i);
      ++sink.count;
    }
  const size_t place = mine.next % kRing;
  mine.keys[place] = key;
  mine.numbers[place] = i;
  mine.before[place] = mine.heads[head];
  mine.heads[head] = mine.next++;
}

template <class Side>
[[gnu::noinline]] void takeAll(Side *sides, const uint64_t *keys, const uint64_t *heads, uint64_t i,
                               size_t rows, Sink &sink) {
  Sink all = sink;
  for (size_t r = 0; r < rows; r += 2) { // batches begin at even numbers
    take<true>(sides[0], sides[1], keys[r], heads[r], i + r, all);
    if (r + 1 < rows)
      take<false>(sides[1], sides[0], keys[r + 1], heads[r + 1], i + r + 1, all);
  }
  sink = all;
}

template <uint32_t size> Sink run(uint64_t limit, uint64_t count) {
  constexpr int kShift = 64 - std::countr_zero(Side<size>::kHeads);
  Sink sink;
  auto sides = std::make_unique<Side<size>[]>(2);
  alignas(64) uint64_t keys[kRows], heads[kRows];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      keys[r] = nameOf(JoinKeys, upper(first(i + r), limit));
    for (size_t r = 0; r < rows; ++r)
      heads[r] = hashOf(keys[r]) >> kShift;
    takeAll(sides.get(), keys, heads, i, rows, sink);
  });
  return sink;
}
} // namespace

int main(int argc, char **argv) {
  std::string_view size = argc == 4 ? argv[2] : "";
  if (size != "1000" && size != "1000000")
    usage("joined KEYS 1000|1000000 COUNT");
  const uint64_t limit = strtoull(argv[1], nullptr, 10), count = strtoull(argv[3], nullptr, 10);
  (size == "1000" ? run<1000>(limit, count) : run<1000000>(limit, count)).print();
  return 0;
}
