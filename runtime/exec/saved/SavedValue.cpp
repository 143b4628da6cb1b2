//===- SavedValue.cpp - values as bytes ------------------------------------===//
#include "runtime/exec/saved/SavedValue.h"
#include "value/Place.h"
#include "value/Table.h"
#include "value/Value.h"
#include <cstring>

namespace sluice {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are saved as they lie");

static void append(std::vector<char> &to, const void *from, size_t bytes) {
  const char *first = static_cast<const char *>(from);
  to.insert(to.end(), first, first + bytes);
}

/// Whether a value is saved as it lies in memory.
static bool isSolid(const TypeDesc *type) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return true;
  case Storage::Text:
  case Storage::Sequence:
    return false;
  case Storage::Parts:
    break;
  }
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < type->count; ++i) {
    if (!isSolid(type->fields[i].type))
      return false;
    bytes += type->fields[i].type->size;
  }
  return bytes == type->size; // nothing is between them
}

namespace {
/// Elements, or keys and values, that are saved as they lie in memory.
struct SolidEntries {
  explicit SolidEntries(const TypeDesc *type)
      : isSolid(sluice::isSolid(type->elem) && (!type->value || sluice::isSolid(type->value))),
        keyBytes(type->elem->size), valueBytes(type->value ? type->value->size : 0),
        valueOffset(type->valueOffset), stride(type->stride) {}
  uint64_t bytes() const { return keyBytes + valueBytes; }
  bool areTogether() const { return bytes() == stride; }
  const bool isSolid;
  const uint64_t keyBytes, valueBytes, valueOffset, stride;
};
} // namespace

void saveEntries(std::vector<char> &to, const TypeDesc *type, const char *entry, uint32_t count) {
  if (SolidEntries solid(type); solid.isSolid) {
    const size_t at = to.size();
    if (solid.areTogether())
      return append(to, entry, count * solid.stride);
    to.resize(at + count * solid.bytes());
    char *put = to.data() + at;
    for (uint32_t i = 0; i < count; ++i, entry += solid.stride, put += solid.bytes()) {
      memcpy(put, entry, solid.keyBytes);
      memcpy(put + solid.keyBytes, entry + solid.valueOffset, solid.valueBytes);
    }
    return;
  }
  for (uint32_t i = 0; i < count; ++i, entry += type->stride) {
    saveValue(to, type->elem, entry);
    if (type->kind == Kind::Map)
      saveValue(to, type->value, entry + type->valueOffset);
  }
}

static void saveEntries(std::vector<char> &to, const TypeDesc *type, const Seq &seq) {
  saveEntries(to, type, static_cast<const char *>(seq.data), seq.len);
}

void saveTables(std::vector<char> &to, const TypeDesc *type,
                const std::vector<const Seq *> &tables) {
  uint32_t count = 0;
  for (const Seq *table : tables)
    count += table->len;
  append(to, &count, sizeof count);
  for (const Seq *table : tables)
    saveEntries(to, type, *table);
}

void saveValue(std::vector<char> &to, const TypeDesc *type, const void *value) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return append(to, value, type->size);
  case Storage::Text: {
    const Str &text = *static_cast<const Str *>(value);
    append(to, &text.len, sizeof text.len);
    return append(to, text.data(), text.len);
  }
  case Storage::Sequence: {
    const Seq &seq = *static_cast<const Seq *>(value);
    append(to, &seq.len, sizeof seq.len);
    saveEntries(to, type, seq);
    return;
  }
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count; ++i)
      saveValue(to, type->fields[i].type,
                static_cast<const char *>(value) + type->fields[i].offset);
    return;
  }
}

static bool read(SavedBytes &from, void *to, size_t bytes) {
  if (from.size() < bytes)
    return false;
  memcpy(to, from.at, bytes);
  from.at += bytes;
  return true;
}

