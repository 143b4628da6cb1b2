//===- Values.cpp - attributes as parameters and columns ------------------===//
#include "toolkits/jdbc/native/Values.h"
#include "stdlib/native/time/IsoTime.h"
#include "value/Value.h"
#include <algorithm>
#include <cstdio>
#include <string>
#include <strings.h>

namespace sluice::jdbc {

bool isColumnType(const TypeDesc &type) {
  if (type.kind == Kind::Optional)
    return isColumnType(*type.fields[1].type);
  return !isIn(type.kind, type_class::Composite | type_class::Complex);
}

/// rstring, ustring and xml.
static bool isText(Kind kind) { return isIn(kind, type_class::String | type_class::Xml); }

const Field *fieldOf(const TypeDesc &type, std::string_view name) {
  for (uint32_t i = 0; i < type.count; ++i)
    if (type.fields[i].name == name)
      return &type.fields[i];
  return nullptr;
}

const Field *columnOf(const TypeDesc &type, std::string_view name) {
  if (const Field *exact = fieldOf(type, name))
    return exact;
  for (uint32_t i = 0; i < type.count; ++i)
    if (!strcasecmp(type.fields[i].name, std::string(name).c_str()))
      return &type.fields[i];
  return nullptr;
}

//===--- to PostgreSQL --------------------------------------------------------===//

/// 2026-11-29 04:10:29.123456789+00; years before 1 have BC.
static void putTime(TextOut &out, const Timestamp &t) {
  int64_t days = floorDiv(t.seconds, kDay), second = t.seconds - days * kDay;
  Date date = dateOf(days);
  bool isBefore = date.year < 1;
  char text[80];
  int size = snprintf(text, sizeof text, "%04lld-%02d-%02d %02d:%02d:%02d.%09u+00%s",
                      static_cast<long long>(isBefore ? 1 - date.year : date.year), date.month + 1,
                      date.day, int(second / 3600), int(second / 60 % 60), int(second % 60),
                      t.nanos, isBefore ? " BC" : "");
  out.put({text, size_t(size)});
}

static void putBytes(TextOut &out, std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  out.put("\\x");
  char *to = out.reserve(2 * bytes.size());
  for (char c : bytes) {
    *to++ = digits[uint8_t(c) >> 4];
    *to++ = digits[uint8_t(c) & 15];
  }
  out.size += 2 * bytes.size();
}

bool putText(TextOut &out, const TypeDesc &type, const void *value) {
  auto *bytes = static_cast<const char *>(value);
  if (type.kind == Kind::Optional)
    return load<uint8_t>(bytes + type.fields[0].offset) &&
           putText(out, *type.fields[1].type, bytes + type.fields[1].offset);
  if (type.kind == Kind::Timestamp) {
    putTime(out, load<Timestamp>(value));
  } else if (type.kind == Kind::Blob) {
    putBytes(out, viewOf(*static_cast<const Str *>(value)));
  } else if (isText(type.kind)) {
    out.put(viewOf(*static_cast<const Str *>(value)));
  } else {
    out.floats = FloatText::Shortest;
    printValue(out, &type, value, false);
  }
  return true;
}

bool hasZero(const TypeDesc &type, const void *value) {
  if (type.kind == Kind::Optional) // without a value it is empty
    return hasZero(*type.fields[1].type, static_cast<const char *>(value) + type.fields[1].offset);
  if (!isText(type.kind))
    return false;
  std::string_view text = viewOf(*static_cast<const Str *>(value));
  return memchr(text.data(), 0, text.size()) != nullptr;
}

void putEscaped(TextOut &out, std::string_view text) {
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && text[plain] != '\\' && text[plain] != '\n' &&
           text[plain] != '\t' && text[plain] != '\r')
      ++plain;
    out.put(text.substr(0, plain));
    if (plain == text.size())
      return;
    char c = text[plain];
    out.put('\\');
    out.put(c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : c);
    text.remove_prefix(plain + 1);
  }
}

