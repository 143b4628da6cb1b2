//===- pipeline.cpp - W1 to W4 as a pipeline of oneTBB ----------------------===//
//
// pipeline THREADS W1 N F P COUNT              F = 0: skewed
// pipeline THREADS W2-W50|W2-W100|W3|W4 F COUNT
// Tokens of 64 tuples go through three filters: the source and the sink in order, and between them
// all operators, which any number of threads run. There is no fork: the number of a tuple says
// which factors it meets.
#include "../hand/workload.h"
#include "levels.h"
#include <array>
#include <cstdlib>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <string>

using namespace bench;
namespace tbb = oneapi::tbb;

namespace {
constexpr size_t kRows = 64, kTokens = 16;

template <size_t P> struct Token {
  std::array<Tuple<P>, kRows> tuples;
  size_t rows = 0;
};
} // namespace

template <size_t P> static void pass(Token<P> &token, const std::vector<Level> &levels) {
  for (const Level &level : levels)
    for (size_t i = 0; i < token.rows; ++i) {
      Tuple<P> &t = token.tuples[i];
      double factor = kFactor + 1e-10 * (level.firstNumber + unsigned(t.seq % level.width));
      apply(t, level.flops, factor);
    }
}

template <size_t P> static Sink run(const std::vector<Level> &levels, uint64_t count) {
  std::vector<Token<P>> tokens(kTokens); // in the order of the source, which waits for the sink
  uint64_t made = 0, number = 0;
  Sink sink;
  auto source = [&](tbb::flow_control &control) -> Token<P> * {
    if (made == count) {
      control.stop();
      return nullptr;
    }
    Token<P> &token = tokens[number++ % kTokens];
    for (token.rows = 0; token.rows < kRows && made < count; ++token.rows)
      fill(token.tuples[token.rows], made++);
    return &token;
  };
  auto operators = [&](Token<P> *token) {
    pass(*token, levels);
    return token;
  };
  auto last = [&](Token<P> *token) {
    for (size_t i = 0; i < token->rows; ++i)
      sink.take(token->tuples[i]);
  };
  using tbb::filter_mode;
  tbb::parallel_pipeline(
      kTokens, tbb::make_filter<void, Token<P> *>(filter_mode::serial_in_order, source) &
                   tbb::make_filter<Token<P> *, Token<P> *>(filter_mode::parallel, operators) &
                   tbb::make_filter<Token<P> *, void>(filter_mode::serial_in_order, last));
  return sink;
}

int main(int argc, char **argv) {
  std::string workload = argc > 2 ? argv[2] : "";
  if (argc != (workload == "W1" ? 7 : 5)) {
    fprintf(stderr,
            "usage: pipeline THREADS W1 N F P COUNT | W2-W50 F COUNT (or W2-W100, W3, W4)\n");
    return 2;
  }
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, size_t(atoi(argv[1])));
  uint64_t count = strtoull(argv[argc - 1], nullptr, 10);
  if (workload != "W1") {
    run<128>(shape(workload, unsigned(atoi(argv[3]))), count).print();
    return 0;
  }
  std::vector<Level> levels;
  for (unsigned flops : flopsOf(unsigned(atoi(argv[3])), unsigned(atoi(argv[4]))))
    levels.push_back({1, flops, 0});
  int payload = atoi(argv[5]);
  Sink sink = payload == 8      ? run<8>(levels, count)
              : payload == 128  ? run<128>(levels, count)
              : payload == 1024 ? run<1024>(levels, count)
                                : run<16384>(levels, count);
  sink.print();
  return 0;
}
