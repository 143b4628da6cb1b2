//===- unique.cpp - W8h by hand, one thread -------------------------------===//
//
// unique COUNT: passes a tuple whose key did not occur in the million tuples before it. Keys that
// are older stay in the table until it is half full; then it is made anew from the others.
#include "windows.h"
#include <memory>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr uint64_t kLast = 1000000;
constexpr unsigned kBits = 22, kAhead = 16;

class Table {
public:
  size_t home(uint64_t key) const { return hashOf(key) >> (64 - kBits); }
  void fetch(size_t home) { __builtin_prefetch(&(*entries)[home], 1); }
  /// Is the key of tuple `i` a new one?
  bool take(uint64_t key, size_t home, uint64_t i) {
    Entry &e = find(*entries, key, home);
    bool known = e.place && i + 1 - e.place <= kLast;
    if (!e.place && ++used > kSlots / 2) {
      clear(i);
      find(*entries, key, home) = {key, i + 1};
      ++used;
      return true;
    }
    e = {key, i + 1};
    return !known;
  }

private:
  static constexpr size_t kSlots = size_t(1) << kBits;
  struct Entry {
    uint64_t key, place; // the number of its last tuple, from 1; 0 is free
  };
  static Entry &find(Pages<Entry> &in, uint64_t key, size_t slot) {
    while (in[slot].place && in[slot].key != key)
      slot = (slot + 1) % kSlots;
    return in[slot];
  }
  void clear(uint64_t i) {
    auto fresh = std::make_unique<Pages<Entry>>(kSlots);
    used = 0;
    for (size_t k = 0; k < kSlots; ++k)
      if (Entry &e = (*entries)[k]; e.place && i + 1 - e.place <= kLast) {
        find(*fresh, e.key, home(e.key)) = e;
        ++used;
      }
    entries = std::move(fresh);
  }
  std::unique_ptr<Pages<Entry>> entries = std::make_unique<Pages<Entry>>(kSlots);
  size_t used = 0;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    usage("unique COUNT");
  Sink sink;
  Table table;
  alignas(64) uint64_t keys[kRows];
  size_t homes[kRows];
  inBatches(strtoull(argv[1], nullptr, 10), [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r)
      keys[r] = nameOf(Duplicates, (i + r) / 4 + upper(first(i + r), 500000));
    for (size_t r = 0; r < rows; ++r)
      homes[r] = table.home(keys[r]);
    for (size_t r = 0; r < rows + kAhead; ++r) {
      if (r < rows)
        table.fetch(homes[r]);
      if (r < kAhead)
        continue;
      size_t k = r - kAhead;
      uint64_t isNew = table.take(keys[k], homes[k], i + k);
      sink.sum += check(keys[k], i + k, 0) & (0 - isNew);
      sink.count += isNew;
    }
  });
  sink.print();
  return 0;
}
