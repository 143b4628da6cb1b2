//===- market.cpp - the workload `vwap` by hand, one thread ---------------===//
//
// market COUNT: what examples/vwap does with so many ticks of 1000 symbols. A tick is written as a
// line of text and read again.
#include "workload.h"
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

using namespace bench;

namespace {
constexpr uint64_t kSymbols = 1000;

uint64_t random(uint64_t state) {
  uint64_t z = state * 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

struct Line {
  char text[48];
  char *end = text;
  void add(char c) { *end++ = c; }
  void add(uint64_t n) { end = std::to_chars(end, text + sizeof text, n).ptr; }
};

void write(Line &line, uint64_t i) {
  const uint64_t r = random(i + 1), symbol = std::min(r % kSymbols, (r >> 16) % kSymbols);
  line.add('S');
  line.add(symbol);
  line.add(',');
  line.add((r >> 40) % 5 < 2 ? 'T' : 'Q');
  line.add(',');
  line.add(1000 + symbol * 37 % 4000 + (r >> 32) % 200);
  line.add(',');
  line.add(1 + (r >> 48) % 1000);
}

struct Tick {
  uint64_t symbol, price, shares;
  bool isTrade;
};

Tick parse(const Line &line) {
  Tick t = {};
  const char *p = std::from_chars(line.text + 1, line.end, t.symbol).ptr;
  t.isTrade = p[1] == 'T';
  p = std::from_chars(p + 3, line.end, t.price).ptr;
  std::from_chars(p + 1, line.end, t.shares);
  return t;
}

/// The last four trades, their average, and the bargains. Sums are of integers, so exact.
class Symbol {
public:
  uint64_t trade(double price, double shares) {
    const uint64_t place = trades++ % kTrades;
    values[place] = price * shares;
    volumes[place] = shares;
    double value = 0, volume = 0;
    for (uint64_t k = 0; k < std::min(trades, kTrades); ++k) {
      value += values[k];
      volume += volumes[k];
    }
    const double before = trades == 1 ? value / volume : average;
    average = value / volume;
    return std::bit_cast<uint64_t>(average) + std::bit_cast<uint64_t>(average - before);
  }
  uint64_t quote(double ask, double shares) {
    const uint64_t worth = average > ask ? uint64_t((average - ask) * shares) : 0;
    bargains += worth > 0;
    return worth + bargains;
  }

private:
  static constexpr uint64_t kTrades = 4;
  uint64_t trades = 0, bargains = 0;
  double values[kTrades], volumes[kTrades], average = 0;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: market COUNT\n");
    return 2;
  }
  std::vector<Symbol> symbols(kSymbols);
  Sink sink;
  for (uint64_t i = 0, count = strtoull(argv[1], nullptr, 10); i < count; ++i) {
    Line line;
    write(line, i);
    const Tick t = parse(line);
    Symbol &symbol = symbols[t.symbol];
    const double price = double(t.price), shares = double(t.shares);
    sink.sum += t.isTrade ? symbol.trade(price, shares) : symbol.quote(price, shares);
    ++sink.count;
  }
  sink.print();
  return 0;
}
