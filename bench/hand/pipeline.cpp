//===- pipeline.cpp - W1 by hand ------------------------------------------===//
//
// pipeline VARIANT N F P COUNT, with VARIANT one of
//   hand-1t     one thread, the chain fused into one loop; N, F and P are constants
//   hand-simd1  one thread, 64 tuples at a time in vector registers; N and F are not
// F = 0 means skewed: the flops of the operators differ, and are read at run time.
#include "workload.h"
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

using namespace bench;

template <size_t P, unsigned F, unsigned N> static Sink fused(uint64_t count) {
  Sink sink;
  Tuple<P> t;
  for (uint64_t i = 0; i < count; ++i) {
    fill(t, i);
#pragma GCC unroll 20
    for (unsigned j = 0; j < N; ++j)
      apply(t, F);
    sink.take(t);
  }
  return sink;
}

template <size_t P> static Sink fusedSkewed(uint64_t count, const std::vector<unsigned> &flops) {
  Sink sink;
  Tuple<P> t;
  for (uint64_t i = 0; i < count; ++i) {
    fill(t, i);
    for (unsigned f : flops)
      apply(t, f);
    sink.take(t);
  }
  return sink;
}

typedef double Vector __attribute__((vector_size(64)));
constexpr unsigned kLanes = 8, kVectors = 8, kBlock = kLanes * kVectors;

/// Eight vectors hide the latency of the multiply: the chain within a tuple stays
/// as it is, and 64 tuples go through it side by side.
static void applyBlock(double *x, const std::vector<unsigned> &operators) {
  Vector v[kVectors];
  memcpy(v, x, sizeof v);
  for (unsigned flops : operators) {
    for (unsigned k = 0; k + 1 < flops; k += 2)
      for (Vector &lane : v) {
        lane = lane * kFactor;
        lane = lane + kTerm;
      }
    if (flops & 1)
      for (Vector &lane : v)
        lane = lane * kFactor;
  }
  memcpy(x, v, sizeof v);
}

template <size_t P> static Sink blocked(uint64_t count, const std::vector<unsigned> &flops) {
  Sink sink;
  std::vector<Tuple<P>> tuples(kBlock);
  alignas(64) double x[kBlock];
  for (uint64_t i = 0; i < count; i += kBlock) {
    unsigned rows = unsigned(std::min<uint64_t>(kBlock, count - i));
    std::fill(x, x + kBlock, 1.0);
    for (unsigned k = 0; k < rows; ++k)
      fill(tuples[k], i + k);
    for (unsigned k = 0; k < rows; ++k)
      memcpy(&x[k], tuples[k].payload, 8);
    applyBlock(x, flops);
    for (unsigned k = 0; k < rows; ++k) {
      memcpy(tuples[k].payload, &x[k], 8);
      sink.take(tuples[k]);
    }
  }
  return sink;
}

template <size_t P, unsigned F> static Sink fusedOf(unsigned operators, uint64_t count) {
  return operators == 10    ? fused<P, F, 10>(count)
         : operators == 100 ? fused<P, F, 100>(count)
                            : fused<P, F, 500>(count);
}

template <size_t P> static Sink run(bool simd, unsigned operators, unsigned flops, uint64_t count) {
  if (simd)
    return blocked<P>(count, flopsOf(operators, flops));
  return flops == 0     ? fusedSkewed<P>(count, flopsOf(operators, 0))
         : flops == 1   ? fusedOf<P, 1>(operators, count)
         : flops == 100 ? fusedOf<P, 100>(operators, count)
                        : fusedOf<P, 10000>(operators, count);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: pipeline hand-1t|hand-simd1 N F P COUNT\n");
    return 2;
  }
  bool simd = argv[1] == std::string("hand-simd1");
  unsigned operators = unsigned(atoi(argv[2])), flops = unsigned(atoi(argv[3]));
  size_t payload = size_t(atoi(argv[4]));
  uint64_t count = strtoull(argv[5], nullptr, 10);
  bool known = (operators == 10 || operators == 100 || operators == 500) &&
               (flops == 0 || flops == 1 || flops == 100 || flops == 10000) &&
               (payload == 8 || payload == 128 || payload == 1024 || payload == 16384);
  if (!known) {
    fprintf(stderr, "pipeline: no case N=%u F=%u P=%zu\n", operators, flops, payload);
    return 2;
  }
  Sink sink = payload == 8      ? run<8>(simd, operators, flops, count)
              : payload == 128  ? run<128>(simd, operators, flops, count)
              : payload == 1024 ? run<1024>(simd, operators, flops, count)
                                : run<16384>(simd, operators, flops, count);
  sink.print();
  return 0;
}
