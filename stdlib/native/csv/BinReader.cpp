//===- BinReader.cpp - values in the format bin ---------------------------===//
#include "stdlib/native/csv/BinReader.h"
#include "stdlib/native/csv/BinWriter.h"
#include "value/Numbers.h"
#include "value/Table.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include "value/Value.h"

namespace sluice {
namespace {

/// The bytes that are left of a value. Each function says whether it has got what it wants, or
/// sets `result`.
struct BinBytes {
  const char *p, *end;
  Arena &arena;
  BinResult result = BinResult::Done;

  bool fail(BinResult why) {
    result = why;
    return false;
  }
  bool has(uint64_t count) { return uint64_t(end - p) >= count || fail(BinResult::More); }
  bool raw(void *to, size_t size) {
    if (!has(size))
      return false;
    memcpy(to, p, size);
    p += size;
    return true;
  }
  /// A number of 1, 2, 4 or 8 bytes, the high ones first. All our machines are little-endian.
  bool number(void *to, size_t size) {
    if (!has(size))
      return false;
    switch (size) {
    case 8:
      store(to, __builtin_bswap64(load<uint64_t>(p)));
      break;
    case 4:
      store(to, __builtin_bswap32(load<uint32_t>(p)));
      break;
    case 2:
      store(to, __builtin_bswap16(load<uint16_t>(p)));
      break;
    default:
      store(to, *p);
    }
    p += size;
    return true;
  }
  bool length(uint64_t &length) {
    uint8_t first;
    uint32_t longer;
    if (!raw(&first, 1))
      return false;
    length = first;
    if (first < 128)
      return true;
    if (first != 128)
      return fail(BinResult::Bad);
    if (!number(&longer, sizeof longer))
      return false;
    length = longer;
    return true;
  }
  bool flag(void *to) {
    uint8_t byte;
    if (!raw(&byte, 1) || (byte > 1 && !fail(BinResult::Bad)))
      return false;
    store(to, byte);
    return true;
  }
  template <typename D> bool decimal(void *to) {
    D packed;
    if (!raw(&packed, sizeof packed))
      return false;
    store(to, fromDenselyPacked(packed));
    return true;
  }
  bool text(const TypeDesc *, Str *out);
  bool wide(Str *out);
  bool elements(const TypeDesc *, Seq *out);
  bool table(const TypeDesc *, Seq *out, const char *data, uint32_t count);
  bool fields(const TypeDesc *, char *out);
  bool optional(const TypeDesc *, char *out);
  bool value(const TypeDesc *, void *out);
};

bool BinBytes::wide(Str *out) {
  uint64_t units;
  if (!length(units) || !has(2 * units))
    return false;
  auto *text = static_cast<char *>(arenaAlloc(&arena, 3 * units, 1)), *to = text;
  auto unit = [&](uint64_t i) { return uint32_t(uint8_t(p[2 * i])) << 8 | uint8_t(p[2 * i + 1]); };
  for (uint64_t i = 0; i < units; ++i) {
    uint32_t code = unit(i);
    bool isPair = code >> 10 == 0x36 && i + 1 < units && unit(i + 1) >> 10 == 0x37;
    if (isPair)
      code = 0x10000 + ((code & 0x3ff) << 10) + (unit(++i) & 0x3ff);
    to = putUtf8(to, code);
  }
  p += 2 * units;
  *out = strView(text, uint64_t(to - text));
  return true;
}

bool BinBytes::text(const TypeDesc *type, Str *out) {
  if (type->kind == Kind::UString)
    return wide(out);
  uint64_t size;
  bool isBlob = type->kind == Kind::Blob;
  if (isBlob ? !number(&size, sizeof size) : !length(size))
    return false;
  if (size > UINT32_MAX || (type->bound && size > type->bound))
    return fail(BinResult::Bad);
  uint64_t there = type->bound ? type->bound + 1 : size;
  if (!has(there))
    return false;
  *out = strView(p, size);
  p += there;
  return isBlob || !textValue(type, out, arena) || fail(BinResult::Bad);
}

bool BinBytes::elements(const TypeDesc *type, Seq *out) {
  uint64_t count;
  if (!length(count))
    return false;
  bool isFilled = type->kind == Kind::List && type->bound;
  if (type->bound && count > type->bound)
    return fail(BinResult::Bad);
  uint64_t there = isFilled ? type->bound : count;
  if (!has(there)) // each has a byte at least
    return false;
  uint64_t bytes = there * type->stride;
  auto *data = static_cast<char *>(there ? arenaAlloc(&arena, bytes, 16) : nullptr);
  if (there)
    memset(data, 0, bytes);
  for (uint64_t i = 0; i < there; ++i) {
    char *element = data + i * type->stride;
    if (!value(type->elem, element) ||
        (type->kind == Kind::Map && !value(type->value, element + type->valueOffset)))
      return false;
  }
  *out = {uint32_t(count), 0, data};
  return type->kind == Kind::List || table(type, out, data, uint32_t(count));
}

/// Of equal keys the first stays.
bool BinBytes::table(const TypeDesc *type, Seq *out, const char *data, uint32_t count) {
  Seq made;
  tableReserve(&arena, type, &made, count);
  for (uint32_t i = 0; i < count; ++i) {
    const char *entry = data + uint64_t(i) * type->stride;
    bool added;
    uint32_t slot = tableAdd(type, &made, entry, &added);
    if (added)
      memcpy(elementAt(type, &made, slot), entry, type->stride);
  }
  *out = made;
  return true;
}

bool BinBytes::fields(const TypeDesc *type, char *out) {
  for (uint32_t i = 0; i < type->count; ++i)
    if (!value(type->fields[i].type, out + type->fields[i].offset))
      return false;
  return true;
}

bool BinBytes::optional(const TypeDesc *type, char *out) {
  memset(out, 0, type->size);
  if (!flag(out))
    return false;
  return !*out || value(type->fields[1].type, out + type->fields[1].offset);
}

bool BinBytes::value(const TypeDesc *type, void *out) {
  auto *bytes = static_cast<char *>(out);
  switch (type->kind) {
  case Kind::Boolean:
    return flag(out);
  case Kind::Enum:
    return number(out, 4) && (load<uint32_t>(out) < type->count || fail(BinResult::Bad));
  case Kind::Int8:
  case Kind::UInt8:
  case Kind::Int16:
  case Kind::UInt16:
  case Kind::Int32:
  case Kind::UInt32:
  case Kind::Float32:
  case Kind::Int64:
  case Kind::UInt64:
  case Kind::Float64:
    return number(out, type->size);
  case Kind::Decimal32:
    return decimal<Decimal32>(out);
  case Kind::Decimal64:
    return decimal<Decimal64>(out);
  case Kind::Decimal128:
    return decimal<Decimal128>(out);
  case Kind::Complex32:
  case Kind::Complex64:
    return number(bytes, type->size / 2) && number(bytes + type->size / 2, type->size / 2);
  case Kind::Timestamp:
    return number(bytes + offsetof(Timestamp, seconds), 8) &&
           number(bytes + offsetof(Timestamp, nanos), 4) &&
           number(bytes + offsetof(Timestamp, machine), 4);
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
  case Kind::Blob:
    return text(type, static_cast<Str *>(out));
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    return elements(type, static_cast<Seq *>(out));
  case Kind::Optional:
    return optional(type, bytes);
  case Kind::Tuple:
    return fields(type, bytes);
  }
  __builtin_unreachable();
}

} // namespace

BinResult readBin(const char *&p, const char *end, const TypeDesc *type, void *out, Arena &arena) {
  BinBytes bytes{p, end, arena};
  if (bytes.value(type, out))
    p = bytes.p;
  return bytes.result;
}

//===--- files ----------------------------------------------------------------===//

BinResult BinReader::read(const char *&p, const char *end, const TypeDesc *type, void *row,
                          Arena &arena) {
  BinBytes head{p, end, arena};
  auto mark = uint8_t(BinMark::Tuple);
  if ((delayField && !head.number(&delay, sizeof delay)) || (marks && !head.raw(&mark, 1)))
    return head.result;
  p = head.p;
  item = mark == uint8_t(BinMark::Window)  ? Item::Window
         : mark == uint8_t(BinMark::Final) ? Item::Final
                                           : Item::Tuple;
  if (mark > uint8_t(BinMark::Final))
    return BinResult::Bad;
  return item == Item::Tuple ? readBin(p, end, type, row, arena) : BinResult::Done;
}

LineReader::Status BinReader::next(LineReader &file, const TypeDesc *type, void *row,
                                   Arena &arena) {
  ArenaCheckpoint before = arenaCheckpoint(&arena);
  for (std::string_view bytes;;) {
    size_t had = bytes.size();
    auto status = file.peek(had, bytes);
    item = Item::Bad;
    if (status != LineReader::Status::Line || bytes.size() == had) // the file ends within a tuple
      return status;
    const char *p = bytes.data();
    BinResult result = read(p, p + bytes.size(), type, row, arena);
    if (result == BinResult::Bad)
      item = Item::Bad;
    if (result == BinResult::Done)
      file.skip(size_t(p - bytes.data()));
    if (result != BinResult::More)
      return status;
    arenaRelease(&arena, before);
  }
}

} // namespace sluice
