//===- wordstream.cpp - W5a by hand, one thread ---------------------------===//
//
// wordstream COUNT [long]: draws words from the dictionary, and keeps a running count of
// each; every update goes to the sink. long: words of 13 to 40 letters.
#include "words.h"
#include <cstdlib>
#include <string_view>

using namespace bench;

template <typename Word>
static void run(const std::vector<std::string> &dictionary, uint64_t count) {
  std::vector<Word> words;
  for (const std::string &text : dictionary) {
    Word w = {};
    w.length = static_cast<unsigned char>(text.size());
    memcpy(w.text, text.data(), text.size());
    words.push_back(w);
  }
  Sink sink;
  Counts<Word> counts;
  uint64_t state = 43;
  for (uint64_t i = 0; i < count; ++i) {
    sink.sum += counts.add(words[splitmix(state) % words.size()]);
    ++sink.count;
  }
  sink.print();
}

int main(int argc, char **argv) {
  const bool isLong = argc == 3 && argv[2] == std::string_view("long");
  if (argc != 2 + isLong) {
    fprintf(stderr, "usage: wordstream COUNT [long]\n");
    return 2;
  }
  uint64_t count = strtoull(argv[1], nullptr, 10);
  if (isLong)
    run<LongWord>(makeDictionary(13, 28), count);
  else
    run<Word>(makeDictionary(), count);
  return 0;
}
