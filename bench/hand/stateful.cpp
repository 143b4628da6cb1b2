//===- stateful.cpp - the workload `heavy` by hand ------------------------===//
//
// stateful N HEAVY COUNT: N operators with 100 flops each, but number HEAVY with
// 5000. What an operator sends needs what it sent before, so nothing can be done
// side by side within one.
#include "workload.h"
#include <cstdlib>

using namespace bench;

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: stateful N HEAVY COUNT\n");
    return 2;
  }
  unsigned operators = unsigned(atoi(argv[1])), heavy = unsigned(atoi(argv[2]));
  uint64_t count = strtoull(argv[3], nullptr, 10);
  std::vector<double> last(operators, 1.0);
  Sink sink;
  for (uint64_t i = 0; i < count; ++i) {
    Tuple<8> t;
    fill(t, i);
    double x;
    memcpy(&x, t.payload, 8);
    for (unsigned j = 0; j < operators; ++j)
      x = last[j] = 0.5 * (last[j] + work(x, j == heavy ? 5000 : 100));
    memcpy(t.payload, &x, 8);
    sink.take(t);
  }
  sink.print();
  return 0;
}
