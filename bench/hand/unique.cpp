//===- unique.cpp - W8h by hand, one thread -------------------------------===//
//
// unique COUNT: passes a tuple whose key did not occur in the million tuples before it. A line of
// memory has five keys and when each came last; what is too old is free. The few keys that find
// their line full go to a map. Times are modulo 2^32.
#include "windows.h"
#include <unordered_map>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr uint32_t kLast = 1000000;
constexpr unsigned kBits = 19, kAhead = 32, kKeys = 5;

struct alignas(64) Line {
  uint64_t keys[kKeys];
  uint32_t last[kKeys];
  uint32_t overflow; // when a key of this line was last put into the map
};

class Table {
public:
  Table() {
    for (size_t k = 0; k < size_t(1) << kBits; ++k) {
      std::fill(lines[k].last, lines[k].last + kKeys, kNever);
      lines[k].overflow = kNever;
    }
  }
  [[gnu::always_inline]] void fetch(uint64_t key) { __builtin_prefetch(&lineOf(key), 1); }
  /// Is the key of tuple `now` a new one?
  bool take(uint64_t key, uint32_t now) {
    Line &line = lineOf(key);
    unsigned same = 0, fresh = 0;
    for (unsigned k = 0; k < kKeys; ++k) {
      same |= unsigned(line.keys[k] == key) << k;
      fresh |= unsigned(now - line.last[k] <= kLast) << k;
    }
    const unsigned known = same & fresh, slots = known ? known : ~fresh & ((1u << kKeys) - 1);
    if (!slots || (!known && now - line.overflow <= kLast)) [[unlikely]]
      return takeFull(line, slots, key, now);
    put(line, slots, key, now);
    return !known;
  }

private:
  static constexpr uint32_t kNever = 0u - kLast - 1;
  Line &lineOf(uint64_t key) { return lines[hashOf(key) >> (64 - kBits)]; }
  static void put(Line &line, unsigned slots, uint64_t key, uint32_t now) {
    const int k = std::countr_zero(slots);
    line.keys[k] = key;
    line.last[k] = now;
  }
  [[gnu::noinline]] bool takeFull(Line &line, unsigned slots, uint64_t key, uint32_t now) {
    auto found = map.find(key);
    const bool known = found != map.end() && now - found->second <= kLast;
    if (!known && slots) {
      put(line, slots, key, now);
      return true;
    }
    map[key] = line.overflow = now;
    if (map.size() > limit) {
      std::erase_if(map, [now](auto &entry) { return now - entry.second > kLast; });
      limit = std::max(limit, map.size() * 2);
    }
    return !known;
  }
  Pages<Line> lines{size_t(1) << kBits};
  std::unordered_map<uint64_t, uint32_t> map;
  size_t limit = 1 << 16;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    usage("unique COUNT");
  Sink sink;
  Table table;
  alignas(64) uint64_t keys[kRows];
  inBatches(strtoull(argv[1], nullptr, 10), [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      keys[r] = nameOf(Duplicates, (i + r) / 4 + upper(first(i + r), 500000));
    for (size_t r = 0; r < rows + kAhead; ++r) {
      if (r < rows)
        table.fetch(keys[r]);
      if (r < kAhead)
        continue;
      const size_t k = r - kAhead;
      const uint64_t isNew = table.take(keys[k], uint32_t(i + k));
      sink.sum += check(keys[k], i + k, 0) & (0 - isNew);
      sink.count += isNew;
    }
  });
  sink.print();
  return 0;
}
