//===- ticks.cpp - makes the ticks of W6 ----------------------------------===//
//
// ticks LINES [quoted]: writes lines `seq,symbol,type,price,volume,ask,asksize` to the standard
// output: trades T (price and volume), quotes Q (ask and asksize) and others X, of 1000 symbols, of
// which those with low numbers are likelier. A shorter file is the beginning of a longer one.
// quoted: one line in a hundred has its symbol in quotes, and if it is an X its type, with a comma.
#include "workload.h"
#include <algorithm>
#include <cstdlib>
#include <string_view>

using namespace bench;

int main(int argc, char **argv) {
  const bool quoted = argc == 3 && argv[2] == std::string_view("quoted");
  if (argc != 2 + quoted) {
    fprintf(stderr, "usage: ticks LINES [quoted] >FILE\n");
    return 2;
  }
  const unsigned long long lines = strtoull(argv[1], nullptr, 10);
  uint64_t state = 45;
  for (unsigned long long i = 0; i < lines; ++i) {
    const unsigned share = unsigned(splitmix(state) % 100);
    const uint64_t a = splitmix(state), b = splitmix(state);
    const unsigned symbol = unsigned(std::min(a % 1000, b % 1000));
    const unsigned cents = 900 + symbol * 37 % 40000 + unsigned(splitmix(state) % 200);
    const unsigned size = 1 + unsigned(splitmix(state) % 1000);
    const bool quotes = quoted && i % 100 == 37;
    printf(quotes ? "%llu,\"S%04u\"," : "%llu,S%04u,", i, symbol);
    if (share < 40)
      printf("T,%u.%02u,%u,,\n", cents / 100, cents % 100, size);
    else if (share < 97)
      printf("Q,,,%u.%02u,%u\n", cents / 100, cents % 100, size);
    else
      puts(quotes ? "\"X,x\",,,," : "X,,,,");
  }
  if (fflush(stdout) || ferror(stdout)) {
    perror("ticks");
    return 1;
  }
  return 0;
}
