//===- TextDiff.cpp - what differs between two texts ----------------------===//
#include "tools/driver/ir/TextDiff.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace sluice::driver;
using llvm::StringRef;
using Lines = llvm::SmallVector<StringRef>;

namespace {
struct Line {
  char sign; // ' ', '-' or '+'
  StringRef text;
};

/// Texts with more differences than that have nothing in common for people.
constexpr int kMostEdits = 5000;

/// Myers: for each number of edits d and each diagonal k = x - y, `far` has the farthest x of the
/// first text that d edits reach.
class Aligner {
public:
  Aligner(const Lines &a, const Lines &b)
      : a(a), b(b), n(int(a.size())), m(int(b.size())), middle(std::min(n + m, kMostEdits) + 1),
        far(2 * size_t(middle) + 1) {}

  std::vector<Line> align() {
    std::vector<Line> lines;
    int edits = findEdits();
    if (edits < 0) {
      for (StringRef line : a)
        lines.push_back({'-', line});
      for (StringRef line : b)
        lines.push_back({'+', line});
      return lines;
    }
    for (int x = n, y = m, d = edits; d >= 0; --d) { // the steps back from the end
      const std::vector<int> &reached = before[d];
      int k = x - y, from = goesDown(reached, d + 1, k, d) ? k + 1 : k - 1;
      int fromX = reached[d + 1 + from], fromY = fromX - from;
      for (; x > fromX && y > fromY; --y)
        lines.push_back({' ', a[--x]});
      if (d > 0)
        lines.push_back(x == fromX ? Line{'+', b[y - 1]} : Line{'-', a[x - 1]});
      x = fromX;
      y = fromY;
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
  }

private:
  /// Whether the last edit on diagonal k inserts a line of b.
  static bool goesDown(const std::vector<int> &reached, int middle, int k, int d) {
    return k == -d || (k != d && reached[middle + k - 1] < reached[middle + k + 1]);
  }

  /// How many edits it takes, or -1.
  int findEdits() {
    for (int d = 0; d < middle; ++d) {
      before.emplace_back(far.begin() + (middle - d - 1), far.begin() + (middle + d + 2));
      for (int k = -d; k <= d; k += 2) {
        int x = goesDown(far, middle, k, d) ? far[middle + k + 1] : far[middle + k - 1] + 1;
        for (; x < n && x - k < m && a[x] == b[x - k];)
          ++x;
        far[middle + k] = x;
        if (x >= n && x - k >= m)
          return d;
      }
    }
    return -1;
  }

  const Lines &a, &b;
  int n, m, middle; // middle: the place of diagonal 0 in `far`
  std::vector<int> far;
  std::vector<std::vector<int>> before; // by d: `far`, from diagonal -d - 1 to d + 1
};
} // namespace

void sluice::driver::printDiff(const DiffSide &before, const DiffSide &after, bool colours,
                               llvm::raw_ostream &os) {
  constexpr size_t kAround = 3;
  Lines a, b;
  StringRef(before.text).split(a, '\n');
  StringRef(after.text).split(b, '\n');
  std::vector<Line> lines = Aligner(a, b).align();
  auto print = [&](const char *colour, const std::string &text) {
    os << (colours ? colour : "") << text << (colours && *colour ? "\033[0m" : "") << "\n";
  };
  bool first = true;
  size_t lineA = 1, lineB = 1; // of lines[i]
  for (size_t i = 0; i < lines.size();) {
    // A hunk goes on while changes are near each other.
    size_t begin = i;
    while (begin < lines.size() && lines[begin].sign == ' ')
      ++begin;
    if (begin == lines.size())
      return;
    size_t from = begin - std::min(begin - i, kAround), last = begin;
    for (size_t j = begin; j < lines.size() && j <= last + 2 * kAround; ++j)
      if (lines[j].sign != ' ')
        last = j;
    size_t end = std::min(last + kAround + 1, lines.size());
    lineA += from - i;
    lineB += from - i;
    auto count = [&](char other) {
      return std::count_if(lines.begin() + long(from), lines.begin() + long(end),
                           [&](const Line &line) { return line.sign != other; });
    };
    if (first) {
      print("\033[1m", "--- " + before.name);
      print("\033[1m", "+++ " + after.name);
      first = false;
    }
    print("\033[36m",
          llvm::formatv("@@ -{0},{1} +{2},{3} @@", lineA, count('+'), lineB, count('-')));
    for (i = from; i < end; ++i) {
      const Line &line = lines[i];
      print(line.sign == '-'   ? "\033[31m"
            : line.sign == '+' ? "\033[32m"
                               : "",
            line.sign + line.text.str());
      lineA += line.sign != '+';
      lineB += line.sign != '-';
    }
  }
}
