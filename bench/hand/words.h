//===- words.h - the dictionary of W5, and counts of words -----------------===//
#pragma once
#include "workload.h"
#include <string>
#include <unordered_set>

namespace bench {
/// The distinct words of W5, in the order in which they are drawn: of `least` letters, or up to
/// `lengths` - 1 more.
inline std::vector<std::string> makeDictionary(size_t least = 4, size_t lengths = 9) {
  constexpr size_t kWords = 175000;
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  uint64_t state = 42;
  while (words.size() < kWords) {
    std::string word(least + splitmix(state) % lengths, 'a');
    for (char &c : word)
      c = char('a' + splitmix(state) % 26);
    if (seen.insert(word).second)
      words.push_back(word);
  }
  return words;
}

/// A word as one 16-byte key: equality is one comparison, and zero is no word.
struct Word {
  unsigned char length;
  char text[15];
};

inline uint64_t hashOf(const Word &w) {
  uint64_t low, high;
  memcpy(&low, &w, 8);
  memcpy(&high, reinterpret_cast<const char *>(&w) + 8, 8);
  uint64_t h = (low ^ 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  h ^= high + (h >> 32);
  h *= 0x94d049bb133111ebull;
  return h ^ (h >> 29);
}

/// The same, of up to 40 letters.
struct LongWord {
  unsigned char length;
  char text[47];
};

inline uint64_t hashOf(const LongWord &w) {
  uint64_t h = 0;
  for (size_t at = 0; at < sizeof w; at += 8) {
    uint64_t part;
    memcpy(&part, reinterpret_cast<const char *>(&w) + at, 8);
    h = (h ^ part) * 0xbf58476d1ce4e5b9ull;
    h ^= h >> 32;
  }
  return h;
}

/// Open addressing; doubles at three quarters full.
template <typename Key = Word> class Counts {
public:
  /// Counts one more of `w` and returns how many there are now.
  uint64_t add(const Key &w) {
    Entry &e = find(w);
    if (e.count)
      return ++e.count;
    e = {w, 1};
    if (++used * 4 > entries.size() * 3)
      grow();
    return 1;
  }

private:
  struct Entry {
    Key word;
    uint64_t count;
  };
  Entry &find(const Key &w) {
    size_t mask = entries.size() - 1;
    for (size_t i = hashOf(w) & mask;; i = (i + 1) & mask)
      if (!entries[i].count || !memcmp(&entries[i].word, &w, sizeof w))
        return entries[i];
  }
  void grow() {
    std::vector<Entry> old(entries.size() * 2);
    old.swap(entries);
    for (const Entry &e : old)
      if (e.count)
        find(e.word) = e;
  }
  std::vector<Entry> entries = std::vector<Entry>(4096);
  size_t used = 0;
};

} // namespace bench
