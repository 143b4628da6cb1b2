//===- PlainRows.h - rows of common forms to tuples -------------*- C++ -*-===//
//
// Reads rows of CSV as CsvReader does, only faster: it looks for the ends of many fields at once,
// and converts a column of some rows after the other by what its type is. What it does not take is
// a row for CsvReader: one that is bad, ignored, of several lines, or not at hand as a whole.
//
// Values go into the columns of a batch, behind its rows, or into tuples.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Arena.h"
#include "sluice/native.h"
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
  /// Instead: each line, up to that byte, is a string, the only column.
  void openLines(uint32_t tupleBytes, char end);
  /// Whether the next line is such a row, of which there may be more. The lines may have moved.
  /// `batch`: where rows are to go, as many as there is room for; with room for fewer than two, or
  /// null, each becomes a tuple.
  bool find(LineReader &lines, Batch *batch);
  /// Whether takeAll() is to follow find(). Else take() is.
  bool inBatch() const { return batch; }
  /// find() behind take(), where nothing has happened to the lines.
  bool hasMore() const { return next < count && !(refused >> next & 1); }

  struct Row {
    void *tuple; // until the next find(); what it points to may lie in the lines
    std::string_view line;
    uint32_t emptyNumbers; // as CsvReader has it
  };
  /// Takes the row out of the lines.
  Row take(LineReader &lines) {
    uint32_t row = next;
    std::string_view line = lineOf(row);
    pass(lines, 1);
    return {tuples.data() + row * tupleWords, line, uint32_t(emptyNumbers[row])};
  }
  struct Rows {
    uint32_t count, emptyNumbers;
    uint32_t firstEmpty; // the first row that has any, if one has
    std::string_view firstEmptyLine;
  };
  /// Takes all rows that were found out of the lines. What they point to is in the batch's arena.
  Rows takeAll(LineReader &lines);

private:
  static constexpr uint32_t kRows = Words::kMost; // that are converted together, at most
  struct Column {
    Kind kind;
    uint32_t number, offset; // in a tuple
    bool isString;
    bool isRepaired; // a string that textValue() may change
    const void *otherwise;
    const TypeDesc *type;
    uint32_t inBatch; // where the column begins there
    char *to;         // the value of the first row
    uint32_t step;    // to that of the next one, in bytes
    char *at(uint32_t row) const { return to + row * step; }
  };
  void add(const CsvReader::Column &);
  void reserve(uint32_t tupleBytes);
  void index(std::string_view bytes);
  void aim(Batch *);
  void layOut(uint32_t capacity);
  bool gather(uint32_t from, Batch *);
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
  template <typename T> void putNumbers(const Column &, uint32_t bytes);
  template <typename T> uint64_t seeAgain(const Column &);
  void putDefaults(const Column &);
  bool byField(const Column &, uint32_t row);
  void keep(const Column &, uint32_t rows);
  void pass(LineReader &lines, uint32_t rows) {
    next += rows;
    uint32_t from = begin;
    begin = behind[next - 1];
    lines.skip(begin - from);
  }
  std::string_view lineOf(uint32_t row) const {
    uint32_t from = row ? behind[row - 1] : firstBegin;
    return {text + from, ends.ends[first[row] + columns.size() - 1] - from};
  }
  const char *at(uint32_t end) const { return text + ends.ends[end]; }
  const char *behindEnd(uint32_t end) const { return text + uint32_t(ends.ends[end] + 1); }
  /// The bytes of a field of a row.
  std::string_view fieldOf(const Column &c, uint32_t row) const {
    const uint32_t *end = &ends.ends[first[row] + c.number];
    uint32_t begin = end[-1] + 1;
    return {text + begin, end[0] - begin};
  }

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
  uint32_t begin = 0, firstBegin = 0; // of row `next`, and of the first one
  uint32_t tupleWords = 0;            // of eight bytes
  std::vector<uint64_t> tuples;
  Batch *batch = nullptr;    // where the rows are; null: in `tuples`
  bool fitsBatches = true;   // each attribute is a column
  uint32_t capacity = 0;     // of the batches for which Column::inBatch is
  uint32_t together = kRows; // rows that are converted at once into a batch: fewer behind a row
                             // that was refused, as those behind that are converted again

  Words words = {}; // fields of numbers that are converted
};

} // namespace sluice
