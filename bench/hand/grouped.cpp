//===- grouped.cpp - W8d by hand, one thread ------------------------------===//
//
// grouped number|name COUNT: for each of about 1000 symbols in a window of 10000 trades, the sum,
// number and mean of the volumes, and the least and the largest price.
#include "windows.h"
#include <memory>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr size_t kSize = 10000, kSymbols = 1000;

/// A name of at most 12 bytes.
struct Name {
  uint32_t length;
  char text[12];
  bool operator==(const Name &o) const { return !memcmp(this, &o, sizeof o); }
};
uint64_t hashOf(const Name &name) {
  uint64_t low, high;
  memcpy(&low, &name, 8);
  memcpy(&high, reinterpret_cast<const char *>(&name) + 8, 8);
  return bench::windows::hashOf(low * 0xbf58476d1ce4e5b9ull ^ high);
}
using bench::windows::hashOf;

uint64_t numberOf(uint64_t symbol) { return symbol; }
uint64_t numberOf(const Name &name) {
  uint64_t number = 0;
  for (unsigned k = 1; k < 5; ++k)
    number = number * 10 + uint64_t(name.text[k] - '0');
  return number;
}

template <class Key> struct Group {
  Key key;
  int64_t total, tuples;
  double least, most;
};

/// The groups of all windows so far, in a table that is a sixteenth full.
template <class Key> class Groups {
public:
  [[gnu::noinline]] void take(const Key *keys, const int64_t *volumes, const double *prices,
                              size_t rows, Sink &sink) {
    for (size_t r = 0; r < rows; ++r)
      found[r] = find(keys[r]);
    for (size_t done = 0, some; done < rows; done += some) {
      some = std::min(rows - done, kSize - filled);
      for (size_t r = done; r < done + some; ++r) {
        Group<Key> &g = groups[found[r]];
        g.total += volumes[r];
        ++g.tuples;
        const double price = prices[r], least = g.least, most = g.most;
        g.least = price < least ? price : least;
        g.most = price > most ? price : most;
      }
      filled += some;
      if (filled == kSize)
        flush(sink);
    }
  }

private:
  static constexpr size_t kSlots = 16384;
  size_t find(const Key &key) {
    for (size_t slot = hashOf(key) >> 50;; slot = (slot + 1) % kSlots) {
      if (!slots[slot]) {
        clear(groups[used]);
        groups[used].key = key;
        slots[slot] = ++used;
      }
      if (groups[slots[slot] - 1].key == key)
        return slots[slot] - 1;
    }
  }
  static void clear(Group<Key> &g) {
    g.total = g.tuples = 0;
    g.least = 1e300;
    g.most = -1e300;
  }
  void flush(Sink &sink) {
    for (size_t k = 0; k < used; ++k) {
      Group<Key> &g = groups[k];
      if (!g.tuples)
        continue;
      sink.sum +=
          checkAll(window, numberOf(g.key), g.total, g.tuples, g.total / g.tuples, g.least, g.most);
      ++sink.count;
      clear(g);
    }
    ++window;
    filled = 0;
  }
  Group<Key> groups[kSymbols];
  uint16_t slots[kSlots] = {}, used = 0; // a slot has the number of its group, from 1
  uint64_t window = 0;
  size_t filled = 0;
  size_t found[kRows];
};

template <class Key> void run(uint64_t count, Sink &sink) {
  Key names[kSymbols];
  for (size_t k = 0; k < kSymbols; ++k)
    if constexpr (std::is_same_v<Key, Name>) {
      names[k] = {5, {}};
      snprintf(names[k].text, sizeof names[k].text, "S%04zu", k);
    } else {
      names[k] = nameOf(Symbols, k);
    }
  auto groups = std::make_unique<Groups<Key>>();
  alignas(64) uint64_t symbols[kRows];
  alignas(64) int64_t volumes[kRows];
  alignas(64) double prices[kRows];
  alignas(64) Key keys[kRows];
  inBatches(count, [&](uint64_t i, size_t rows) {
    for (size_t r = 0; r < rows; ++r) {
      uint64_t a = first(i + r), b = second(i + r);
      symbols[r] = std::min(upper(a, kSymbols), lower(a, kSymbols));
      prices[r] = double(int64_t(b >> 44)) / 64;
      volumes[r] = 1 + int64_t(b & 1023);
    }
    for (size_t r = 0; r < rows; ++r)
      if constexpr (std::is_same_v<Key, Name>)
        keys[r] = names[symbols[r]];
      else
        keys[r] = nameOf(Symbols, symbols[r]);
    groups->take(keys, volumes, prices, rows, sink);
  });
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    usage("grouped number|name COUNT");
  uint64_t count = strtoull(argv[2], nullptr, 10);
  Sink sink;
  if (argv[1] == std::string_view("name"))
    run<Name>(count, sink);
  else
    run<uint64_t>(count, sink);
  sink.print();
  return 0;
}
