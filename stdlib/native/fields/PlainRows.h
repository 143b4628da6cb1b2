//===- PlainRows.h - rows of common forms to tuples -------------*- C++ -*-===//
//
// Reads rows of CSV as CsvReader does, only faster: it looks for the ends of many fields at once,
// and converts a column of some rows after the other by what its type is. What it does not take is
// a row for CsvReader: one that is bad, ignored, of several lines, or not at hand as a whole.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Arena.h"
#include "stdlib/native/csv/CsvReader.h"
#include "stdlib/native/csv/LineReader.h"
#include "stdlib/native/fields/Digits.h"
#include "stdlib/native/fields/FieldEnds.h"

namespace sluice {

class PlainRows {
public:
  /// `csv` reads fields that are in no common form.
  explicit PlainRows(CsvReader &csv) : csv(csv) {}
  ~PlainRows() { arenaFree(&arena); }
  PlainRows(const PlainRows &) = delete;

  /// When the columns and options of the general reader are known; tuples have so many bytes.
  /// Before that there are no rows.
  void open(uint32_t tupleBytes);
  /// Instead: each line, up to that byte, is a string at this offset in the tuple.
  void openLines(uint32_t tupleBytes, uint32_t offset, char end);
  /// Whether the next line is such a row, of which there may be more. The lines may have moved.
  bool find(LineReader &lines);
  /// The same behind take(), where nothing has happened to the lines.
  bool hasMore() const { return next < count && !(refused >> next & 1); }

  struct Row {
    void *tuple; // until the next find(); what it points to may lie in the lines
    std::string_view line;
    uint32_t emptyNumbers; // as CsvReader has it
  };
  /// Takes the row out of the lines.
  Row take(LineReader &lines) {
    uint32_t end = ends.ends[first[next] + columns.size() - 1], from = begin;
    begin = behind[next];
    lines.skip(begin - from);
    uint32_t row = next++;
    return {tupleOf(row), {text + from, end - from}, uint32_t(emptyNumbers[row])};
  }

private:
  static constexpr uint32_t kRows = Words::kMost; // that are converted together
  struct Column {
    Kind kind;
    uint32_t number, offset;
    bool isString;
    bool isRepaired; // a string that textValue() may change
    const void *otherwise;
    const TypeDesc *type;
  };
  void reserve(uint32_t tupleBytes);
  void index(std::string_view bytes);
  bool gather(uint32_t from);
  bool isRow(uint32_t firstEnd, uint32_t lastEnd) const;
  void convert();
  uint64_t convert(const Column &);
  template <typename Take> void eachField(const Column &, Take take) const;
  uint64_t strings(const Column &);
  template <typename T> uint64_t numbers(const Column &);
  struct Seen {
    bool isLong, isNegative; // some field
  };
  template <typename T> Seen readWords(const Column &);
  template <typename T> void putNumbers(const Column &);
  template <typename T> uint64_t seeAgain(const Column &);
  void putDefaults(const Column &);
  bool byField(const Column &, uint32_t row);
  const char *at(uint32_t end) const { return text + ends.ends[end]; }
  const char *behindEnd(uint32_t end) const { return text + uint32_t(ends.ends[end] + 1); }
  /// The bytes of a field of a row.
  std::string_view fieldOf(const Column &c, uint32_t row) const {
    const uint32_t *end = &ends.ends[first[row] + c.number];
    uint32_t begin = end[-1] + 1;
    return {text + begin, end[0] - begin};
  }
  Str *textOf(const Column &c, uint32_t row) {
    return reinterpret_cast<Str *>(tupleOf(row) + c.offset);
  }
  char *tupleOf(uint32_t row) { return reinterpret_cast<char *>(tuples.data() + row * tupleWords); }

  CsvReader &csv;
  bool isLines = false;
  char lineEnd = 0;            // of these
  std::vector<Column> columns; // none: no rows are of a common form
  Arena arena = {};            // what tuples point to, if it is not in the lines
  bool isSpecial[256] = {};    // of a string that begins with the byte (PlainFields.h)

  const char *text = nullptr; // what was looked through
  uint32_t size = 0;
  uint64_t moves = 0; // of the lines, when that was done
  FieldEnds ends;
  uint32_t nextLine = 0; // the first that ends behind the rows below

  uint32_t next = 0, count = 0; // rows that are converted, of which so many are taken
  uint64_t refused = 0;         // those for CsvReader, as bits
  uint32_t first[kRows];        // the ends of their first fields
  uint32_t behind[kRows];       // where the next line begins, in bytes of the text
  uint64_t emptyNumbers[kRows];
  uint32_t begin = 0;      // of row `next`
  uint32_t tupleWords = 0; // of eight bytes
  std::vector<uint64_t> tuples;

  Words words = {}; // fields of numbers that are converted
};

} // namespace sluice
