//===- wordstream.cpp - W5a by hand, one thread ---------------------------===//
//
// wordstream COUNT: draws words from the dictionary, and keeps a running count of
// each; every update goes to the sink.
#include "words.h"
#include <cstdlib>

using namespace bench;

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: wordstream COUNT\n");
    return 2;
  }
  std::vector<Word> words;
  for (const std::string &text : makeDictionary()) {
    Word w = {};
    w.length = static_cast<unsigned char>(text.size());
    memcpy(w.text, text.data(), text.size());
    words.push_back(w);
  }
  Sink sink;
  Counts counts;
  uint64_t state = 43;
  for (uint64_t i = 0, count = strtoull(argv[1], nullptr, 10); i < count; ++i) {
    sink.sum += counts.add(words[splitmix(state) % words.size()]);
    ++sink.count;
  }
  sink.print();
  return 0;
}