/// The fewest bytes that a value of the type is saved to.
static uint64_t leastBytes(const TypeDesc *type) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return type->size;
  case Storage::Text:
  case Storage::Sequence:
    return sizeof(uint32_t);
  case Storage::Parts:
    break;
  }
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < type->count; ++i)
    bytes += leastBytes(type->fields[i].type);
  return bytes;
}

/// Whether any bytes are a value of the type, which is solid.
static bool isAny(const TypeDesc *type) {
  if (type->kind == Kind::Enum)
    return false;
  for (uint32_t i = 0; storageOf(type->kind) == Storage::Parts && i < type->count; ++i)
    if (!isAny(type->fields[i].type))
      return false;
  return true;
}

/// Entries that are saved as they lie in memory, if they are. False: they are read one by one.
static bool restoreSolid(SavedBytes &from, const TypeDesc *type, Seq *place, uint32_t count) {
  SolidEntries solid(type);
  if (!solid.isSolid || !isAny(type->elem) || (type->value && !isAny(type->value)) ||
      from.size() / solid.bytes() < count)
    return false;
  char *entry = elementAt(type, place, place->len);
  place->len += count;
  if (solid.areTogether() && count) {
    memcpy(entry, from.at, count * solid.stride);
    from.at += count * solid.stride;
    return true;
  }
  for (uint32_t i = 0; i < count; ++i, entry += solid.stride, from.at += solid.bytes()) {
    memset(entry, 0, solid.stride);
    memcpy(entry, from.at, solid.keyBytes);
    memcpy(entry + solid.valueOffset, from.at + solid.keyBytes, solid.valueBytes);
  }
  return true;
}

static bool restoreList(Heap *heap, SavedBytes &from, const TypeDesc *type, Seq *place,
                        uint32_t count) {
  placeReserve(heap, type, place, count);
  restoreSolid(from, type, place, count);
  while (place->len < count) {
    char *element = elementAt(type, place, place->len++);
    memset(element, 0, type->stride);
    if (!restoreValue(heap, from, type->elem, element))
      return false;
  }
  return true;
}

/// Entries of a set or map, which is empty. One whose key was there already is wrong.
static bool restoreEntries(Heap *heap, SavedBytes &from, const TypeDesc *type, Seq *place,
                           uint32_t count) {
  placeReserve(heap, type, place, count);
  restoreSolid(from, type, place, count);
  while (place->len < count) {
    char *entry = elementAt(type, place, place->len++);
    memset(entry, 0, type->stride);
    if (!restoreValue(heap, from, type->elem, entry) ||
        (type->kind == Kind::Map &&
         !restoreValue(heap, from, type->value, entry + type->valueOffset)))
      return false;
  }
  return tableIndex(heap, type, place);
}

bool restoreValue(Heap *heap, SavedBytes &from, const TypeDesc *type, void *place) {
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
    return read(from, place, type->size) &&
           (type->kind != Kind::Enum || *static_cast<uint32_t *>(place) < type->count);
  case Storage::Plain:
    return read(from, place, type->size);
  case Storage::Text: {
    uint32_t length;
    if (!read(from, &length, sizeof length) || from.size() < length)
      return false;
    auto *text = static_cast<Str *>(place);
    *text = strView(from.at, length);
    ownPayload(heap, type, text);
    from.at += length;
    return true;
  }
  case Storage::Sequence: {
    auto *seq = static_cast<Seq *>(place);
    uint32_t count;
    uint64_t least = leastBytes(type->elem);
    if (!read(from, &count, sizeof count) || (least && from.size() / least < count))
      return false;
    return type->kind == Kind::List ? restoreList(heap, from, type, seq, count)
                                    : restoreEntries(heap, from, type, seq, count);
  }
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count; ++i)
      if (!restoreValue(heap, from, type->fields[i].type,
                        static_cast<char *>(place) + type->fields[i].offset))
        return false;
    return true;
  }
  __builtin_unreachable();
}

} // namespace sluice
