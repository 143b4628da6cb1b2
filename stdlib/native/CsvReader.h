//===- CsvReader.h - a row of text to a tuple -------------------*- C++ -*-===//
#pragma once
#include "value/Text.h"
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Parses rows of comma-separated values into tuple structs. Bare strings are
/// views into the row; what is built lies in the arena.
class CsvReader {
public:
  struct Column {
    const TypeDesc *type;
    uint32_t offset;
    const void *otherwise; // the value of an empty field; null: zero
    const char *name;
  };
  std::vector<Column> columns;
  char separator = ',';
  bool extraAllowed = false;
  bool delayField = false; // a float64 before the first column

  /// Is there nothing to read in this line (blank, or a comment)?
  static bool isIgnored(std::string_view line);
  /// Fills the columns of `tuple`. True, or false with `error` and `column`
  /// (counted in bytes from 1) set.
  bool parse(std::string_view line, void *tuple, Arena &arena);

  double delay = 0;
  std::string error;
  size_t column = 0;

private:
  bool field(const Column &c, const char *&p, const char *end, void *tuple, Arena &arena);
  bool string(const char *&p, const char *end, Str *out, Arena &arena);
  bool afterField(const char *&p, const char *end);
  bool bad(const char *what, const Column &c, const char *field, const char *end);
  bool fail(const char *at, std::string what);
  const char *row = nullptr;
};

} // namespace sluice
