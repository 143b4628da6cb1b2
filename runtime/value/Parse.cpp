//===- Parse.cpp - text to values -------------------------------*- C++ -*-===//
#include "sluice/xml.h"
#include "value/Numbers.h"
#include "value/Table.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include <charconv>
#include <stdlib.h>
#include <string>
#include <type_traits>

namespace sluice {

//===--- numbers ------------------------------------------------------------===//

template <typename T> static int parseInt(const char *&p, const char *end, void *out) {
  const char *at = p;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    ++at;
  if (at == end || *at < '0' || *at > '9')
    return 1;
  uint64_t magnitude;
  auto [last, error] = std::from_chars(at, end, magnitude);
  if (error != std::errc())
    return 1;
  bool isSigned = T(-1) < T(0);
  uint64_t limit = isSigned ? (~uint64_t(0) >> (65 - 8 * sizeof(T))) + negative
                            : ~uint64_t(0) >> (64 - 8 * sizeof(T));
  if (magnitude > limit || (negative && !isSigned && sizeof(T) < 8 && magnitude))
    return 1;
  store(out, T(negative ? 0 - magnitude : magnitude));
  p = last;
  return 0;
}

int parseInteger(const char *&p, const char *end, Kind kind, void *out) {
  skipBlanks(p, end);
  int failed = 1;
  withNumber(kind, [&](auto *number) {
    using T = __remove_pointer(decltype(number));
    if constexpr (std::is_integral_v<T>)
      failed = parseInt<T>(p, end, out);
  });
  return failed;
}

/// from_chars reports overflow and underflow alike; this tells them apart.
static bool isOverflow(const char *p, const char *end) {
  double v = strtod(std::string(p, end).c_str(), nullptr);
  return v > 1 || v < -1;
}

template <typename T>
static int parseReal(const char *&p, const char *end, void *out, bool special) {
  const char *at = p, *digits = p;
  if (digits < end && (*digits == '-' || *digits == '+'))
    ++digits;
  if (at < end && *at == '+')
    at = digits;
  if (digits == end)
    return 1;
  bool number = (*digits >= '0' && *digits <= '9') || *digits == '.';
  if (!number && !special)
    return 1;
  T v = 0;
  auto [last, error] = std::from_chars(at, end, v);
  if (error == std::errc::result_out_of_range) {
    if (isOverflow(at, last))
      return 1;
    v = *at == '-' ? -T(0) : T(0);
  } else if (error != std::errc()) {
    return 1;
  }
  if (!number && last - digits != 3) // nan and inf, not infinity
    return 1;
  if (v != v)
    v = givenNaN<T>(*at == '-');
  store(out, v);
  p = last;
  return 0;
}

int parseFloat(const char *&p, const char *end, Kind kind, void *out, bool special) {
  skipBlanks(p, end);
  return kind == Kind::Float32 ? parseReal<float>(p, end, out, special)
                               : parseReal<double>(p, end, out, special);
}

/// nan or inf behind a sign.
static bool parseSpecial(const char *&p, const char *end, decimal::Value &v) {
  const char *at = p;
  v.negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    ++at;
  if (end - at < 3)
    return false;
  char word[] = {char(at[0] | 32), char(at[1] | 32), char(at[2] | 32), 0};
  bool isNaN = !strcmp(word, "nan");
  if (!isNaN && strcmp(word, "inf") != 0)
    return false;
  v.cls = isNaN ? decimal::Class::NaN : decimal::Class::Infinite;
  p = at + 3;
  return true;
}

int parseDecimal(const char *&p, const char *end, Kind kind, void *out, bool special) {
  skipBlanks(p, end);
  decimal::Value v;
  const char *last = decimal::read(p, end, 8 * infoOf(kind).size, v);
  bool isSpecial = last == p && special && parseSpecial(p, end, v);
  if (!last || (last == p && !isSpecial))
    return 1;
  if (!isSpecial)
    p = last;
  storeDecimal(kind, out, v);
  return 0;
}

//===--- strings ------------------------------------------------------------===//

/// The value of a hexadecimal digit; 16 of any other character.
static uint32_t hexDigit(char c) {
  char low = char(c | 32);
  return c >= '0' && c <= '9'       ? uint32_t(c - '0')
         : low >= 'a' && low <= 'f' ? uint32_t(low - 'a' + 10)
                                    : 16;
}

static int hexUnit(const char *p, const char *end, uint32_t &unit) {
  if (end - p < 4)
    return 1;
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t digit = hexDigit(p[i]);
    if (digit == 16)
      return 1;
    unit = unit * 16 + digit;
  }
  return 0;
}

/// p stands behind \u.
static int unescapeUnicode(const char *&p, const char *end, char *&to) {
  uint32_t code, low;
  if (hexUnit(p, end, code))
    return 1;
  p += 4;
  if (code >= 0xd800 && code < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
      !hexUnit(p + 2, end, low) && low >= 0xdc00 && low < 0xe000) {
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    p += 6;
  }
  to = putUtf8(to, code);
  return 0;
}

