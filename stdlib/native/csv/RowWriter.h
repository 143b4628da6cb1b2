//===- RowWriter.h - tuples as rows of a format -----------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/csv/CsvWriter.h"
#include "stdlib/native/csv/Format.h"

namespace sluice {

/// How tuples and punctuation are written.
struct RowStyle {
  Format format = Format::Csv;
  CsvStyle csv;
  std::string_view eol = "\n"; // of format line
  bool marks = false;          // punctuation is written
  FloatText floats = FloatText::Default;
};

/// Appends a tuple of that type, with what ends it. `scratch` is for what is written on the way.
/// `delay`: the seconds that stand before it, if any.
void writeRow(TextOut &to, const RowStyle &, const double *delay, const TypeDesc &,
              TextOut &scratch, const void *tuple);
/// Appends what stands for punctuation.
void writeMark(TextOut &to, const RowStyle &, const double *delay, PunctuationKind);

/// Writes tuples and punctuation as the parameters of an operator say: format, separator, quoting,
/// quoteStrings, floatText, eolMarker, suppress, hasDelayField, writePunctuations.
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
  double delay(int64_t now);

  RowStyle style;
  bool delayField = false;
  std::string eol;
  std::vector<Field> fields;
  TypeDesc type = {}; // the tuple of these fields
  TextOut scratch;
  int64_t last = -1; // when the tuple before came
};

} // namespace sluice
