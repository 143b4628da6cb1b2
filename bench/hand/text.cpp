//===- text.cpp - makes the text of W5b -----------------------------------===//
//
// text BYTES: writes lines of ten words to the standard output until there are
// that many bytes. Words come from a dictionary of 175,000; that of rank r is drawn
// with a weight of 1/(r+1). A shorter text is the beginning of a longer one.
#include "words.h"
#include <algorithm>
#include <cstdlib>

using namespace bench;

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: text BYTES >FILE\n");
    return 2;
  }
  const size_t wanted = strtoull(argv[1], nullptr, 10);
  const std::vector<std::string> words = makeDictionary();
  std::vector<double> weights;
  double total = 0;
  for (size_t rank = 0; rank < words.size(); ++rank)
    weights.push_back(total += 1.0 / double(rank + 1));
  uint64_t state = 44;
  size_t bytes = 0;
  for (unsigned k = 0; bytes < wanted || k % 10; ++k) {
    double u = double(splitmix(state) >> 11) * 0x1p-53 * total;
    const std::string &word =
        words[size_t(std::lower_bound(weights.begin(), weights.end(), u) - weights.begin())];
    fwrite(word.data(), 1, word.size(), stdout);
    putchar(k % 10 == 9 ? '\n' : ' ');
    bytes += word.size() + 1;
  }
  if (fflush(stdout) || ferror(stdout)) {
    perror("text");
    return 1;
  }
  return 0;
}