/// An unknown escape stands for its character.
static char unescape(char c) {
  switch (c) {
  case '0':
    return '\0';
  case 'a':
    return '\a';
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'v':
    return '\v';
  default:
    return c;
  }
}

int parseQuoted(const char *&p, const char *end, Str *out, Arena &arena) {
  skipBlanks(p, end);
  if (p == end || (*p != '"' && *p != '\''))
    return 1;
  char quote = *p;
  const char *start = p + 1, *stop = start;
  bool escapes = false;
  for (; stop < end && *stop != quote; ++stop)
    if (*stop == '\\') {
      escapes = true;
      ++stop;
    }
  if (stop >= end)
    return 1;
  if (!escapes) {
    uint64_t n = uint64_t(stop - start);
    auto *text = n > Str::kInline ? static_cast<char *>(arenaAlloc(&arena, n, 1)) : nullptr;
    *out = strView(text ? static_cast<char *>(memcpy(text, start, n)) : start, n);
    p = stop + 1;
    return 0;
  }
  // An escape never makes the text longer.
  auto *text = static_cast<char *>(arenaAlloc(&arena, uint64_t(stop - start), 1)), *to = text;
  for (p = start; p < stop;) {
    if (*p != '\\') {
      *to++ = *p++;
      continue;
    }
    ++p;
    if (*p != 'u') {
      *to++ = unescape(*p++);
      continue;
    }
    ++p;
    if (unescapeUnicode(p, stop, to))
      return 1;
  }
  *out = strView(text, uint64_t(to - text));
  p = stop + 1;
  return 0;
}

int textValue(const TypeDesc *type, Str *text, Arena &arena) {
  if (type->kind == Kind::UString)
    *text = repairUtf8(&arena, *text);
  else if (type->bound && text->len > type->bound)
    *text = strView(text->data(), type->bound);
  return type->kind == Kind::Xml && xmlProblem(viewOf(*text)).has_value();
}

/// A string in quotes; the quotes of an xml value have an x behind them.
static int parseText(const char *&p, const char *end, const TypeDesc *type, Str *out,
                     Arena &arena) {
  if (parseQuoted(p, end, out, arena))
    return 1;
  if (type->kind == Kind::Xml && (p == end || *p++ != 'x'))
    return 1;
  return textValue(type, out, arena);
}

/// Two digits a byte.
static int parseBlob(const char *&p, const char *end, Str *out, Arena &arena) {
  skipBlanks(p, end);
  const char *stop = p;
  while (stop < end && hexDigit(*stop) < 16)
    ++stop;
  uint64_t size = uint64_t(stop - p) / 2;
  if (stop - p != ptrdiff_t(2 * size))
    return 1;
  auto *bytes = static_cast<char *>(arenaAlloc(&arena, size, 1));
  for (uint64_t i = 0; i < size; ++i, p += 2)
    bytes[i] = char(hexDigit(p[0]) << 4 | hexDigit(p[1]));
  *out = strView(bytes, size);
  return 0;
}

//===--- composites ---------------------------------------------------------===//

static bool take(const char *&p, const char *end, char c) {
  skipBlanks(p, end);
  if (p == end || *p != c)
    return false;
  ++p;
  return true;
}

namespace {
/// Elements as they are parsed, laid out by stride.
struct Elements {
  Arena &arena;
  uint32_t stride, count = 0, room = 0;
  char *data = nullptr;
  char *next() {
    if (count == room) {
      uint32_t more = room ? room * 2 : 8;
      auto *to = static_cast<char *>(arenaAlloc(&arena, uint64_t(more) * stride, 16));
      if (count)
        memcpy(to, data, uint64_t(count) * stride);
      data = to;
      room = more;
    }
    char *at = data + uint64_t(count++) * stride;
    memset(at, 0, stride);
    return at;
  }
};
} // namespace

static int parseEntry(const char *&p, const char *end, const TypeDesc *type, char *entry,
                      Arena &arena, bool special) {
  if (parseValue(p, end, type->elem, entry, arena, special))
    return 1;
  if (type->kind != Kind::Map)
    return 0;
  return !take(p, end, ':') ||
         parseValue(p, end, type->value, entry + type->valueOffset, arena, special);
}

static int parseSeq(const char *&p, const char *end, const TypeDesc *type, Seq *out, Arena &arena,
                    bool special) {
  bool isList = type->kind == Kind::List;
  if (!take(p, end, isList ? '[' : '{'))
    return 1;
  Elements elems = {arena, type->stride};
  if (!take(p, end, isList ? ']' : '}')) {
    do
      if (parseEntry(p, end, type, elems.next(), arena, special))
        return 1;
    while (take(p, end, ','));
    if (!take(p, end, isList ? ']' : '}'))
      return 1;
  }
  uint32_t most = type->bound ? type->bound : elems.count;
  if (isList) {
    *out = {elems.count < most ? elems.count : most, 0, elems.data};
    return 0;
  }
  Seq table;
  tableReserve(&arena, type, &table, elems.count);
  for (uint32_t i = 0; i < elems.count && table.len < most; ++i) {
    const char *entry = elems.data + uint64_t(i) * type->stride;
    bool added;
    uint32_t slot = tableAdd(type, &table, entry, &added);
    if (added)
      memcpy(elementAt(type, &table, slot), entry, type->stride);
  }
  *out = table;
  return 0;
}

