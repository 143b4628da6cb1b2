//===- sorted.cpp - W8g by hand, one thread -------------------------------===//
//
// sorted number|word COUNT: sorts windows of 100000 tuples, by a number, or by a word and a number.
// A key becomes 47 bits that are in its order, beside the row; three passes put the upper 33 of
// them in order, and insertion the rest. Words are numbered first, in their order.
#include "windows.h"
#include <numeric>
#include <string_view>

using namespace bench;
using namespace bench::windows;

namespace {
constexpr size_t kSize = 100000, kWords = 1000;
constexpr unsigned kRowBits = 17, kDigit = 11;
constexpr uint64_t kRowMask = (1 << kRowBits) - 1;

/// An integer in the order of the number; -0.0 and NaN do not occur.
uint64_t ordered(int64_t key) { return uint64_t(key) ^ 1ull << 63; }
uint64_t ordered(double key) {
  uint64_t bits = std::bit_cast<uint64_t>(key);
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

class Sorter {
public:
  /// Row numbers in the order of keyOf(row), or of less(row, row) where keys are equal in what is
  /// looked at. The bits that all keys have alike at their top are left out.
  template <class Key, class Less> const uint64_t *sort(Key keyOf, Less less) {
    uint64_t any = 0, all = ~0ull;
    for (size_t r = 0; r < kSize; ++r) {
      any |= keyOf(r);
      all &= keyOf(r);
    }
    const int alike = std::countl_zero(any ^ all) % 64;
    size_t counts[3][1 << kDigit] = {};
    for (size_t r = 0; r < kSize; ++r) {
      uint64_t key = a[r] = (keyOf(r) << alike & ~kRowMask) | r;
      for (unsigned pass = 0; pass < 3; ++pass)
        ++counts[pass][digit(key, pass)];
    }
    uint64_t *from = a.data(), *to = b.data();
    for (unsigned pass = 0; pass < 3; ++pass) {
      std::exclusive_scan(counts[pass], std::end(counts[pass]), counts[pass], size_t(0));
      for (size_t k = 0; k < kSize; ++k)
        to[counts[pass][digit(from[k], pass)]++] = from[k];
      std::swap(from, to);
    }
    for (size_t k = 1; k < kSize; ++k) {
      uint64_t key = from[k];
      size_t place = k;
      for (; place && from[place - 1] >> kLow == key >> kLow &&
             less(key & kRowMask, from[place - 1] & kRowMask);
           --place)
        from[place] = from[place - 1];
      from[place] = key;
    }
    for (size_t k = 0; k < kSize; ++k)
      from[k] &= kRowMask;
    return from;
  }

private:
  static constexpr unsigned kLow = 64 - 3 * kDigit; // below the digits
  static size_t digit(uint64_t key, unsigned pass) {
    return key >> (kLow + pass * kDigit) & ((1 << kDigit) - 1);
  }
  std::vector<uint64_t> a = std::vector<uint64_t>(kSize), b = std::vector<uint64_t>(kSize);
};

void byNumber(uint64_t count, Sink &sink) {
  std::vector<int64_t> keys(kSize);
  Sorter sorter;
  for (uint64_t i = 0; i + kSize <= count; i += kSize) {
    for (size_t r = 0; r < kSize; ++r)
      keys[r] = int64_t(first(i + r));
    const uint64_t *rows = sorter.sort([&](size_t r) { return ordered(keys[r]); },
                                       [&](size_t x, size_t y) { return keys[x] < keys[y]; });
    for (size_t k = 0; k < kSize; ++k)
      sink.sum += checkAll(i + k, i + rows[k], keys[rows[k]]);
    sink.count += kSize;
  }
}

/// A word of at most 12 letters, padded with zeros: the order of the bytes is that of words.
struct Word {
  uint32_t length;
  char text[12];
  bool operator==(const Word &o) const { return !memcmp(this, &o, sizeof o); }
  bool operator<(const Word &o) const { return memcmp(text, o.text, sizeof text) < 0; }
};
uint64_t hashOf(const Word &w) {
  uint64_t low, high;
  memcpy(&low, &w, 8);
  memcpy(&high, reinterpret_cast<const char *>(&w) + 8, 8);
  return bench::windows::hashOf(low * 0xbf58476d1ce4e5b9ull ^ high);
}
Word wordOf(uint64_t k) {
  uint64_t s = nameOf(Words, k);
  Word w = {uint32_t(4 + s % 9), {}};
  for (unsigned c = 0; c < w.length; ++c) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    w.text[c] = char('a' + (s >> 33) % 26);
  }
  return w;
}

/// Gives each row the place of its word among the words of the window.
class Ranks {
public:
  /// How many different words there are.
  size_t number(const std::vector<Word> &words) {
    distinct.clear();
    std::fill(slots.begin(), slots.end(), 0u);
    for (size_t r = 0; r < kSize; ++r) {
      size_t slot = hashOf(words[r]) >> (64 - kBits);
      while (slots[slot] && !(distinct[slots[slot] - 1] == words[r]))
        slot = (slot + 1) % slots.size();
      if (!slots[slot]) {
        distinct.push_back(words[r]);
        slots[slot] = uint32_t(distinct.size());
      }
      numbers[r] = slots[slot] - 1;
    }
    std::vector<uint32_t> order(distinct.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](uint32_t x, uint32_t y) { return distinct[x] < distinct[y]; });
    ranks.resize(order.size());
    for (size_t k = 0; k < order.size(); ++k)
      ranks[order[k]] = uint32_t(k);
    return distinct.size();
  }
  uint64_t of(size_t row) const { return ranks[numbers[row]]; }

private:
  static constexpr unsigned kBits = 18; // twice the rows of a window: never full
  std::vector<uint32_t> slots = std::vector<uint32_t>(1 << kBits),
                        numbers = std::vector<uint32_t>(kSize), ranks;
  std::vector<Word> distinct;
};

void byWord(uint64_t count, Sink &sink) {
  std::vector<Word> all, words(kSize);
  for (size_t k = 0; k < kWords; ++k)
    all.push_back(wordOf(k));
  std::vector<double> numbers(kSize);
  Sorter sorter;
  Ranks ranks;
  for (uint64_t i = 0; i + kSize <= count; i += kSize) {
    uint64_t any = 0, same = ~0ull;
    for (size_t r = 0; r < kSize; ++r) {
      words[r] = all[upper(first(i + r), kWords)];
      numbers[r] = double(int64_t(second(i + r) >> 34)) / 1024;
    }
    for (size_t r = 0; r < kSize; ++r) {
      any |= ordered(numbers[r]);
      same &= ordered(numbers[r]);
    }
    const int alike = std::countl_zero(any ^ same) % 64;
    const int shift = std::countl_zero(ranks.number(words)) % 64;
    const uint64_t *rows = sorter.sort(
        [&](size_t r) {
          return ranks.of(r) << shift | ordered(numbers[r]) << alike >> (64 - shift);
        },
        [&](size_t x, size_t y) {
          return ranks.of(x) != ranks.of(y) ? ranks.of(x) < ranks.of(y) : numbers[x] < numbers[y];
        });
    for (size_t k = 0; k < kSize; ++k)
      sink.sum += checkAll(i + k, i + rows[k], numbers[rows[k]]);
    sink.count += kSize;
  }
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    usage("sorted number|word COUNT");
  Sink sink;
  uint64_t count = strtoull(argv[2], nullptr, 10);
  if (argv[1] == std::string_view("word"))
    byWord(count, sink);
  else
    byNumber(count, sink);
  sink.print();
  return 0;
}
