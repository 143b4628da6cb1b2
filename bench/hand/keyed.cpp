//===- keyed.cpp - W8c by hand, one thread --------------------------------===//
//
// keyed KEYS uniform|zipf COUNT: the last 16 values of each key; their sum and the largest after
// each tuple. A batch goes through three loops, so that lines of memory that are far away are
// fetched while other rows are done: find the key's entry, fetch its ring, update both.
#include "windows.h"
#include <memory>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr size_t kSize = 16, kAhead = 8;

/// Each octave of numbers is equally likely.
uint64_t skewed(uint64_t r, uint64_t octaves, uint64_t keys) {
  uint64_t low = (1ull << upper(r, octaves)) - 1, x = low + (r & low);
  return x < keys ? x : x - keys;
}

struct Entry {
  uint64_t key;
  int64_t sum, most;
  uint32_t number, tuples; // no tuples: a free entry
};

/// Open addressing over pairs of entries, which share a line; a quarter full.
class Table {
public:
  explicit Table(size_t keys) : mask(std::bit_ceil(keys * 4) - 1), entries(mask + 1) {}
  size_t home(uint64_t key) const { return hashOf(key) >> std::countl_zero(mask) & ~size_t(1); }
  void fetch(size_t home) { __builtin_prefetch(&entries[home], 1); }
  Entry &find(uint64_t key, size_t home) {
    for (;; home = (home + 2) & mask)
      for (Entry *e = &entries[home]; e != &entries[home + 2]; ++e) {
        if (e->tuples && e->key == key)
          return *e;
        if (!e->tuples) {
          e->key = key;
          e->number = used++;
          return *e;
        }
      }
  }

private:
  size_t mask;
  Pages<Entry> entries;
  uint32_t used = 0;
};

class Windows {
public:
  explicit Windows(size_t keys) : table(keys), rings(keys * kSize) {}
  void take(const uint64_t *keys, const int64_t *values, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      homes[r] = table.home(keys[r]);
    for (size_t r = 0; r < rows + 2 * kAhead; ++r) {
      if (r < rows)
        table.fetch(homes[r]);
      if (r >= kAhead && r < rows + kAhead)
        find(keys, r - kAhead);
      if (r >= 2 * kAhead)
        update(values[r - 2 * kAhead], r - 2 * kAhead);
    }
  }
  int64_t sums[kRows], mosts[kRows];

private:
  int64_t *ringOf(const Entry &e) { return &rings[e.number * kSize]; }
  void find(const uint64_t *keys, size_t r) {
    Entry &e = table.find(keys[r], homes[r]);
    if (!e.tuples) { // taken from here on; the first value follows
      e.tuples = kSize;
      e.most = INT64_MIN;
      std::fill(ringOf(e), ringOf(e) + kSize, INT64_MIN);
    }
    found[r] = &e;
    __builtin_prefetch(ringOf(e) + e.tuples % kSize, 1);
  }
  void update(int64_t value, size_t r) {
    Entry &e = *found[r];
    int64_t *ring = ringOf(e), &slot = ring[e.tuples % kSize], old = slot;
    slot = value;
    e.tuples = e.tuples + 1 ? e.tuples + 1 : kSize;
    e.sum += value - (old == INT64_MIN ? 0 : old);
    if (old == e.most && value < old)
      e.most = *std::max_element(ring, ring + kSize);
    else
      e.most = std::max(e.most, value);
    sums[r] = e.sum;
    mosts[r] = e.most;
  }
  Table table;
  Pages<int64_t> rings;
  size_t homes[kRows];
  Entry *found[kRows];
};

void run(uint64_t keys, bool zipf, uint64_t count, Sink &sink) {
  auto windows = std::make_unique<Windows>(keys);
  const uint64_t octaves = keys == 1000 ? 10 : 20;
  alignas(64) uint64_t names[kRows];
  alignas(64) int64_t values[kRows];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      names[r] = zipf ? skewed(first(i + r), octaves, keys) : upper(first(i + r), keys);
    for (size_t r = 0; r < rows; ++r)
      names[r] = nameOf(Keys, names[r]);
    for (size_t r = 0; r < rows; ++r)
      values[r] = value(i + r);
    windows->take(names, values, rows);
    for (size_t r = 0; r < rows; ++r)
      sink.sum += checkAll(i + r, names[r], windows->sums[r], windows->mosts[r]);
    sink.count += rows;
  });
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 4)
    usage("keyed KEYS uniform|zipf COUNT");
  Sink sink;
  run(strtoull(argv[1], nullptr, 10), argv[2] == std::string_view("zipf"),
      strtoull(argv[3], nullptr, 10), sink);
  sink.print();
  return 0;
}
