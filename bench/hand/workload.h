//===- workload.h - what the reference programs share ---------------------===//
//
// The tuple of W1, its source, its operator and its sink, and the stream of
// pseudo-random numbers that the text of W5b is made from. All integers wrap, and
// floating point is evaluated as written, so that checksums agree to the bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace bench {
inline uint64_t splitmix(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// A tuple with a payload of P bytes, of which the first eight are a double.
template <size_t P> struct Tuple {
  uint64_t seq;
  unsigned char payload[P];
};

/// What every program prints: the number of tuples at the sink and their sum.
struct Sink {
  uint64_t count = 0, sum = 0;

  template <size_t P> void take(const Tuple<P> &t) {
    uint64_t s = t.seq;
    for (size_t i = 0; i < P; i += 8) {
      uint64_t word;
      memcpy(&word, t.payload + i, 8);
      s += word;
    }
    sum += s;
    ++count;
  }
  void print() const {
    printf("%llu %llu\n", (unsigned long long)count, (unsigned long long)sum);
  }
};

constexpr double kFactor = 1.0000001, kTerm = -1e-7;

/// The source: every byte is the low byte of seq, then the double is put in.
template <size_t P> inline void fill(Tuple<P> &t, uint64_t seq) {
  t.seq = seq;
  memset(t.payload, int(seq & 0xff), P);
  double x = 1.0 + double(seq & 1023) * (1.0 / 1024);
  memcpy(t.payload, &x, 8);
}

/// One operator: `flops` operations, each of which needs the one before.
template <size_t P> inline void apply(Tuple<P> &t, unsigned flops) {
  double x;
  memcpy(&x, t.payload, 8);
  for (unsigned k = 0; k + 1 < flops; k += 2) {
    x = x * kFactor;
    x = x + kTerm;
  }
  if (flops & 1)
    x = x * kFactor;
  memcpy(t.payload, &x, 8);
}
} // namespace bench
