//===- Print.cpp - values to text -------------------------------*- C++ -*-===//
#include "memory/Memory.h"
#include "value/Text.h"
#include "value/Utf8.h"

namespace sluice {

TextOut::~TextOut() {
  if (!arena && !isLocal())
    giveMemory(data);
}

void TextOut::grow(size_t least) {
  size_t to = capacity * 2;
  if (to < least)
    to = least;
  auto *grown = static_cast<char *>(arena ? arenaAlloc(arena, to, 1) : takeMemory(to));
  memcpy(grown, data, size);
  if (!arena && !isLocal())
    giveMemory(data);
  data = grown;
  capacity = to;
}

//===--- strings ------------------------------------------------------------===//

static constexpr char kHexDigits[] = "0123456789abcdef";

static void putUnit(TextOut &out, uint32_t unit) {
  auto digit = [&](unsigned shift) { return kHexDigits[unit >> shift & 15]; };
  char text[] = {'\\', 'u', digit(12), digit(8), digit(4), digit(0)};
  out.put({text, 6});
}

static char shortEscape(char c) {
  switch (c) {
  case '"':
  case '\\':
    return c;
  case '\0':
    return '0';
  case '\a':
    return 'a';
  case '\b':
    return 'b';
  case '\f':
    return 'f';
  case '\n':
    return 'n';
  case '\r':
    return 'r';
  case '\t':
    return 't';
  case '\v':
    return 'v';
  default:
    return 0;
  }
}

static bool isPlain(char c) {
  return uint8_t(c) >= 0x20 && uint8_t(c) < 0x7f && c != '"' && c != '\\';
}

void printQuoted(TextOut &out, std::string_view s, bool ascii) {
  const char *p = s.data(), *end = p + s.size();
  while (p < end && isPlain(*p))
    ++p;
  char *to = out.reserve(s.size() + 2);
  *to = '"';
  if (!s.empty())
    memcpy(to + 1, s.data(), s.size());
  if (p == end) { // as most are
    to[s.size() + 1] = '"';
    out.size += s.size() + 2;
    return;
  }
  out.size += 1 + size_t(p - s.data());
  while (p < end) {
    const char *start = p;
    while (p < end && isPlain(*p))
      ++p;
    out.put({start, size_t(p - start)});
    if (p == end)
      break;
    uint32_t code = 0;
    unsigned n = decodeUtf8(p, end, code);
    if (n == 1) {
      if (char letter = shortEscape(*p)) {
        out.put('\\');
        out.put(letter);
      } else {
        putUnit(out, code);
      }
    } else if (!n) {
      out.put(*p);
      n = 1;
    } else if (!ascii && code >= 0xa0) {
      out.put({p, n});
    } else if (code >= 0x10000) {
      putUnit(out, 0xd800 + ((code - 0x10000) >> 10));
      putUnit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
    } else {
      putUnit(out, code);
    }
    p += n;
  }
  out.put('"');
}

/// Two digits a byte.
static void printHex(TextOut &out, std::string_view bytes) {
  char *to = out.reserve(2 * bytes.size());
  for (char byte : bytes) {
    *to++ = kHexDigits[uint8_t(byte) >> 4];
    *to++ = kHexDigits[byte & 15];
  }
  out.size += 2 * bytes.size();
}

//===--- any type -----------------------------------------------------------===//

static void printElements(TextOut &out, const TypeDesc *type, const Seq *seq) {
  for (uint32_t i = 0; i < seq->len; ++i) {
    if (i)
      out.put(',');
    const char *entry = elementAt(type, seq, i);
    printValue(out, type->elem, entry, true);
    if (type->kind == Kind::Map) {
      out.put(':');
      printValue(out, type->value, entry + type->valueOffset, true);
    }
  }
}

static void printTuple(TextOut &out, const TypeDesc *type, const void *value) {
  out.put('{');
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &f = type->fields[i];
    if (i)
      out.put(',');
    out.put(f.name);
    out.put('=');
    printValue(out, f.type, static_cast<const char *>(value) + f.offset, true);
  }
  out.put('}');
}

