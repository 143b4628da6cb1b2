//===- forks.cpp - forks with all kinds of branches, by hand --------------===//
//
// forks filter|several|strings|marks COUNT: one thread, one loop. Tuple `seq` goes to branch
// seq mod 10; what comes out is added up in order.
#include "workload.h"
#include <cstdlib>
#include <string>
#include <string_view>

using namespace bench;

namespace {
constexpr uint64_t kWidth = 10, kMarked = 100; // branches; tuples between two markers

struct OrderedSink : Sink {
  void take(uint64_t value) {
    add(value);
    ++count;
  }
  /// A marker, which each branch passes on.
  void mark() {
    for (uint64_t branch = 0; branch < kWidth; ++branch)
      add(7);
  }

private:
  void add(uint64_t value) { sum = sum * 31 + value; }
};

OrderedSink filter(uint64_t count) {
  OrderedSink sink;
  for (uint64_t i = 0; i < count; ++i)
    if (uint64_t branch = i % kWidth; i / 10 % 3 != branch % 3)
      sink.take(i * (2 * branch + 1));
  sink.mark(); // that of the Beacon
  return sink;
}

OrderedSink several(uint64_t count) {
  OrderedSink sink;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t branch = i % kWidth;
    for (uint64_t k = 0; k <= branch % 3; ++k)
      sink.take(i * (2 * branch + 1) + k);
  }
  return sink;
}

OrderedSink strings(uint64_t count) {
  OrderedSink sink;
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t branch = i % kWidth;
    text = std::to_string(i);
    text += "-abcdefghijklmnop";
    text.append(std::string_view("abcdefghij").substr(0, branch));
    sink.take(i * (2 * branch + 1) + text.size());
  }
  sink.mark(); // that of the Beacon
  return sink;
}

OrderedSink marks(uint64_t count) {
  OrderedSink sink;
  for (uint64_t i = 0; i < count; ++i) {
    sink.take(i * (2 * (i % kWidth) + 1));
    if ((i + 1) % kMarked == 0)
      sink.mark();
  }
  return sink;
}
} // namespace

int main(int argc, char **argv) {
  std::string_view kind = argc == 3 ? argv[1] : "";
  auto *run = kind == "filter"    ? filter
              : kind == "several" ? several
              : kind == "strings" ? strings
              : kind == "marks"   ? marks
                                  : nullptr;
  if (!run) {
    fprintf(stderr, "usage: forks filter|several|strings|marks COUNT\n");
    return 2;
  }
  run(strtoull(argv[2], nullptr, 10)).print();
  return 0;
}