static bool isWordChar(char c) {
  return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}
static std::string_view takeWord(const char *&p, const char *end) {
  skipBlanks(p, end);
  const char *start = p;
  while (p < end && isWordChar(*p))
    ++p;
  return {start, size_t(p - start)};
}

static int parseTuple(const char *&p, const char *end, const TypeDesc *type, void *out,
                      Arena &arena, bool special) {
  if (!take(p, end, '{'))
    return 1;
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &f = type->fields[i];
    if (i && !take(p, end, ','))
      return 1;
    if (takeWord(p, end) != f.name || !take(p, end, '='))
      return 1;
    if (parseValue(p, end, f.type, static_cast<char *>(out) + f.offset, arena, special))
      return 1;
  }
  return !take(p, end, '}');
}

/// Nanoseconds stay as they stand, also 10^9 and more: so do IBM's readers.
static int parseTimestamp(const char *&p, const char *end, void *out) {
  Timestamp t = {};
  if (!take(p, end, '(') || parseInteger(p, end, Kind::Int64, &t.seconds) || !take(p, end, ',') ||
      parseInteger(p, end, Kind::UInt32, &t.nanos))
    return 1;
  if (take(p, end, ',') && parseInteger(p, end, Kind::Int32, &t.machine))
    return 1;
  if (!take(p, end, ')'))
    return 1;
  store(out, t);
  return 0;
}

/// (RE,IM), or the real part alone.
template <typename T>
static int parseComplex(const char *&p, const char *end, Kind part, void *out, bool special) {
  T c = {};
  if (!take(p, end, '('))
    return parseFloat(p, end, part, &c.re, special) ? 1 : (store(out, c), 0);
  if (parseFloat(p, end, part, &c.re, special) || !take(p, end, ',') ||
      parseFloat(p, end, part, &c.im, special) || !take(p, end, ')'))
    return 1;
  store(out, c);
  return 0;
}

/// `null` or a value.
static int parseOptional(const char *&p, const char *end, const TypeDesc *type, void *out,
                         Arena &arena, bool special) {
  const char *start = p;
  memset(out, 0, type->size);
  if (takeWord(p, end) == "null")
    return 0;
  p = start;
  store(out, uint8_t(1));
  const Field &field = type->fields[1];
  return parseValue(p, end, field.type, static_cast<char *>(out) + field.offset, arena, special);
}

static int parseEnum(const char *&p, const char *end, const TypeDesc *type, void *out) {
  std::string_view word = takeWord(p, end);
  for (uint32_t i = 0; i < type->count; ++i)
    if (word == type->names[i]) {
      store(out, i);
      return 0;
    }
  return 1;
}

static int parseBoolean(const char *&p, const char *end, void *out) {
  std::string_view word = takeWord(p, end);
  store(out, uint8_t(word == "true"));
  return word != "true" && word != "false";
}

int parseValue(const char *&p, const char *end, const TypeDesc *type, void *out, Arena &arena,
               bool special) {
  switch (type->kind) {
  case Kind::Boolean:
    return parseBoolean(p, end, out);
  case Kind::Float32:
  case Kind::Float64:
    return parseFloat(p, end, type->kind, out, special);
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return parseDecimal(p, end, type->kind, out, special);
  case Kind::Complex32:
    return parseComplex<Complex32>(p, end, Kind::Float32, out, special);
  case Kind::Complex64:
    return parseComplex<Complex64>(p, end, Kind::Float64, out, special);
  case Kind::Enum:
    return parseEnum(p, end, type, out);
  case Kind::Timestamp:
    return parseTimestamp(p, end, out);
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
    return parseText(p, end, type, static_cast<Str *>(out), arena);
  case Kind::Blob:
    return parseBlob(p, end, static_cast<Str *>(out), arena);
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    return parseSeq(p, end, type, static_cast<Seq *>(out), arena, special);
  case Kind::Optional:
    return parseOptional(p, end, type, out, arena, special);
  case Kind::Tuple:
    return parseTuple(p, end, type, out, arena, special);
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
    return parseInteger(p, end, type->kind, out);
  }
  __builtin_unreachable();
}

int parseAll(const char *p, const char *end, const TypeDesc *type, void *out, Arena &arena) {
  if (type->kind == Kind::RString || type->kind == Kind::UString || type->kind == Kind::Xml) {
    uint64_t n = uint64_t(end - p);
    auto *text = static_cast<char *>(arenaAlloc(&arena, n, 1));
    if (n)
      memcpy(text, p, n);
    *static_cast<Str *>(out) = strView(text, n);
    return textValue(type, static_cast<Str *>(out), arena);
  }
  if (type->kind == Kind::Enum && p < end && !isWordChar(*p))
    return 1;
  if (parseValue(p, end, type, out, arena))
    return 1;
  if (type->kind != Kind::Enum)
    skipBlanks(p, end);
  return p != end;
}

} // namespace sluice
