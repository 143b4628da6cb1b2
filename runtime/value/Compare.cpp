//===- Compare.cpp - equality, order and hash of any value ------*- C++ -*-===//
#include "value/Table.h"
#include "value/Value.h"

namespace sluice {

//===--- equality ------------------------------------------------------------===//

__attribute__((noinline)) bool equalLists(const TypeDesc *type, const Seq *a, const Seq *b) {
  if (a->len != b->len)
    return false;
  for (uint32_t i = 0; i < a->len; ++i)
    if (!equalValue(type->elem, elementAt(type, a, i), elementAt(type, b, i)))
      return false;
  return true;
}

__attribute__((noinline)) bool equalTables(const TypeDesc *type, const Seq *a, const Seq *b) {
  if (a->len != b->len)
    return false;
  for (uint32_t i = 0; i < a->len; ++i) {
    const char *entry = elementAt(type, a, i);
    uint32_t slot = tableFind(type, b, entry);
    if (slot == kNoSlot)
      return false;
    if (type->kind == Kind::Map && !equalValue(type->value, entry + type->valueOffset,
                                               elementAt(type, b, slot) + type->valueOffset))
      return false;
  }
  return true;
}

__attribute__((noinline)) bool equalTuples(const TypeDesc *type, const void *a, const void *b) {
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &f = type->fields[i];
    if (!equalValue(f.type, static_cast<const char *>(a) + f.offset,
                    static_cast<const char *>(b) + f.offset))
      return false;
  }
  return true;
}

//===--- order ---------------------------------------------------------------===//

/// Lists lexicographically. SPL orders neither sets nor maps: only their sizes count.
__attribute__((noinline)) int32_t compareSeqs(const TypeDesc *type, const Seq *a, const Seq *b) {
  uint32_t n = a->len < b->len ? a->len : b->len;
  if (type->kind == Kind::List)
    for (uint32_t i = 0; i < n; ++i)
      if (int32_t order = compareValue(type->elem, elementAt(type, a, i), elementAt(type, b, i)))
        return order;
  return a->len < b->len ? -1 : a->len > b->len;
}

/// Lexicographically.
__attribute__((noinline)) int32_t compareTuples(const TypeDesc *type, const void *a,
                                                const void *b) {
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &f = type->fields[i];
    if (int32_t order = compareValue(f.type, static_cast<const char *>(a) + f.offset,
                                     static_cast<const char *>(b) + f.offset))
      return order;
  }
  return 0;
}

//===--- hash ----------------------------------------------------------------===//

__attribute__((noinline)) uint64_t hashList(const TypeDesc *type, const Seq *list) {
  uint64_t h = kHash2;
  for (uint32_t i = 0; i < list->len; ++i)
    h = h * 37 + hashValue(type->elem, elementAt(type, list, i));
  return hashBits(h);
}

/// A sum over the entries: their order must not matter.
__attribute__((noinline)) uint64_t hashTable(const TypeDesc *type, const Seq *table) {
  uint64_t h = kHash2;
  for (uint32_t i = 0; i < table->len; ++i) {
    const char *entry = elementAt(type, table, i);
    uint64_t one = hashValue(type->elem, entry);
    if (type->kind == Kind::Map)
      one = hashFold(one ^ kHash0, hashValue(type->value, entry + type->valueOffset) ^ kHash1);
    h += hashBits(one);
  }
  return hashBits(h);
}

__attribute__((noinline)) uint64_t hashTuple(const TypeDesc *type, const void *tuple) {
  uint64_t h = kHash2;
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &f = type->fields[i];
    h = h * 37 + hashValue(f.type, static_cast<const char *>(tuple) + f.offset);
  }
  return hashBits(h);
}

extern "C" {
SLUICE_ENTRY uint8_t sl_equal(const TypeDesc *type, const void *a, const void *b) {
  return equalValue(type, a, b);
}
SLUICE_ENTRY int32_t sl_compare(const TypeDesc *type, const void *a, const void *b) {
  return compareValue(type, a, b);
}
SLUICE_ENTRY uint64_t sl_hash(const TypeDesc *type, const void *v) { return hashValue(type, v); }
}

} // namespace sluice
