//===- CsvWriter.h - tuples as rows of CSV ----------------------*- C++ -*-===//
#pragma once
#include "value/Text.h"
#include <vector>

namespace sluice {

struct CsvStyle {
  char separator = ',';
  bool quoteStrings = true;
  bool rfc4180 = false; // quotes as spreadsheets have them
};

class CsvWriter {
public:
  /// `fields`: the attributes of a row, in their order.
  CsvWriter(std::vector<Field> fields, CsvStyle style) : fields(std::move(fields)), style(style) {}
  /// Appends a row, without what ends it.
  void write(TextOut &to, const void *tuple);

private:
  void writeField(TextOut &to, const Field &, const void *value);

  std::vector<Field> fields;
  CsvStyle style;
  TextOut scratch; // a field before it is quoted
};

} // namespace sluice
