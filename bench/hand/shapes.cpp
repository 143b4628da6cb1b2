//===- shapes.cpp - W2, W3 and W4 by hand ---------------------------------===//
//
// shapes W2-W50|W2-W100|W3|W4 F COUNT: one thread, one loop. Where a tuple goes
// decides the factors of the operators that it meets; F is a constant.
#include "workload.h"
#include <cstdlib>
#include <string>

using namespace bench;

/// The factor of operator (W4) or branch (W2, W3) `number`.
static double factorOf(unsigned number) { return kFactor + 1e-10 * number; }

/// `depth` operators a tuple; `factor(level, seq)` is the factor of the one that it
/// meets on that level.
template <unsigned F, typename Factor>
static Sink run(uint64_t count, unsigned depth, Factor factor) {
  Sink sink;
  Tuple<128> t;
  for (uint64_t i = 0; i < count; ++i) {
    fill(t, i);
    for (unsigned level = 0; level < depth; ++level)
      apply(t, F, factor(level, t.seq));
    sink.take(t);
  }
  return sink;
}

/// W4: widths of the levels, and the number of the first operator of each.
constexpr unsigned kWidth[] = {1, 3, 9, 27, 27, 9, 3, 1}, kBase[] = {0, 1, 4, 13, 40, 67, 76, 79};

template <unsigned F> static Sink shape(const std::string &name, uint64_t count) {
  if (name == "W2-W50")
    return run<F>(count, 1, [](unsigned, uint64_t seq) { return factorOf(seq % 50); });
  if (name == "W2-W100")
    return run<F>(count, 1, [](unsigned, uint64_t seq) { return factorOf(seq % 100); });
  if (name == "W3")
    return run<F>(count, 50, [](unsigned, uint64_t seq) { return factorOf(seq % 10); });
  return run<F>(count, 8, [](unsigned level, uint64_t seq) {
    return factorOf(kBase[level] + unsigned(seq % kWidth[level]));
  });
}

int main(int argc, char **argv) {
  std::string name = argc == 4 ? argv[1] : "", flops = argc == 4 ? argv[2] : "";
  bool known = (name == "W2-W50" || name == "W2-W100" || name == "W3" || name == "W4") &&
               (flops == "1" || flops == "100" || flops == "10000");
  if (!known) {
    fprintf(stderr, "usage: shapes W2-W50|W2-W100|W3|W4 1|100|10000 COUNT\n");
    return 2;
  }
  uint64_t count = strtoull(argv[3], nullptr, 10);
  Sink sink = flops == "1"     ? shape<1>(name, count)
              : flops == "100" ? shape<100>(name, count)
                               : shape<10000>(name, count);
  sink.print();
  return 0;
}
