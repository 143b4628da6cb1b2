//===- RowWriter.h - tuples as rows of a format -----------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/csv/CsvWriter.h"
#include "stdlib/native/csv/Format.h"
#include <optional>

namespace sluice {

/// Writes tuples and punctuation as the parameters of an operator say: format, separator, quoting,
/// quoteStrings, eolMarker, suppress, hasDelayField, writePunctuations.
class RowWriter {
public:
  /// Reads the parameters. Rows have the attributes of the first input port, but for those
  /// suppressed, and those that values of parameters come in (`$NAME`). 0, or 1 after sl_error.
  int32_t configure(const ParamOp &);
  /// Appends the row of a tuple that arrives at time `now` (ns), with what ends it.
  void row(TextOut &, const void *tuple, int64_t now);
  /// Appends what stands for punctuation, if that is written.
  void mark(TextOut &, PunctuationKind, int64_t now);
  /// Whether rows and marks need the time.
  bool isTimed() const { return delayField; }

private:
  int32_t layOut(const ParamOp &);
  void delay(TextOut &, int64_t now);

  Format format = Format::Csv;
  bool delayField = false, writeMarks = false;
  std::string eol = "\n";
  std::vector<Field> fields;
  TypeDesc type = {}; // the tuple of these fields
  std::optional<CsvWriter> csv;
  int64_t last = -1; // when the tuple before came
};

} // namespace sluice
