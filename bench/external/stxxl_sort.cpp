// Sorts a file of numbers, one on each line, by stxxl::sorter: IN OUT MEMORY_BYTES. The scratch
// file is what STXXLCFG says.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stxxl/sorter>

struct Less {
  bool operator()(uint64_t a, uint64_t b) const { return a < b; }
  uint64_t min_value() const { return 0; }
  uint64_t max_value() const { return std::numeric_limits<uint64_t>::max(); }
};

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "w");
  if (!in || !out)
    return 1;
  static char inBuffer[1 << 18], outBuffer[1 << 18];
  setvbuf(in, inBuffer, _IOFBF, sizeof inBuffer);
  setvbuf(out, outBuffer, _IOFBF, sizeof outBuffer);
  stxxl::sorter<uint64_t, Less, (1 << 17)> sorter(Less(), strtoull(argv[3], nullptr, 10));
  uint64_t key = 0;
  for (int c; (c = getc_unlocked(in)) != EOF;) {
    if (c != '\n') {
      key = key * 10 + uint64_t(c - '0');
      continue;
    }
    sorter.push(key);
    key = 0;
  }
  sorter.sort();
  for (char line[24]; !sorter.empty(); ++sorter) {
    auto end = std::to_chars(line, line + sizeof line - 1, *sorter).ptr;
    *end++ = '\n';
    fwrite_unlocked(line, 1, size_t(end - line), out);
  }
  return fclose(out) ? 1 : 0;
}
