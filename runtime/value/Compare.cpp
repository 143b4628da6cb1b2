//===- Compare.cpp - equality, order and hash of any value ------*- C++ -*-===//
#include "value/Table.h"
#include "value/Value.h"

namespace sluice {

static bool equalLists(const TypeDesc *type, const Seq *a, const Seq *b) {
  if (a->len != b->len)
    return false;
  for (uint32_t i = 0; i < a->len; ++i)
    if (!equalValue(type->elem, elementAt(type, a, i), elementAt(type, b, i)))
      return false;
  return true;
}

static bool equalTables(const TypeDesc *type, const Seq *a, const Seq *b) {
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

__attribute__((noinline)) bool equalSlow(const TypeDesc *type, const void *a, const void *b) {
  auto *x = static_cast<const Seq *>(a), *y = static_cast<const Seq *>(b);
  switch (type->kind) {
  case Kind::List:
    return equalLists(type, x, y);
  case Kind::Set:
  case Kind::Map:
    return equalTables(type, x, y);
  case Kind::Tuple:
    for (uint32_t i = 0; i < type->count; ++i) {
      const Field &f = type->fields[i];
      if (!equalValue(f.type, static_cast<const char *>(a) + f.offset,
                      static_cast<const char *>(b) + f.offset))
        return false;
    }
    return true;
  default:
    return false;
  }
}

/// Lists and tuples lexicographically. SPL orders neither sets nor maps.
__attribute__((noinline)) int32_t compareSlow(const TypeDesc *type, const void *a, const void *b) {
  if (type->kind == Kind::Tuple) {
    for (uint32_t i = 0; i < type->count; ++i) {
      const Field &f = type->fields[i];
      if (int32_t order = compareValue(f.type, static_cast<const char *>(a) + f.offset,
                                       static_cast<const char *>(b) + f.offset))
        return order;
    }
    return 0;
  }
  auto *x = static_cast<const Seq *>(a), *y = static_cast<const Seq *>(b);
  uint32_t n = x->len < y->len ? x->len : y->len;
  if (type->kind == Kind::List)
    for (uint32_t i = 0; i < n; ++i)
      if (int32_t order = compareValue(type->elem, elementAt(type, x, i), elementAt(type, y, i)))
        return order;
  return x->len < y->len ? -1 : x->len > y->len;
}

__attribute__((noinline)) uint64_t hashSlow(const TypeDesc *type, const void *v) {
  auto *seq = static_cast<const Seq *>(v);
  uint64_t h = kHash2;
  switch (type->kind) {
  case Kind::List:
    for (uint32_t i = 0; i < seq->len; ++i)
      h = h * 37 + hashValue(type->elem, elementAt(type, seq, i));
    break;
  case Kind::Set:
  case Kind::Map: // a sum: the order must not matter
    for (uint32_t i = 0; i < seq->len; ++i) {
      const char *entry = elementAt(type, seq, i);
      uint64_t one = hashValue(type->elem, entry);
      if (type->kind == Kind::Map)
        one = hashFold(one ^ kHash0, hashValue(type->value, entry + type->valueOffset) ^ kHash1);
      h += hashBits(one);
    }
    break;
  case Kind::Tuple:
    for (uint32_t i = 0; i < type->count; ++i) {
      const Field &f = type->fields[i];
      h = h * 37 + hashValue(f.type, static_cast<const char *>(v) + f.offset);
    }
    break;
  default:
    break;
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
