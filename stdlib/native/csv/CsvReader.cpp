//===- CsvReader.cpp - a row of text to a tuple -------------------------===//
#include "stdlib/native/csv/CsvReader.h"
#include "runtime/base/text/Words.h"
#include "value/Numbers.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>

namespace sluice {

bool CsvReader::isIgnored(std::string_view line, bool comments, char separator) {
  const char *p = line.data(), *end = p + line.size();
  skipBlanks(p, end, separator);
  return p == end || (comments && *p == '#');
}

/// A letter, or an underscore, and then letters, digits and what joins words; maybe in quotes.
static bool isName(std::string_view field) {
  while (field.starts_with(' '))
    field.remove_prefix(1);
  while (field.ends_with(' ') || field.ends_with('\r'))
    field.remove_suffix(1);
  if (field.size() > 2 && field.front() == field.back() && (field[0] == '"' || field[0] == '\''))
    field = field.substr(1, field.size() - 2);
  auto isLetter = [](char c) { return isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !field.empty() && (isLetter(field[0]) || (field[0] & 0x80)) &&
         std::all_of(field.begin(), field.end(), [&](char c) {
           return isLetter(c) || (c & 0x80) || (c >= '0' && c <= '9') ||
                  std::string_view(" .-/()[]#%").find(c) != std::string_view::npos;
         });
}

bool CsvReader::isHeader(std::string_view line) const {
  for (size_t at = 0; at <= line.size();) {
    size_t end = std::min(line.find(separator, at), line.size());
    if (!isName(line.substr(at, end - at)))
      return false;
    at = end + 1;
  }
  return true;
}

static constexpr const char *kTimestampForm =
    "; a timestamp is written (SECONDS, NANOSECONDS, MACHINE), as in (1700000000, 0, 0)";

bool CsvReader::fail(const char *at, std::string what) {
  error = std::move(what);
  column = size_t(at - row) + 1;
  return false;
}

/// The end of the field that begins at `from`: the separator behind the quotes, if it has some.
const char *CsvReader::fieldEnd(const char *from, const char *end) const {
  const char *p = from;
  if (p < end && (*p == '"' || (*p == '\'' && !rfc4180))) {
    const char *inside = p + 1, *close = closingQuote(inside, end, *p, rfc4180);
    p = close ? close : p;
  }
  auto *to = static_cast<const char *>(memchr(p, separator, size_t(end - p)));
  return to ? to : end;
}

bool CsvReader::bad(const char *what, const Column &c, const char *from, const char *end) {
  size_t length = size_t(fieldEnd(from, end) - from);
  std::string_view text(from, std::min<size_t>(length, 60));
  return fail(from, "'" + printable(text) + (length > 60 ? "..." : "") + "' " + what + " " +
                        std::string(infoOf(c.type->kind).keyword) + " (attribute " + c.name + ")" +
                        (c.type->kind == Kind::Timestamp ? kTimestampForm : ""));
}

bool CsvReader::unclosed(const Column &c, const char *from) {
  return fail(from, std::string("the quoted text has no end: its quote is not closed (attribute ") +
                        c.name + ")");
}

/// Is the field, which is no value of a type of numbers, the text of a number that is too large?
static bool isLarge(Kind kind, const char *p, const char *end, char separator) {
  bool isFloat = kind == Kind::Float32 || kind == Kind::Float64;
  if (!isFloat && (kind < Kind::Int8 || kind > Kind::UInt64))
    return false;
  auto *stop = static_cast<const char *>(memchr(p, separator, size_t(end - p)));
  std::string_view text(p, size_t((stop ? stop : end) - p));
  while (text.ends_with(' '))
    text.remove_suffix(1);
  text.remove_prefix(text.starts_with('-') || text.starts_with('+'));
  if (isFloat) {
    double value = 0;
    auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool isWhole =
        stopped == text.data() + text.size() && !text.starts_with('i') && !text.starts_with('n');
    return isWhole && (error == std::errc::result_out_of_range || kind == Kind::Float32);
  }
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

//===--- fields of common forms ----------------------------------------------===//

/// Up to the separator; most strings are short.
static const char *bareEnd(const char *p, const char *end, char separator) {
  const char *near = end - p > 16 ? p + 16 : end;
  for (; p < near; ++p)
    if (*p == separator)
      return p;
  auto *stop = static_cast<const char *>(memchr(p, separator, size_t(end - p)));
  return stop ? stop : end;
}

//===--- quotes ---------------------------------------------------------------===//

const char *CsvReader::closingQuote(const char *&p, const char *end, char quote, bool doubled) {
  for (; p < end; ++p) {
    if (*p == quote) {
      if (!doubled || p + 1 == end || p[1] != quote)
        return p;
      ++p;
    } else if (*p == '\\' && !doubled) {
      if (p + 1 == end)
        return nullptr;
      ++p;
    }
  }
  return nullptr;
}

/// p stands at a quote: passes the string. True: it is open at the end of the row.
bool CsvReader::openString(const char *&p, const char *end) {
  openQuote = *p++;
  const char *close = closingQuote(p, end, openQuote, rfc4180);
  openAt = size_t(p - row);
  p = close ? close + 1 : end;
  return !close;
}

/// p stands at a bracket: passes a literal up to the bracket that closes it. Null: a string in it
/// is open.
const char *CsvReader::skipNested(const char *p, const char *end) {
  int depth = 0;
  while (p < end) {
    if (*p == '"' || *p == '\'') {
      if (openString(p, end))
        return nullptr;
      continue;
    }
    depth += *p == '[' || *p == '{' || *p == '(';
    depth -= *p == ']' || *p == '}' || *p == ')';
    ++p;
    if (!depth)
      break;
  }
  return p;
}

bool CsvReader::isOpen(std::string_view text) {
  row = text.data();
  textBehindQuote = false;
  const char *p = row, *end = p + text.size();
  if (delayField && !parseDelay(p, end))
    return false;
  while (p < end) {
    if (!rfc4180)
      skipBlanks(p, end, separator);
    if (p < end && (*p == '"' || (*p == '\'' && !rfc4180))) {
      if (openString(p, end))
        return true;
      if (!rfc4180)
        skipBlanks(p, end, separator);
      textBehindQuote |= p < end && *p != separator;
    } else if (p < end && !rfc4180 && (*p == '[' || *p == '{')) {
      p = skipNested(p, end);
      if (!p)
        return true;
    }
    auto *next = static_cast<const char *>(memchr(p, separator, size_t(end - p)));
    p = next ? next + 1 : end;
  }
  return false;
}

bool CsvReader::staysOpen(std::string_view text) {
  const char *p = text.data() + openAt;
  const char *close = closingQuote(p, text.data() + text.size(), openQuote, rfc4180);
  openAt = size_t(p - text.data());
  return !close;
}

//===--- fields ---------------------------------------------------------------===//

bool CsvReader::string(const char *&p, const char *end, Str *out, Arena &arena) {
  if (rfc4180 || (*p != '"' && *p != '\'')) { // up to the separator, trailing blanks included
    const char *stop = bareEnd(p, end, separator);
    *out = strView(p, uint64_t(stop - p));
    p = stop;
    return true;
  }
  auto *stop = static_cast<const char *>(memchr(p + 1, *p, size_t(end - p - 1)));
  if (stop && !memchr(p + 1, '\\', size_t(stop - p - 1))) {
    *out = strView(p + 1, uint64_t(stop - p - 1));
    p = stop + 1;
    return true;
  }
  return stop && !parseQuoted(p, end, out, arena);
}

/// p stands behind a value: is the field over?
bool CsvReader::afterField(const char *&p, const char *end) {
  skipBlanks(p, end, separator);
  return p == end || *p == separator;
}

/// The text between double quotes, where two stand for one.
static std::string_view undouble(const char *p, const char *end, Arena &arena) {
  if (!memchr(p, '"', size_t(end - p)))
    return {p, size_t(end - p)};
  auto *text = static_cast<char *>(arenaAlloc(&arena, size_t(end - p), 1)), *to = text;
  for (; p < end; ++p) {
    *to++ = *p;
    p += *p == '"';
  }
  return {text, size_t(to - text)};
}

/// RFC 4180: p stands at a double quote. Any value may be quoted.
bool CsvReader::quotedField(const Column &c, const char *&p, const char *end, void *to,
                            Arena &arena) {
  const char *from = p, *stop = ++p;
  const char *close = closingQuote(stop, end, '"', true);
  if (!close)
    return unclosed(c, from);
  std::string_view text = undouble(p, close, arena);
  p = close + 1;
  if (p < end && *p != separator)
    return fail(p, std::string("text follows the closing quote (attribute ") + c.name + ")");
  if (isIn(c.type->kind, type_class::String | type_class::Xml)) {
    *static_cast<Str *>(to) = strView(text.data(), text.size());
    return !textValue(c.type, static_cast<Str *>(to), arena);
  }
  const char *at = text.data(), *textEnd = at + text.size();
  bool taken = value(c, at, textEnd, to, arena);
  skipBlanks(at, textEnd);
  return (taken && at == textEnd) || bad("is no", c, from, p);
}

/// Whether the text between quotes, of which `p` stands behind the first, may be a number.
static bool looksLikeNumber(const char *p, const char *end) {
  std::string_view text(p, size_t(end - p));
  size_t length = text.find_first_of("\"'");
  return length && text.substr(0, length).find_first_not_of("0123456789.+-eE ") == text.npos;
}

void CsvReader::emptyField(const Column &c, const char *p, void *to) {
  if (c.otherwise) {
    memcpy(to, c.otherwise, c.type->size);
    return;
  }
  memset(to, 0, c.type->size);
  if (isIn(c.type->kind, type_class::Numeric) && !emptyNumbers++) {
    emptyAt = size_t(p - row);
    emptyName = c.name;
  }
}

bool CsvReader::field(const Column &c, const char *&p, const char *end, void *to, Arena &arena) {
  if (!rfc4180 || !isIn(c.type->kind, type_class::String))
    skipBlanks(p, end, separator);
  if (p == end || *p == separator) {
    emptyField(c, p, to);
    return true;
  }
  if (plainNumber(c.type->kind, p, end, separator, to))
    return true;
  if (rfc4180 && *p == '"')
    return quotedField(c, p, end, to, arena);
  const char *from = p;
  bool taken = value(c, p, end, to, arena);
  if (taken && afterField(p, end))
    return true;
  bool isQuoted = *from == '"' || *from == '\'';
  bool isDoubled = taken && isQuoted && *p == '"' && p[-1] == '"';
  const char *text = from + 1;
  if (!taken && isQuoted && !closingQuote(text, end, *from, rfc4180))
    return unclosed(c, from);
  bad(isLarge(c.type->kind, from, end, separator) ? "is out of range of" : "is no", c, from, end);
  bool isNumber = isQuoted && isIn(c.type->kind, type_class::Numeric) &&
                  looksLikeNumber(from + 1, fieldEnd(from, end));
  if (isDoubled)
    error += "; quotes that are doubled are read with `quoting : rfc4180`";
  else if (isNumber && !rfc4180)
    error += "; numbers in quotes are read with `quoting : rfc4180`";
  return false;
}

/// Parses a value, whatever follows it. True: it is one.
bool CsvReader::value(const Column &c, const char *&p, const char *end, void *to, Arena &arena) {
  bool failed = true;
  switch (c.type->kind) {
  case Kind::Xml: // in quotes with an x behind them, unless the writer quotes no strings
    if (!rfc4180 && (*p == '"' || *p == '\'')) {
      failed = parseValue(p, end, c.type, to, arena, true);
      break;
    }
    [[fallthrough]];
  case Kind::RString:
  case Kind::UString:
    failed = !string(p, end, static_cast<Str *>(to), arena) ||
             textValue(c.type, static_cast<Str *>(to), arena);
    break;
  case Kind::Float32:
  case Kind::Float64:
    failed = parseFloat(p, end, c.type->kind, to, true);
    break;
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
    failed = parseInteger(p, end, c.type->kind, to);
    break;
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    failed = parseDecimal(p, end, c.type->kind, to, true);
    break;
  case Kind::Boolean:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Enum:
  case Kind::Timestamp:
  case Kind::Optional:
  case Kind::Blob:
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
  case Kind::Tuple:
    memset(to, 0, c.type->size);
    failed = parseValue(p, end, c.type, to, arena, true);
    break;
  }
  return !failed;
}

bool CsvReader::parseDelay(const char *&p, const char *end) {
  if (parseFloat(p, end, Kind::Float64, &delay, true))
    return false;
  skipBlanks(p, end);
  return p < end && *p++ == ',';
}

bool CsvReader::parse(std::string_view line, void *tuple, Arena &arena) {
  const char *p = line.data(), *end = p + line.size();
  row = p;
  emptyNumbers = 0;
  if (delayField && !parseDelay(p, end))
    return fail(row, "the row does not begin with a delay and a comma");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i) {
      if (p == end)
        return fail(p, "the row has too few values: " + std::to_string(i) + " instead of " +
                           std::to_string(columns.size()));
      ++p; // the separator
    }
    if (!field(columns[i], p, end, static_cast<char *>(tuple) + columns[i].offset, arena))
      return false;
  }
  hasSurplus = p != end;
  if (!hasSurplus || extraAllowed)
    return true;
  return fail(p, "the row has more than " + counted(columns.size(), "value"));
}

} // namespace sluice
