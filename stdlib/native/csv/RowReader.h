//===- RowReader.h - text to tuples -----------------------------*- C++ -*-===//
//
// What operators that read tuples from text or bytes have in common: the formats csv, txt, bin,
// line and block, and the parameters that go with them. Attributes that an output function gives
// come as parameters `$out.NAME` = "FileName"; all others are read.
//
// Tuples are views into the lines, so nothing is allocated or copied for one. In strict mode a bad
// row is an error with text:line:column (the column counts bytes); otherwise bad rows are left out
// and counted. `fast` does what `permissive` does.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/memory/Arena.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/csv/BinReader.h"
#include "stdlib/native/csv/CsvReader.h"
#include "stdlib/native/csv/Format.h"
#include "stdlib/native/csv/LineReader.h"
#include "stdlib/native/fields/PlainRows.h"

namespace sluice {

class RowReader {
public:
  /// How long a row may be that goes over several lines.
  static constexpr size_t kMaxRow = 64 * 1024 * 1024;

  /// Where the text comes from.
  enum class Origin { File, Network, Tuples };

  /// The operator has the parameters, and submits the tuples on its first output port.
  RowReader(ParamOp &op, LineReader &lines, Origin origin) : op(op), lines(lines), origin(origin) {}
  ~RowReader() { arenaFree(&arena); }
  RowReader(const RowReader &) = delete;

  /// Before open(): what output function `function` gives, as it is when a tuple is submitted.
  void supply(const char *function, const std::string &value) {
    texts.push_back({function, &value});
  }
  void supply(const char *function, const uint32_t &value) {
    numbers.push_back({function, &value});
  }
  /// Takes the parameters. 0, or 1 after sl_error.
  int32_t open();
  /// What ends a line; empty: any of \n, \r\n, \r.
  const std::string &eolMarker() const { return eol; }
  /// What the lines give now is a new text. `name`: what messages and FileName() call it. `done`:
  /// rows that end there or before are read and not submitted.
  void begin(std::string_view name, uint64_t done);
  /// The same, and the numbers of lines and tuples go on.
  void goOn(std::string_view name);
  /// Where it is between two rows.
  struct Progress {
    uint64_t position = 0; // bytes of the text before the next row
    uint64_t lines = 0, headerLines = 0, tuples = 0;
    uint64_t made = 0;  // tuples that were submitted: none of bad rows
    bool inEnd = false; // LineReader::isInEnd()
  };
  /// Not while awaitsMore().
  Progress progress() const;
  /// What comes in pieces goes on there. The LineReader is open. Tuples up to number `submitted` of
  /// the text are not submitted again.
  void goOn(std::string_view name, const Progress &, uint64_t submitted);
  /// The next line or block, or what read() could not finish, for read().
  LineReader::Status next();
  /// Submits the rows that begin in the line. Handler return values.
  int32_t read();
  /// After read(): the last row goes on in a piece of the text that is not there yet.
  bool awaitsMore() const { return isCut; }
  /// The punctuation is in the text (readPunctuations).
  bool hasPunctuation() const { return binary.marks; }
  /// The program was told to end, and what is not read yet may stay where it is: in the file of a
  /// source.
  bool mayStop() const;
  /// Warns of rows that were left out, and of empty numbers, if there are any.
  void reportBad() const;

  /// Between two rows: numbers of lines and tuples, and what was left out. What the LineReader has
  /// is not part of it.
  void save(Saver &) const;
  /// Before goOn(); where the text is in pieces, after those are restored.
  void restore(const Loader &);
  /// After begin() or goOn(): the tuples up to this number were submitted, and are not again.
  void skipTuples(uint64_t number) { skipped = number; }
  uint64_t tuples() const { return tupleNumber; }
  /// Whether rows wait before they are submitted (hasDelayField).
  bool delays() const { return csv.delayField; }
  /// It waits inside of read(): for the time of a row, or for its next line.
  bool isInRow() const { return inRow; }

private:
  int32_t readOptions();
  void layOutFunction(const Field &, std::string_view function);
  int32_t layOut();
  void seeBegin();
  int32_t readHeader();
  bool readsText() const;
  void seeMark();
  bool leavesRest() const;
  bool isSource() const { return !op.desc->inputs; }
  int32_t readRow(bool goesOn);
  bool findPlainRows();
  int32_t readPlainRows();
  int32_t submitInBatch();
  bool parseRow(bool goesOn);
  bool closeString();
  bool addLine();
  void keepFrom(size_t from);
  LineReader::Status nextItem();
  int32_t readItem();
  int32_t readTuples();
  bool parseTuple(size_t &at);
  bool isText(size_t from, size_t to);
  void seeEmpty();
  int32_t badRow();
  int32_t submitRow(void *tuple);
  bool awaitDelay();
  void putSupplied(char *tuple) const;
  std::string placeOf(size_t at) const;
  std::string place() const;
  std::string csvHint() const;

  ParamOp &op;
  LineReader &lines;
  const Origin origin;

  Format format = Format::Csv;
  bool strict = true;
  uint64_t allHeaderLines = 0, blockSize = 0;
  std::string eol, encoding;
  CsvReader csv;
  PlainRows plain{csv};
  BinReader binary;
  std::vector<Field> readFields;
  TypeDesc readType = {}; // the tuple of what is read
  template <typename T> struct Supplied {
    const char *function;
    const T *value;
  };
  std::vector<Supplied<std::string>> texts;
  std::vector<Supplied<uint32_t>> numbers;
  /// Attributes that an output function gives.
  std::vector<std::pair<const Field *, const std::string *>> textFields;
  std::vector<std::pair<const Field *, const uint32_t *>> numberFields;
  std::vector<const Field *> countFields; // TupleNumber
  bool isSupplied = false;                // there is one of these
  std::vector<uint64_t> row;              // the tuple
  Arena arena = {};

  std::string name;
  uint64_t done = 0;
  std::string_view line;    // the text at hand
  size_t before = 0;        // bytes that stand before it in its line
  size_t firstLine = 0;     // bytes of the row's first line
  uint64_t lineNumber = 0;  // of the line in which that begins
  uint64_t headerLines = 0; // lines of the header, which may be more than given
  uint64_t tupleNumber = 0, badRows = 0, emptyNumbers = 0;
  uint64_t skipped = 0;           // tuples that are not submitted
  uint64_t made = 0;              // tuples that were submitted, here or before
  uint64_t madeBefore = 0;        // of those: before
  bool inRow = false;             // isInRow()
  bool isBegun = false;           // the text
  const char *packed = "";        // how it looks compressed
  bool isWide = false;            // it begins as a text in UTF-16 does, which nothing decodes
  bool isPlain = false;           // `plain` has found a row
  bool isCut = false;             // the text at hand goes on where the pieces end so far
  size_t enough = 0;              // bytes behind it with which it is worth to go on
  bool isGivenUp = false;         // no more of the text can be read
  ArenaCheckpoint itemStart = {}; // what the arena held before the item at hand
  std::string firstBad, firstEmpty, error;
  size_t errorAt = 0; // in the row
};

} // namespace sluice
