//===- joined.cpp - W8f by hand, one thread -------------------------------===//
//
// joined KEYS COUNT: tuples go left and right by turns; each meets those with its key among the
// last 1000 of the other side. A side is a ring, whose tuples with equal hashes are chained from
// the newest; a tuple that has left ends its chain, as all behind it are older.
#include "windows.h"
#include <memory>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr uint32_t kSize = 1000, kRing = 1024, kHeads = 8192;

struct Side {
  uint64_t keys[kRing], numbers[kRing];
  uint32_t before[kRing], heads[kHeads] = {};
  uint32_t next = kSize + 1; // the place of the next tuple, below 2^32; 0 has left for good
};

template <bool left>
inline void take(Side &mine, Side &other, uint64_t key, size_t head, uint64_t i, Sink &sink) {
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
} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    usage("joined KEYS COUNT");
  const uint64_t limit = strtoull(argv[1], nullptr, 10);
  Sink sink;
  auto sides = std::make_unique<Side[]>(2);
  alignas(64) uint64_t keys[kRows], heads[kRows];
  inBatches(strtoull(argv[2], nullptr, 10), [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      keys[r] = nameOf(JoinKeys, upper(first(i + r), limit));
    for (size_t r = 0; r < rows; ++r)
      heads[r] = hashOf(keys[r]) >> 51;
    takeAll(sides.get(), keys, heads, i, rows, sink);
  });
  sink.print();
  return 0;
}
