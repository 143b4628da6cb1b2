//===- windows.h - what the references of W8 share ------------------------===//
//
// The numbers that tuples are made of, the checksum, and memory in large pages. Tuples come
// in columns of up to 1024 rows. Everything is a function of the number of the tuple.
#pragma once
#include "workload.h"
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

namespace bench::windows {
constexpr size_t kRows = 1024;

/// The pseudo-random number of a state. Tuple i has those of the states 4i, 4i+1 and 4i+2.
inline uint64_t random(uint64_t state) { return splitmix(state); }
inline uint64_t first(uint64_t i) { return random(4 * i + 1); }
inline uint64_t second(uint64_t i) { return random(4 * i + 2); }

/// A number below `limit` from the upper or the lower half of r.
inline uint64_t upper(uint64_t r, uint64_t limit) { return ((r >> 32) * limit) >> 32; }
inline uint64_t lower(uint64_t r, uint64_t limit) { return ((r & 0xffffffff) * limit) >> 32; }

inline int64_t value(uint64_t i) { return int64_t(random(4 * i) >> 34) - (1 << 29); }

enum Kind : uint64_t { Keys, Symbols, Ads, Campaigns, JoinKeys, Duplicates, Words };

/// The name of number k, of 64 bits.
inline uint64_t nameOf(Kind kind, uint64_t k) { return random((1ull << 60) + (kind << 32) + k); }

inline uint64_t word(uint64_t w) { return w; }
inline uint64_t word(int64_t w) { return uint64_t(w); }
inline uint64_t word(double w) { return uint64_t(int64_t(w * 1024)); }

/// What attribute number `a` of a result with number j adds to the sum.
template <class T> inline uint64_t check(T w, uint64_t j, unsigned a) {
  return (word(w) ^ j) * (2 * a + 1);
}

/// The same for all attributes, in order.
template <class... T> inline uint64_t checkAll(uint64_t j, T... w) {
  unsigned a = 0;
  uint64_t sum = 0;
  ((sum += check(w, j, a++)), ...);
  return sum;
}

inline uint64_t hashOf(uint64_t key) { return (key ^ key >> 32) * 0x9e3779b97f4a7c15ull; }

/// Calls body(number of the first, how many) for batches of tuples.
template <class Body> void inBatches(uint64_t count, Body body) {
  for (uint64_t i = 0; i < count; i += kRows)
    body(i, size_t(std::min<uint64_t>(kRows, count - i)));
}

/// Zeroed memory, in large pages where the system has them.
template <class T> class Pages {
public:
  explicit Pages(size_t count) : bytes(count * sizeof(T) + kPage) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      perror("mmap");
      exit(1);
    }
    first = reinterpret_cast<T *>((uintptr_t(memory) + kPage - 1) & ~(kPage - 1));
    madvise(first, count * sizeof(T), MADV_HUGEPAGE);
  }
  ~Pages() { munmap(memory, bytes); }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;
  T &operator[](size_t i) { return first[i]; }

private:
  static constexpr size_t kPage = 2 << 20;
  void *memory;
  size_t bytes;
  T *first;
};

[[noreturn]] inline void usage(const char *text) {
  fprintf(stderr, "usage: %s\n", text);
  exit(2);
}
} // namespace bench::windows