//===--- from PostgreSQL ------------------------------------------------------===//

static bool setBoolean(std::string_view text, char *value) {
  bool isTrue = text == "t" || text == "true" || text == "1";
  if (!isTrue && text != "f" && text != "false" && text != "0")
    return false;
  *value = isTrue;
  return true;
}

/// As PostgreSQL writes dates and times with `SET datestyle = ISO`.
static bool setTime(std::string_view text, char *value) {
  std::string iso(text.substr(0, text.find(" BC")));
  bool isBefore = iso.size() != text.size();
  if (size_t blank = iso.find(' '); blank != iso.npos)
    iso[blank] = 'T';
  if (size_t dash = iso.find('-'); dash != iso.npos && dash > 4)
    iso.insert(0, "+"); // a year of more than four digits
  if (isBefore && iso.size() > 4) {
    char year[16];
    snprintf(year, sizeof year, "%s%04d", atoi(iso.c_str()) > 1 ? "-" : "", atoi(iso.c_str()) - 1);
    iso.replace(0, iso.find('-', 1), year);
  }
  IsoTime time = isoTime(iso);
  if (time.state != CivilTime::Exists)
    return false;
  store(value, Timestamp{time.wall - time.offset.value_or(0), time.nanos, 0});
  return true;
}

static int hexDigit(char c) {
  return c >= '0' && c <= '9'                 ? c - '0'
         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                              : -1;
}

/// As `SET bytea_output = hex` has it; other texts are their bytes.
static bool setBytes(std::string_view text, uint32_t bound, char *value, Arena &arena) {
  if (!text.starts_with("\\x")) {
    *reinterpret_cast<Str *>(value) =
        strView(text.data(), bound ? std::min<size_t>(text.size(), bound) : text.size());
    return true;
  }
  text.remove_prefix(2);
  size_t size = text.size() / 2;
  auto *to = static_cast<char *>(arenaAlloc(&arena, size + 1, 1));
  for (size_t i = 0; i < size; ++i) {
    int high = hexDigit(text[2 * i]), low = hexDigit(text[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    to[i] = char(high << 4 | low);
  }
  *reinterpret_cast<Str *>(value) = strView(to, size);
  return text.size() % 2 == 0;
}

/// As PostgreSQL writes numbers: Infinity is inf here.
static bool setReal(Kind kind, std::string_view text, char *value) {
  std::string shorter(text.substr(0, text.find("inity")));
  const char *p = shorter.c_str(), *end = p + shorter.size();
  bool isDecimal = isIn(kind, type_class::Decimal);
  bool isBad =
      isDecimal ? parseDecimal(p, end, kind, value, true) : parseFloat(p, end, kind, value, true);
  return !isBad && p == end;
}

bool setText(const TypeDesc &type, std::string_view text, char *value, Arena &arena) {
  Kind kind = type.kind;
  if (kind == Kind::Optional) {
    value[type.fields[0].offset] = 1;
    return setText(*type.fields[1].type, text, value + type.fields[1].offset, arena);
  }
  if (kind == Kind::Boolean)
    return setBoolean(text, value);
  if (kind == Kind::Timestamp)
    return setTime(text, value);
  if (kind == Kind::Blob)
    return setBytes(text, type.bound, value, arena);
  if (isText(kind)) {
    *reinterpret_cast<Str *>(value) = strView(text.data(), text.size());
    return !textValue(&type, reinterpret_cast<Str *>(value), arena);
  }
  if (isIn(kind, type_class::FloatingPoint))
    return setReal(kind, text, value);
  bool isUnsigned = isIn(kind, type_class::Integral) && !isIn(kind, type_class::Signed);
  if (isUnsigned && text.starts_with('-')) // parseAll would make another number of it
    return false;
  return !parseAll(text.data(), text.data() + text.size(), &type, value, arena);
}

void setNull(const TypeDesc &type, char *value) {
  if (type.kind == Kind::Optional)
    memset(value, 0, type.size);
}

} // namespace sluice::jdbc
