//===- Writer.cpp - values to JSON ----------------------------------------===//
#include "toolkits/json/native/Writer.h"
#include "base/text/Utf8.h"
#include "toolkits/json/native/Names.h"
#include "value/Table.h"
#include <cmath>
#include <cstdio>

extern "C" int32_t sl_ctime_T(sluice::Ctx *, sluice::Str *, const sluice::Timestamp *);

namespace sluice::json {

//===--- strings --------------------------------------------------------------===//

/// Whether a string has the byte as it is.
static bool isPlain(char c) {
  return uint8_t(c) >= 0x20 && uint8_t(c) < 0x80 && c != '"' && c != '\\';
}

/// Writes the character at p, which is not plain.
void Writer::escaped(const char *&p, const char *end) {
  uint32_t code;
  if (uint8_t(*p) >= 0x80) {
    unsigned length = decodeUtf8(p, end, code);
    out.put(length ? std::string_view(p, length) : std::string_view("\xef\xbf\xbd"));
    p += length ? length : 1;
    return;
  }
  static constexpr char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  char c = *p++;
  out.put('\\');
  if (const char *found = c ? strchr(from, c) : nullptr) {
    out.put(to[found - from]);
    return;
  }
  char digits[8];
  snprintf(digits, sizeof digits, "u%04x", unsigned(c));
  out.put(digits);
}

void Writer::string(std::string_view text) {
  out.put('"');
  const char *p = text.data(), *end = p + text.size();
  while (p < end) {
    const char *start = p;
    while (p < end && isPlain(*p))
      ++p;
    out.put({start, size_t(p - start)});
    if (p < end)
      escaped(p, end);
  }
  out.put('"');
}

//===--- numbers --------------------------------------------------------------===//

/// With a point or an exponent, as IBM's writers have it.
template <typename T> void Writer::real(T value) {
  if (!std::isfinite(value)) {
    out.put("null");
    return;
  }
  size_t start = out.size;
  printFloat(out, value);
  if (out.view().substr(start).find_first_of(".eE") == std::string_view::npos)
    out.put(".0");
}

void Writer::decimal(const TypeDesc *type, const void *value) {
  size_t start = out.size;
  printDecimal(out, type->kind, value);
  std::string_view text = out.view().substr(start);
  if (text.find_first_not_of("0123456789+-.eE") == std::string_view::npos)
    return;
  out.size = start; // no number
  out.put("null");
}

void Writer::time(const Timestamp &time) {
  if (times == Times::Date) {
    Str text;
    sl_ctime_T(ctx, &text, &time);
    string(viewOf(text));
    return;
  }
  bool isNegative = time.seconds < 0;
  uint64_t seconds = isNegative ? 0 - uint64_t(time.seconds) : uint64_t(time.seconds);
  uint32_t nanos = time.nanos;
  if (isNegative && nanos) {
    --seconds;
    nanos = 1'000'000'000 - nanos;
  }
  if (isNegative)
    out.put('-');
  printInteger(out, seconds);
  if (nanos) {
    char digits[16];
    snprintf(digits, sizeof digits, ".%09u", nanos);
    out.put(digits);
  }
}

//===--- composites -----------------------------------------------------------===//

void Writer::tuple(const TypeDesc *type, const char *value) {
  out.put('{');
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    out.put(i ? ",\"" : "\"");
    out.put(nameOf(field, prefix));
    out.put("\":");
    this->value(field.type, value + field.offset);
  }
  out.put('}');
}

void Writer::elements(const TypeDesc *type, const Seq &seq) {
  out.put('[');
  for (uint32_t i = 0; i < seq.len; ++i) {
    if (i)
      out.put(',');
    value(type->elem, static_cast<const char *>(seq.data) + uint64_t(i) * type->stride);
  }
  out.put(']');
}

/// A key that is no string has its text.
void Writer::entries(const TypeDesc *type, const Seq &seq) {
  bool isText = type->elem->kind == Kind::RString || type->elem->kind == Kind::UString;
  out.put('{');
  for (uint32_t i = 0; i < seq.len; ++i) {
    auto *entry = static_cast<const char *>(seq.data) + uint64_t(i) * type->stride;
    if (i)
      out.put(',');
    if (isText) {
      string(viewOf(load<Str>(entry)));
    } else {
      TextOut key; // not of the arena: a server writes on a thread of its own
      printValue(key, type->elem, entry, false);
      string(key.view());
    }
    out.put(':');
    value(type->value, entry + type->valueOffset);
  }
  out.put('}');
}

void Writer::value(const TypeDesc *type, const void *v) {
  switch (type->kind) {
  case Kind::Boolean:
    out.put(load<uint8_t>(v) ? "true" : "false");
    break;
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
    out.size = size_t(putInteger(out.reserve(kNumberRoom), type->kind, v) - out.data);
    break;
  case Kind::Float32:
    real(load<float>(v));
    break;
  case Kind::Float64:
    real(load<double>(v));
    break;
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    decimal(type, v);
    break;
  case Kind::Enum:
    string(type->names[load<uint32_t>(v)]);
    break;
  case Kind::Timestamp:
    time(load<Timestamp>(v));
    break;
  case Kind::RString:
  case Kind::UString:
    string(viewOf(*static_cast<const Str *>(v)));
    break;
  case Kind::List:
  case Kind::Set:
    elements(type, *static_cast<const Seq *>(v));
    break;
  case Kind::Map:
    entries(type, *static_cast<const Seq *>(v));
    break;
  case Kind::Tuple:
    tuple(type, static_cast<const char *>(v));
    break;
  case Kind::Optional: {
    const Field &field = type->fields[1];
    if (load<uint8_t>(v))
      value(field.type, static_cast<const char *>(v) + field.offset);
    else
      out.put("null");
    break;
  }
  case Kind::Blob:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Xml:
    out.put("null");
    break;
  }
}

} // namespace sluice::json
