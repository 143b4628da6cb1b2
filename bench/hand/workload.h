//===- workload.h - what the reference programs share ---------------------===//
//
// The tuple of W1 to W4, its source, its operator and its sink, and the stream of
// pseudo-random numbers that skews W1 and makes the words of W5. All integers wrap, and
// floating point is evaluated as written, so that checksums agree to the bit.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

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
  void print() const { printf("%llu %llu\n", (unsigned long long)count, (unsigned long long)sum); }
};

constexpr double kFactor = 1.0000001, kTerm = -1e-7;

/// The source: every byte is the low byte of seq, then the double is put in.
template <size_t P> inline void fill(Tuple<P> &t, uint64_t seq) {
  t.seq = seq;
  memset(t.payload, int(seq & 0xff), P);
  double x = 1.0 + double(seq & 1023) * (1.0 / 1024);
  memcpy(t.payload, &x, 8);
}

/// `flops` operations, each of which needs the one before.
inline double work(double x, unsigned flops, double factor = kFactor) {
  for (unsigned k = 0; k + 1 < flops; k += 2) {
    x = x * factor;
    x = x + kTerm;
  }
  if (flops & 1)
    x = x * factor;
  return x;
}

/// One operator.
template <size_t P> inline void apply(Tuple<P> &t, unsigned flops, double factor = kFactor) {
  double x;
  memcpy(&x, t.payload, 8);
  x = work(x, flops, factor);
  memcpy(t.payload, &x, 8);
}

/// The flops of each of N operators; 0 means skewed: a tenth has 10000, three tenths
/// 100, the rest 1, shuffled.
inline std::vector<unsigned> flopsOf(unsigned operators, unsigned flops) {
  std::vector<unsigned> all(operators, flops);
  if (flops)
    return all;
  for (unsigned j = 0; j < operators; ++j)
    all[j] = j < operators / 10 ? 10000 : j < operators / 10 + 3 * operators / 10 ? 100 : 1;
  uint64_t state = 7;
  for (unsigned j = operators - 1; j > 0; --j)
    std::swap(all[j], all[splitmix(state) % (j + 1)]);
  return all;
}
} // namespace bench