static void printEnum(TextOut &out, const TypeDesc *type, uint32_t index) {
  if (index < type->count)
    out.put(type->names[index]);
  else
    printInteger(out, uint64_t(index));
}

static void printTimestamp(TextOut &out, const Timestamp &t) {
  out.put('(');
  printInteger(out, t.seconds);
  out.put(',');
  printInteger(out, uint64_t(t.nanos));
  out.put(',');
  printInteger(out, int64_t(t.machine));
  out.put(')');
}

template <typename T> static void printComplex(TextOut &out, const T &c) {
  out.put('(');
  printFloat(out, c.re);
  out.put(',');
  printFloat(out, c.im);
  out.put(')');
}

static void printOptional(TextOut &out, const TypeDesc *type, const void *value) {
  if (!load<uint8_t>(value))
    return out.put("null");
  const Field &field = type->fields[1];
  printValue(out, field.type, static_cast<const char *>(value) + field.offset, true);
}

void printValue(TextOut &out, const TypeDesc *type, const void *value, bool quoteTopString) {
  switch (type->kind) {
  case Kind::Boolean:
    return out.put(load<uint8_t>(value) ? "true" : "false");
  case Kind::Int8:
    return printInteger(out, int64_t(load<int8_t>(value)));
  case Kind::Int16:
    return printInteger(out, int64_t(load<int16_t>(value)));
  case Kind::Int32:
    return printInteger(out, int64_t(load<int32_t>(value)));
  case Kind::Int64:
    return printInteger(out, load<int64_t>(value));
  case Kind::UInt8:
    return printInteger(out, uint64_t(load<uint8_t>(value)));
  case Kind::UInt16:
    return printInteger(out, uint64_t(load<uint16_t>(value)));
  case Kind::UInt32:
    return printInteger(out, uint64_t(load<uint32_t>(value)));
  case Kind::UInt64:
    return printInteger(out, load<uint64_t>(value));
  case Kind::Float32:
    return printFloat(out, load<float>(value));
  case Kind::Float64:
    return printFloat(out, load<double>(value));
  case Kind::Enum:
    return printEnum(out, type, load<uint32_t>(value));
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return printDecimal(out, type->kind, value);
  case Kind::Complex32:
    return printComplex(out, load<Complex32>(value));
  case Kind::Complex64:
    return printComplex(out, load<Complex64>(value));
  case Kind::Timestamp:
    return printTimestamp(out, load<Timestamp>(value));
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml: {
    std::string_view text = viewOf(*static_cast<const Str *>(value));
    if (!quoteTopString)
      return out.put(text);
    printQuoted(out, text);
    return type->kind == Kind::Xml ? out.put('x') : void();
  }
  case Kind::Blob:
    return printHex(out, viewOf(*static_cast<const Str *>(value)));
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    out.put(type->kind == Kind::List ? '[' : '{');
    printElements(out, type, static_cast<const Seq *>(value));
    return out.put(type->kind == Kind::List ? ']' : '}');
  case Kind::Optional:
    return printOptional(out, type, value);
  case Kind::Tuple:
    return printTuple(out, type, value);
  }
}

/// A text in scratch, or inline.
static Str newString(Ctx *ctx, const char *text, size_t size) {
  if (size <= Str::kInline)
    return strView(text, size);
  auto *copy = static_cast<char *>(arenaAlloc(ctx->scratch, size, 1));
  memcpy(copy, text, size);
  return strView(copy, size);
}

extern "C" void sl_to_string(Ctx *ctx, const TypeDesc *type, Str *result, const void *value) {
  if (shortInteger(type->kind, value, result))
    return;
  char number[kNumberRoom];
  if (const char *end = putInteger(number, type->kind, value)) {
    *result = newString(ctx, number, size_t(end - number));
    return;
  }
  TextOut out(ctx->scratch);
  printValue(out, type, value, false);
  *result = out.isLocal() ? newString(ctx, out.data, out.size) : strView(out.data, out.size);
}

} // namespace sluice
