//===- CsvReader.h - a row of text to a tuple -------------------*- C++ -*-===//
#pragma once
#include "value/Text.h"
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Parses rows of comma-separated values into tuple structs. Bare strings are
/// views into the row; what is built lies in the arena. A quoted string may hold
/// line ends, so a row may be several lines.
class CsvReader {
public:
  struct Column {
    const TypeDesc *type;
    uint32_t offset;
    const void *otherwise; // the value of an empty field; null: zero
    const char *name;
  };
  std::vector<Column> columns;
  char separator = ','; // any byte but a blank, a line end and a quote; a tab is one
  bool extraAllowed = false;
  bool delayField = false; // a float64 and a comma before the first column
  /// Quotes as in RFC 4180: a field in double quotes is the text between them, where two stand for
  /// one; nothing else is special, and there are no comments.
  bool rfc4180 = false;

  /// Is there nothing to read in this line (blank, or a comment)?
  static bool isIgnored(std::string_view line, bool comments = true, char separator = 0);
  /// Whether all fields of the row look like names of columns.
  bool isHeader(std::string_view line) const;
  /// Fills the columns of `tuple`. True, or false with `error` and `column`
  /// (counted in bytes from 1) set.
  bool parse(std::string_view line, void *tuple, Arena &arena);
  /// One field, which begins at `p`, of a row that ends at `end`. True: `p` is where it ends, and
  /// the value is at `to`.
  bool field(const Column &c, const char *&p, const char *end, void *to, Arena &arena);

  /// Whether a quoted string is open at the end of the row, so that it goes on in the next line;
  /// and whether it still is with more lines added.
  bool isOpen(std::string_view row);
  bool staysOpen(std::string_view row);
  /// The quote that ends the string in which `p` stands; null: `p` is where to go on with more
  /// text.
  static const char *closingQuote(const char *&p, const char *end, char quote, bool doubled);
  /// What begins every row of a file with delays. False: it is not there.
  bool parseDelay(const char *&p, const char *end);

  double delay = 0;
  std::string error;
  size_t column = 0;
  uint32_t emptyNumbers = 0;    // after parse(): fields of numbers that had nothing in them
  size_t emptyAt = 0;           // the first of them, in bytes of the row
  const char *emptyName = "";   // its column
  bool hasSurplus = false;      // after parse() was true: more values follow
  bool textBehindQuote = false; // after isOpen(): text follows a closing quote

private:
  void emptyField(const Column &c, const char *p, void *to);
  bool value(const Column &c, const char *&p, const char *end, void *to, Arena &arena);
  bool quotedField(const Column &c, const char *&p, const char *end, void *to, Arena &arena);
  const char *skipNested(const char *p, const char *end);
  bool openString(const char *&p, const char *end);
  bool string(const char *&p, const char *end, Str *out, Arena &arena);
  bool afterField(const char *&p, const char *end);
  const char *fieldEnd(const char *from, const char *end) const;
  bool bad(const char *what, const Column &c, const char *field, const char *end);
  bool fail(const char *at, std::string what);
  bool unclosed(const Column &c, const char *from);
  const char *row = nullptr;
  char openQuote = 0; // of isOpen(), and where staysOpen() goes on
  size_t openAt = 0;
};

} // namespace sluice
