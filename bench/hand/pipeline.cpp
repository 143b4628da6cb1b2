//===- pipeline.cpp - W1 by hand ------------------------------------------===//
//
// pipeline VARIANT N F P COUNT, with VARIANT one of
//   hand-1t     one thread, the chain fused into one loop; N, F and P are constants
//   hand-simd1  one thread, 64 tuples at a time in vector registers; N and F are not
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

typedef double Vector __attribute__((vector_size(64)));
constexpr unsigned kLanes = 8, kVectors = 8, kBlock = kLanes * kVectors;

/// Eight vectors hide the latency of the multiply: the chain within a tuple stays
/// as it is, and 64 tuples go through it side by side.
static void applyBlock(double *x, unsigned flops, unsigned operators) {
  Vector v[kVectors];
  memcpy(v, x, sizeof v);
  for (unsigned j = 0; j < operators; ++j) {
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

template <size_t P> static Sink blocked(uint64_t count, unsigned flops, unsigned operators) {
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
    applyBlock(x, flops, operators);
    for (unsigned k = 0; k < rows; ++k) {
      memcpy(tuples[k].payload, &x[k], 8);
      sink.take(tuples[k]);
    }
  }
  return sink;
}

namespace {
struct Case {
  unsigned operators, flops;
  size_t payload;
  Sink (*run)(uint64_t);
};
#define ONE_PAYLOAD(P)                                                           \
  {10, 1, P, fused<P, 1, 10>}, {100, 1, P, fused<P, 1, 100>},                    \
  {500, 1, P, fused<P, 1, 500>}, {10, 100, P, fused<P, 100, 10>},                \
  {100, 100, P, fused<P, 100, 100>}, {500, 100, P, fused<P, 100, 500>}
const Case kCases[] = {ONE_PAYLOAD(8), ONE_PAYLOAD(128)};
} // namespace

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: pipeline hand-1t|hand-simd1 N F P COUNT\n");
    return 2;
  }
  std::string variant = argv[1];
  unsigned operators = unsigned(atoi(argv[2])), flops = unsigned(atoi(argv[3]));
  size_t payload = size_t(atoi(argv[4]));
  uint64_t count = strtoull(argv[5], nullptr, 10);
  for (const Case &c : kCases)
    if (c.operators == operators && c.flops == flops && c.payload == payload) {
      Sink sink = variant == "hand-1t" ? c.run(count)
                  : payload == 8       ? blocked<8>(count, flops, operators)
                                       : blocked<128>(count, flops, operators);
      sink.print();
      return 0;
    }
  fprintf(stderr, "pipeline: no case N=%u F=%u P=%zu\n", operators, flops, payload);
  return 2;
}
