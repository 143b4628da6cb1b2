//===- keyed.cpp - W8c by hand, one thread --------------------------------===//
//
// keyed KEYS uniform|zipf COUNT: the last 16 values of each key; their sum and the largest after
// each tuple. With many keys, lines of memory that are far away are fetched while other rows are
// done.
#include "windows.h"
#include <memory>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr size_t kSize = 16, kNear = 10000; // so many keys need no look-ahead

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
  explicit Table(size_t keys)
      : shift(std::countl_zero(keys * 4 - 1)), mask((~uint64_t(0)) >> shift), entries(mask + 1) {}
  [[gnu::always_inline]] void fetch(uint64_t key) { __builtin_prefetch(&entries[home(key)], 1); }
  Entry &find(uint64_t key) {
    for (size_t place = home(key);; place = (place + 2) & mask) {
      Entry *pair = &entries[place], *e = pair + (pair[1].key == key);
      if (e->tuples && e->key == key) [[likely]]
        return *e;
      for (e = pair; e != pair + 2; ++e)
        if (!e->tuples) {
          e->key = key;
          e->number = used++;
          return *e;
        }
    }
  }

private:
  size_t home(uint64_t key) const { return hashOf(key) >> shift & ~size_t(1); }
  int shift;
  uint64_t mask;
  Pages<Entry> entries;
  uint32_t used = 0;
};

class Windows {
public:
  explicit Windows(size_t keys) : table(keys), rings(keys * kSize) {}

  [[gnu::noinline]] void take(const uint64_t *keys, const int64_t *values, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      found[r] = &find(keys[r]);
    for (size_t r = 0; r < rows; ++r)
      update(*found[r], values[r], r);
  }

  /// Blocks of rows go through three loops, each `kBehind` rows behind the one before: fetch the
  /// line of the entry; find it, and fetch the line of its ring; update both.
  [[gnu::noinline]] void takeAhead(const uint64_t *keys, const int64_t *values, size_t rows) {
    auto block = [rows](size_t first, auto body) {
      for (size_t r = first; r < std::min(rows, first + kBlock); ++r)
        body(r);
    };
    for (size_t first = 0; first < rows + 2 * kBehind; first += kBlock) {
      block(first, [&](size_t r) { table.fetch(keys[r]); });
      if (first >= kBehind)
        block(first - kBehind, [&](size_t r) {
          found[r] = &find(keys[r]);
          __builtin_prefetch(slotOf(*found[r]), 1);
        });
      if (first >= 2 * kBehind)
        block(first - 2 * kBehind, [&](size_t r) { update(*found[r], values[r], r); });
    }
  }
  alignas(64) int64_t sums[kRows], mosts[kRows];

private:
  static constexpr size_t kBlock = 8, kBehind = 2 * kBlock;
  int64_t *slotOf(const Entry &e) { return &rings[e.number * kSize + e.tuples % kSize]; }
  Entry &find(uint64_t key) {
    Entry &e = table.find(key);
    if (!e.tuples) [[unlikely]] {
      e.tuples = kSize;
      e.most = INT64_MIN;
    }
    return e;
  }
  void update(Entry &e, int64_t value, size_t r) {
    int64_t *slot = slotOf(e), old = *slot; // a ring begins as zeros
    *slot = value;
    const bool full = e.tuples >= 2 * kSize;
    e.tuples = e.tuples + 1 ? e.tuples + 1 : 2 * kSize;
    sums[r] = e.sum += value - old;
    if (full && old == e.most && value < old) [[unlikely]] {
      const int64_t *ring = &rings[e.number * kSize];
      e.most = *std::max_element(ring, ring + kSize);
    } else {
      e.most = std::max(e.most, value);
    }
    mosts[r] = e.most;
  }
  Table table;
  Pages<int64_t> rings;
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
    if (keys <= kNear)
      windows->take(names, values, rows);
    else
      windows->takeAhead(names, values, rows);
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
