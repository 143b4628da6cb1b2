//===- BinWriter.cpp - values in the format bin ---------------------------===//
#include "stdlib/native/csv/BinWriter.h"
#include "value/Numbers.h"
#include "value/Utf8.h"
#include "value/Value.h"
#include <vector>

namespace sluice {

/// The bytes of a number, the high ones first. All our machines are little-endian.
template <typename T> static void putNumber(TextOut &to, T number) {
  char *bytes = to.reserve(sizeof number);
  auto *from = reinterpret_cast<const char *>(&number);
  for (size_t i = 0; i < sizeof number; ++i)
    bytes[i] = from[sizeof number - 1 - i];
  to.size += sizeof number;
}

template <typename D> static void putDecimal(TextOut &to, const void *value) {
  D packed = denselyPacked(load<D>(value));
  to.put(std::string_view(reinterpret_cast<const char *>(&packed), sizeof packed));
}

static void putLength(TextOut &to, uint64_t length) {
  if (length < 128)
    return to.put(char(length));
  to.put('\x80');
  putNumber(to, uint32_t(length));
}

static void putZeros(TextOut &to, uint64_t count) {
  memset(to.reserve(count), 0, count);
  to.size += count;
}

/// UTF-16.
static void putWide(TextOut &to, std::string_view text) {
  const char *end = text.data() + text.size();
  auto each = [&](auto unit) {
    for (const char *p = text.data(); p < end;) {
      uint32_t code;
      p += decodeUtf8(p, end, code);
      if (code >= 0x10000)
        unit(uint16_t(0xd7c0 + (code >> 10))), unit(uint16_t(0xdc00 + (code & 0x3ff)));
      else
        unit(uint16_t(code));
    }
  };
  uint64_t units = 0;
  each([&](uint16_t) { ++units; });
  putLength(to, units);
  each([&](uint16_t unit) { putNumber(to, unit); });
}

static void putText(TextOut &to, const TypeDesc *type, std::string_view text) {
  if (type->kind == Kind::UString)
    return putWide(to, text);
  if (type->kind == Kind::Blob)
    putNumber(to, uint64_t(text.size()));
  else
    putLength(to, text.size());
  to.put(text);
  if (type->bound)
    putZeros(to, type->bound + 1 - text.size());
}

static void putElements(TextOut &to, const TypeDesc *type, const Seq *seq) {
  putLength(to, seq->len);
  for (uint32_t i = 0; i < seq->len; ++i) {
    const char *element = elementAt(type, seq, i);
    writeBin(to, type->elem, element);
    if (type->kind == Kind::Map)
      writeBin(to, type->value, element + type->valueOffset);
  }
  if (type->kind != Kind::List || seq->len >= type->bound)
    return;
  std::vector<uint64_t> none(type->elem->size / 8 + 1); // the default value of every type
  for (uint32_t i = seq->len; i < type->bound; ++i)
    writeBin(to, type->elem, none.data());
}

static void putFields(TextOut &to, const TypeDesc *type, const void *value) {
  for (uint32_t i = 0; i < type->count; ++i)
    writeBin(to, type->fields[i].type, static_cast<const char *>(value) + type->fields[i].offset);
}

template <typename T> static void putComplex(TextOut &to, const T &value) {
  putNumber(to, value.re);
  putNumber(to, value.im);
}

void writeBin(TextOut &to, double number) { putNumber(to, number); }

void writeBin(TextOut &to, const TypeDesc *type, const void *value) {
  switch (type->kind) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::UInt8:
    return to.put(load<char>(value));
  case Kind::Int16:
  case Kind::UInt16:
    return putNumber(to, load<uint16_t>(value));
  case Kind::Int32:
  case Kind::UInt32:
  case Kind::Float32:
  case Kind::Enum:
    return putNumber(to, load<uint32_t>(value));
  case Kind::Int64:
  case Kind::UInt64:
  case Kind::Float64:
    return putNumber(to, load<uint64_t>(value));
  case Kind::Decimal32:
    return putDecimal<Decimal32>(to, value);
  case Kind::Decimal64:
    return putDecimal<Decimal64>(to, value);
  case Kind::Decimal128:
    return putDecimal<Decimal128>(to, value);
  case Kind::Complex32:
    return putComplex(to, load<Complex32>(value));
  case Kind::Complex64:
    return putComplex(to, load<Complex64>(value));
  case Kind::Timestamp: {
    auto time = load<Timestamp>(value);
    putNumber(to, time.seconds);
    putNumber(to, time.nanos);
    return putNumber(to, time.machine);
  }
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
  case Kind::Blob:
    return putText(to, type, viewOf(*static_cast<const Str *>(value)));
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    return putElements(to, type, static_cast<const Seq *>(value));
  case Kind::Optional:
    to.put(load<char>(value));
    if (!load<uint8_t>(value))
      return;
    return writeBin(to, type->fields[1].type,
                    static_cast<const char *>(value) + type->fields[1].offset);
  case Kind::Tuple:
    return putFields(to, type, value);
  }
}

} // namespace sluice
