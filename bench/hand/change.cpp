//===- change.cpp - the workload `change` by hand -------------------------===//
//
// change N F P COUNT: a chain of N operators. A tenth has F flops, the others one; from
// the tuple in the middle on all have F but another tenth. Shuffled as in W1.
#include "workload.h"
#include <cstdlib>

using namespace bench;

struct Flops {
  unsigned before, after;
};

static std::vector<Flops> changing(unsigned operators, unsigned flops) {
  std::vector<Flops> all(operators);
  unsigned tenth = operators / 10;
  for (unsigned j = 0; j < operators; ++j)
    all[j] = {j < tenth ? flops : 1, j < operators - tenth ? flops : 1};
  uint64_t state = 7;
  for (unsigned j = operators - 1; j > 0; --j)
    std::swap(all[j], all[splitmix(state) % (j + 1)]);
  return all;
}

template <size_t P> static Sink run(const std::vector<Flops> &operators, uint64_t count) {
  Sink sink;
  Tuple<P> t;
  for (uint64_t i = 0; i < count; ++i) {
    fill(t, i);
    for (Flops flops : operators)
      apply(t, i < count / 2 ? flops.before : flops.after);
    sink.take(t);
  }
  return sink;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: change N F P COUNT\n");
    return 2;
  }
  auto operators = changing(unsigned(atoi(argv[1])), unsigned(atoi(argv[2])));
  uint64_t count = strtoull(argv[4], nullptr, 10);
  switch (atoi(argv[3])) {
  case 8:
    run<8>(operators, count).print();
    return 0;
  case 1024:
    run<1024>(operators, count).print();
    return 0;
  }
  fprintf(stderr, "change: P is 8 or 1024\n");
  return 2;
}
