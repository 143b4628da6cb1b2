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

/// Appends a row of these attributes, without what ends it. `scratch` is for a field before it is
/// quoted.
void writeCsv(TextOut &to, const Field *fields, size_t count, const CsvStyle &, TextOut &scratch,
              const void *tuple);

class CsvWriter {
public:
  /// `fields`: the attributes of a row, in their order.
  CsvWriter(std::vector<Field> fields, CsvStyle style) : fields(std::move(fields)), style(style) {}
  /// Appends a row, without what ends it.
  void write(TextOut &to, const void *tuple) {
    writeCsv(to, fields.data(), fields.size(), style, scratch, tuple);
  }

private:
  std::vector<Field> fields;
  CsvStyle style;
  TextOut scratch;
};

} // namespace sluice
