//===- Text.cpp - doc comments as text for a terminal ---------------------===//
//
// Tables are those of Markdown: rows between bars, below a row of titles and one of dashes.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/doc/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <numeric>

using namespace sluice;
using llvm::raw_ostream;
using llvm::SmallVector;
using llvm::StringRef;

static bool isRow(StringRef line) { return line.starts_with("|"); }

std::string driver::plainDoc(StringRef doc) {
  std::string text;
  SmallVector<StringRef> lines;
  doc.split(lines, '\n');
  bool inTable = false;
  for (StringRef line : lines) {
    line = line.trim();
    line.consume_front("/**");
    line.consume_back("*/");
    line.consume_front("*");
    line = line.trim();
    StringRef between = text.empty() || StringRef(text).ends_with("\n") ? ""
                        : line.empty()                                  ? "\n\n"
                        : inTable || isRow(line)                        ? "\n"
                                                                        : " ";
    text += between.str() + line.str();
    inTable = isRow(line);
  }
  return StringRef(text).trim().str();
}

std::string driver::firstSentence(StringRef doc) {
  std::string text = plainDoc(doc);
  size_t end = text.find(". ");
  return text.substr(0, std::min({end == std::string::npos ? end : end + 1, text.find("\n")}));
}

/// The words in lines of `width`; a longer word has a line of its own.
static std::vector<std::string> linesOf(StringRef text, unsigned width) {
  std::vector<std::string> lines(1);
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word.str();
  }
  return lines;
}

//===--- tables ---------------------------------------------------------------===//

namespace {
struct Table {
  std::vector<SmallVector<StringRef>> rows; // the first one has the titles
  SmallVector<unsigned> widths;             // of columns

  explicit Table(llvm::ArrayRef<StringRef> lines);
  void fit(unsigned width);
  void print(raw_ostream &, unsigned indent) const;
};
} // namespace

constexpr unsigned kGap = 2; // between columns

Table::Table(llvm::ArrayRef<StringRef> lines) {
  for (StringRef line : lines) {
    line = line.trim();
    line.consume_front("|");
    line.consume_back("|");
    if (line.find_first_not_of("|-: ") == line.npos)
      continue; // the dashes
    SmallVector<StringRef> cells;
    line.split(cells, '|');
    if (widths.size() < cells.size())
      widths.resize(cells.size());
    for (auto [i, cell] : llvm::enumerate(cells)) {
      cell = cell.trim();
      widths[i] = std::max<unsigned>(widths[i], cell.size());
    }
    rows.push_back(std::move(cells));
  }
}

/// Takes from the widest columns what the table is too wide.
void Table::fit(unsigned width) {
  unsigned all = std::accumulate(widths.begin(), widths.end(), 0u) + kGap * (widths.size() - 1);
  for (; all > width; --all)
    --*llvm::max_element(widths);
}

void Table::print(raw_ostream &os, unsigned indent) const {
  for (auto [number, row] : llvm::enumerate(rows)) {
    std::vector<std::vector<std::string>> cells;
    size_t height = 0;
    for (auto [cell, width] : llvm::zip(row, widths))
      height = std::max(height, cells.emplace_back(linesOf(cell, width)).size());
    for (size_t i = 0; i < height; ++i) {
      std::string line;
      unsigned column = 0;
      for (auto [cell, width] : llvm::zip(cells, widths)) {
        line.resize(std::max<size_t>(line.size(), column), ' ');
        line += i < cell.size() ? cell[i] : "";
        column += width + kGap;
      }
      os.indent(indent) << StringRef(line).rtrim() << "\n";
    }
    if (number)
      continue;
    std::string line;
    for (unsigned width : widths)
      line += std::string(width, '-') + std::string(kGap, ' ');
    os.indent(indent) << StringRef(line).rtrim() << "\n";
  }
}

//===--- all of it ------------------------------------------------------------===//

void driver::printDoc(raw_ostream &os, StringRef text, unsigned indent) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size();) {
    if (!isRow(lines[i])) {
      for (const std::string &line : linesOf(lines[i++], kDocWidth - indent))
        (line.empty() ? os : os.indent(indent)) << line << "\n";
      continue;
    }
    size_t end = i;
    while (end < lines.size() && isRow(lines[end]))
      ++end;
    Table table(llvm::ArrayRef(lines).slice(i, end - i));
    table.fit(kDocWidth - indent);
    table.print(os, indent);
    i = end;
  }
}
