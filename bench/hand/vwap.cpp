//===- vwap.cpp - W6 by hand, one thread ----------------------------------===//
//
// vwap FILE: maps the ticks, keeps the last four trades of each symbol and their volume-weighted
// average price, and compares each quote with it. vwap FILE parse: only reads them.
#include "mapped.h"
#include "workload.h"
#include <algorithm>
#include <string_view>

using namespace bench;

namespace {
struct Tick {
  unsigned seq, symbol;
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
  t.seq = number(p);
  for (p += 2; *p != ','; ++p)
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

/// The sum of all that is in the lines; a symbol and a type have six bytes.
static Sink parseOnly(const Mapped &file) {
  Sink sink;
  for (const char *p = file.begin(); p < file.end(); ++sink.count) {
    const Tick t = parse(p);
    sink.sum += t.seq + uint64_t(t.price * 100) + t.size + 6;
  }
  return sink;
}

static Sink average(const Mapped &file) {
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
  return sink;
}

int main(int argc, char **argv) {
  const bool parses = argc == 3 && argv[2] == std::string_view("parse");
  if (argc != 2 + parses) {
    fprintf(stderr, "usage: vwap FILE [parse]\n");
    return 2;
  }
  Mapped file(argv[1]);
  (parses ? parseOnly(file) : average(file)).print();
  return 0;
}
