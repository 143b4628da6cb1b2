//===- vwap.cpp - W6 by hand, one thread ----------------------------------===//
//
// vwap FILE: maps the ticks, keeps the last four trades of each symbol and their volume-weighted
// average price, and compares each quote with it.
#include "mapped.h"
#include "workload.h"
#include <algorithm>

using namespace bench;

namespace {
struct Tick {
  unsigned symbol;
  char type;
  double price; // or ask
  unsigned size;
};

unsigned number(const char *&p) {
  unsigned n = 0;
  while (unsigned(*p - '0') < 10)
    n = n * 10 + unsigned(*p++ - '0');
  return n;
}

/// Reads a line, of which it relies on the format.
Tick parse(const char *&p) {
  Tick t = {};
  while (*p++ != ',')
    ;
  for (++p; *p != ','; ++p)
    t.symbol = t.symbol * 10 + unsigned(*p - '0');
  t.type = p[1];
  p += 3;
  if (t.type == 'X') {
    p += 4;
    return t;
  }
  if (t.type == 'Q')
    p += 2;
  unsigned cents = number(p) * 100;
  cents += number(++p);
  t.price = cents / 100.0;
  t.size = number(++p);
  p += t.type == 'T' ? 3 : 1;
  return t;
}

class Symbol {
public:
  /// A trade; sums are made anew, the oldest first.
  void trade(double price, double volume) {
    values[count % kTrades] = price * volume;
    volumes[count % kTrades] = volume;
    const uint64_t trades = std::min(++count, kTrades);
    double value = 0, all = 0;
    for (uint64_t k = count - trades; k < count; ++k) {
      value += values[k % kTrades];
      all += volumes[k % kTrades];
    }
    average = value / all;
  }
  bool known() const { return count; }
  double average = 0;

private:
  static constexpr uint64_t kTrades = 4;
  uint64_t count = 0;
  double values[kTrades], volumes[kTrades];
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: vwap FILE\n");
    return 2;
  }
  Mapped file(argv[1]);
  std::vector<Symbol> symbols(1000);
  Sink sink;
  for (const char *p = file.begin(); p < file.end();) {
    const Tick t = parse(p);
    Symbol &symbol = symbols[t.symbol];
    if (t.type == 'T') {
      symbol.trade(t.price, t.size);
    } else if (t.type == 'Q' && symbol.known()) {
      double index = symbol.average > t.price ? (symbol.average - t.price) * t.size : 0;
      sink.sum += uint64_t(index * 100) + t.symbol;
      ++sink.count;
    }
  }
  sink.print();
  return 0;
}
