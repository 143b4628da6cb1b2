//===- passes.cpp - W1 with F = 1 and P = 8 by hand, not fused ------------===//
//
// passes N COUNT: what is left of a boundary if it costs nothing by itself. Rows come in
// batches of 1024, a column for each attribute; each operator is a call that reads and
// writes a column in place, as generated code does where a port is called.
#include "workload.h"
#include <algorithm>
#include <cstdlib>

using namespace bench;

constexpr unsigned kRows = 1024;
struct alignas(64) Batch {
  uint64_t seq[kRows];
  double x[kRows];
};

static void multiply(Batch &batch, unsigned rows) {
  for (unsigned i = 0; i < rows; ++i)
    batch.x[i] *= kFactor;
}

static void fillBatch(Batch &batch, uint64_t first, unsigned rows) {
  for (unsigned i = 0; i < rows; ++i) {
    batch.seq[i] = first + i;
    batch.x[i] = 1.0 + double((first + i) & 1023) * (1.0 / 1024);
  }
}

static void takeBatch(Sink &sink, const Batch &batch, unsigned rows) {
  for (unsigned i = 0; i < rows; ++i) {
    uint64_t word;
    memcpy(&word, &batch.x[i], 8);
    sink.sum += batch.seq[i] + word;
  }
  sink.count += rows;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: passes N COUNT\n");
    return 2;
  }
  unsigned operators = unsigned(atoi(argv[1]));
  uint64_t count = strtoull(argv[2], nullptr, 10);
  // Read each time, so that nothing is inlined and no two passes become one.
  void (*volatile pass)(Batch &, unsigned) = multiply;
  static Batch batch;
  Sink sink;
  for (uint64_t i = 0; i < count; i += kRows) {
    unsigned rows = unsigned(std::min<uint64_t>(kRows, count - i));
    fillBatch(batch, i, rows);
    for (unsigned j = 0; j < operators; ++j)
      pass(batch, rows);
    takeBatch(sink, batch, rows);
  }
  sink.print();
  return 0;
}
