//===- docs.cpp - makes the lines of W9 -----------------------------------===//
//
// docs LINES: writes lines of JSON, an object of ten members each, to the standard output. A
// shorter file is the beginning of a longer one.
#include "../workload.h"
#include <cstdlib>

using namespace bench;

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: docs LINES >FILE\n");
    return 2;
  }
  const unsigned long long lines = strtoull(argv[1], nullptr, 10);
  uint64_t state = 46;
  for (unsigned long long i = 0; i < lines; ++i) {
    const unsigned user = unsigned(splitmix(state) % 100000);
    const uint64_t a = splitmix(state), b = splitmix(state);
    printf("{\"id\":%llu,\"user\":\"user_%u\",\"email\":\"user_%u@example.com\",\"price\":%u.%02u,"
           "\"quantity\":%u,\"active\":%s,\"city\":\"Springfield\",\"lat\":%d.%06u,\"lon\":%d.%06u,"
           "\"comment\":\"a comment with some more words in it, number %llu\"}\n",
           i, user, user, unsigned(a % 1000), unsigned(a >> 20) % 100, unsigned(b % 1000),
           b >> 40 & 1 ? "true" : "false", int(a >> 40) % 90, unsigned(b >> 32) % 1000000,
           int(a >> 50) % 180, unsigned(b >> 20) % 1000000, i);
  }
  if (fflush(stdout) || ferror(stdout)) {
    perror("docs");
    return 1;
  }
  return 0;
}
