//===- Value.h - reading and comparing values -------------------*- C++ -*-===//
//
// Small cases are inline and switch on the kind, so that they fold where the descriptor is a
// constant. Collections and tuples are out of line. Part of the bitcode: no C++ library, no
// exceptions and no thread_local in what this file includes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include "sluice/decimal.h"
#include <string.h>

#define SLUICE_INLINE inline __attribute__((always_inline))
/// An entry point that folds to little when its descriptor is a constant.
#define SLUICE_ENTRY __attribute__((always_inline))

namespace sluice {

template <typename T> SLUICE_INLINE T load(const void *p) {
  T v;
  memcpy(&v, p, sizeof v);
  return v;
}
template <typename T> SLUICE_INLINE void store(void *p, T v) { memcpy(p, &v, sizeof v); }

/// Calls f with a null pointer of the C++ type of a kind of the classes; false for other kinds.
template <uint32_t classesWanted, typename F> SLUICE_INLINE bool withKindOf(Kind kind, F &&f) {
  switch (kind) {
#define SPL_KIND(name, keyword, token, code, type, size, align, storage, classes)                  \
  case Kind::name:                                                                                 \
    if constexpr (isIn(Kind::name, classesWanted)) {                                               \
      f((type *)nullptr);                                                                          \
      return true;                                                                                 \
    }                                                                                              \
    return false;
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
  }
  __builtin_unreachable();
}

/// The same for integers and floats.
template <typename F> SLUICE_INLINE bool withNumber(Kind kind, F &&f) {
  return withKindOf<type_class::Integral | type_class::Float>(kind, f);
}

//===--- rstring ------------------------------------------------------------===//

/// The 1 to 12 bytes at p as two numbers, the rest zero. Reads no other bytes.
SLUICE_INLINE void loadShort(const char *p, uint64_t len, uint64_t &lo, uint64_t &hi) {
  hi = 0;
  if (len >= 8) {
    lo = load<uint64_t>(p);
    hi = uint64_t(load<uint32_t>(p + len - 4)) >> 8 * (12 - len);
  } else if (len >= 4) {
    lo = load<uint32_t>(p) | uint64_t(load<uint32_t>(p + len - 4)) >> 8 * (8 - len) << 32;
  } else { // the first byte, one in the middle, the last
    lo = uint8_t(p[0]) | uint64_t(uint8_t(p[len / 2])) << 8 * (len / 2) |
         uint64_t(uint8_t(p[len - 1])) << 8 * (len - 1);
  }
}

/// An rstring value. It points to `data` if that is too long to be inline.
SLUICE_INLINE Str strView(const char *data, uint64_t len) {
  Str s = {};
  s.len = uint32_t(len);
  if (len > Str::kInline) {
    memcpy(s.far.prefix, data, 4);
    s.far.ptr = data;
  } else if (len) {
    uint64_t lo, hi;
    loadShort(data, len, lo, hi);
    store<uint64_t>(s.inl, lo);
    store<uint32_t>(s.inl + 8, uint32_t(hi));
  }
  return s;
}

/// The two halves of a Str. Two short ones are equal if these are, because the bytes behind the end
/// are zero (value.h).
struct StrWords {
  uint64_t head; // the length and the first four bytes
  uint64_t tail;
};
SLUICE_INLINE StrWords strWords(const Str *s) {
  const char *bytes = reinterpret_cast<const char *>(s);
  return {load<uint64_t>(bytes), load<uint64_t>(bytes + 8)};
}

/// Of a Str that is not inline, from its second half.
SLUICE_INLINE const char *farText(StrWords s) { return reinterpret_cast<const char *>(s.tail); }

SLUICE_INLINE bool strEqual(StrWords a, StrWords b) {
  if (a.head != b.head)
    return false;
  uint32_t len = uint32_t(a.head);
  return len <= Str::kInline ? a.tail == b.tail : memcmp(farText(a), farText(b), len) == 0;
}
SLUICE_INLINE bool strEqual(const Str *a, const Str *b) {
  return strEqual(strWords(a), strWords(b));
}

/// The prefix does not count.
SLUICE_INLINE bool blobEqual(const Str *a, const Str *b) {
  return a->len == b->len && memcmp(a->data(), b->data(), a->len) == 0;
}

inline int32_t strCompare(const Str *a, const Str *b) {
  uint32_t n = a->len < b->len ? a->len : b->len;
  int order = n ? memcmp(a->data(), b->data(), n) : 0;
  if (order)
    return order < 0 ? -1 : 1;
  return a->len < b->len ? -1 : a->len > b->len;
}

//===--- hashing ------------------------------------------------------------===//

SLUICE_INLINE uint64_t hashBits(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}
SLUICE_INLINE uint64_t hashFold(uint64_t a, uint64_t b) {
  unsigned __int128 r = (unsigned __int128)a * b;
  return uint64_t(r) ^ uint64_t(r >> 64);
}
constexpr uint64_t kHash0 = 0x9e3779b97f4a7c15ull, kHash1 = 0xd1b54a32d192ed03ull,
                   kHash2 = 0x8cb92ba72f3d8dd7ull;

inline uint64_t hashLong(const char *p, uint64_t len) {
  uint64_t h = len * kHash0;
  const char *last = p + len - 16;
  for (; p < last; p += 16)
    h = hashFold(load<uint64_t>(p) ^ kHash1, load<uint64_t>(p + 8) ^ h ^ kHash2);
  h = hashFold(load<uint64_t>(last) ^ kHash1, load<uint64_t>(last + 8) ^ h ^ kHash2);
  return hashFold(h ^ kHash0, kHash1);
}
SLUICE_INLINE uint64_t strHash(StrWords s) {
  uint32_t len = uint32_t(s.head);
  if (len <= Str::kInline)
    return hashFold(s.head ^ kHash0, s.tail ^ kHash1);
  const char *p = farText(s);
  if (len < 16)
    return hashFold(load<uint64_t>(p) ^ kHash0, load<uint64_t>(p + len - 8) ^ kHash2);
  return hashLong(p, len);
}
SLUICE_INLINE uint64_t strHash(const Str *s) { return strHash(strWords(s)); }
/// +0 and -0 are equal, so they hash alike.
SLUICE_INLINE uint64_t floatHash(double x) { return hashBits(x == 0 ? 0 : load<uint64_t>(&x)); }

//===--- decimals -----------------------------------------------------------===//

/// Two words that are ordered as the decimals of all kinds are. Equal ones, such as 1.0 and 1.00,
/// have the same; NaN is behind all.
struct DecimalOrder {
  uint64_t high, low;
  static constexpr uint64_t kNaN = ~uint64_t(0);
  bool isNaN() const { return high == kNaN; }
};
DecimalOrder decimalOrder(Kind, const void *);
bool equalDecimals(Kind, const void *, const void *);
int32_t compareDecimals(Kind, const void *, const void *);
uint64_t hashDecimal(Kind, const void *);

//===--- any type -----------------------------------------------------------===//

bool equalLists(const TypeDesc *, const Seq *, const Seq *);
bool equalTables(const TypeDesc *, const Seq *, const Seq *); // sets and maps
bool equalTuples(const TypeDesc *, const void *, const void *);
int32_t compareSeqs(const TypeDesc *, const Seq *, const Seq *);
int32_t compareTuples(const TypeDesc *, const void *, const void *);
uint64_t hashList(const TypeDesc *, const Seq *);
uint64_t hashTable(const TypeDesc *, const Seq *);
uint64_t hashTuple(const TypeDesc *, const void *);

/// Equality of the operator `==`: NaN is not equal to itself, the machine id of a timestamp does
/// not count, sets and maps have no order.
SLUICE_INLINE bool equalValue(const TypeDesc *type, const void *a, const void *b) {
  switch (type->kind) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::UInt8:
    return load<uint8_t>(a) == load<uint8_t>(b);
  case Kind::Int16:
  case Kind::UInt16:
    return load<uint16_t>(a) == load<uint16_t>(b);
  case Kind::Int32:
  case Kind::UInt32:
  case Kind::Enum:
    return load<uint32_t>(a) == load<uint32_t>(b);
  case Kind::Int64:
  case Kind::UInt64:
    return load<uint64_t>(a) == load<uint64_t>(b);
  case Kind::Float32:
    return load<float>(a) == load<float>(b);
  case Kind::Float64:
    return load<double>(a) == load<double>(b);
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return equalDecimals(type->kind, a, b);
  case Kind::Complex32: {
    auto x = load<Complex32>(a), y = load<Complex32>(b);
    return x.re == y.re && x.im == y.im;
  }
  case Kind::Complex64: {
    auto x = load<Complex64>(a), y = load<Complex64>(b);
    return x.re == y.re && x.im == y.im;
  }
  case Kind::Timestamp: {
    auto x = load<Timestamp>(a), y = load<Timestamp>(b);
    return x.seconds == y.seconds && x.nanos == y.nanos;
  }
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
    return strEqual(static_cast<const Str *>(a), static_cast<const Str *>(b));
  case Kind::Blob:
    return blobEqual(static_cast<const Str *>(a), static_cast<const Str *>(b));
  case Kind::List:
    return equalLists(type, static_cast<const Seq *>(a), static_cast<const Seq *>(b));
  case Kind::Set:
  case Kind::Map:
    return equalTables(type, static_cast<const Seq *>(a), static_cast<const Seq *>(b));
  case Kind::Tuple:
  case Kind::Optional:
    return equalTuples(type, a, b);
  }
  __builtin_unreachable();
}

template <typename T> SLUICE_INLINE int32_t compareAs(const void *a, const void *b) {
  T x = load<T>(a), y = load<T>(b);
  return x < y ? -1 : y < x;
}
/// A total order, with NaN behind all other numbers.
template <typename T> SLUICE_INLINE int32_t compareFloat(const void *a, const void *b) {
  T x = load<T>(a), y = load<T>(b);
  if (x != x || y != y)
    return int32_t(x != x) - int32_t(y != y);
  return x < y ? -1 : y < x;
}
SLUICE_INLINE int32_t compareValue(const TypeDesc *type, const void *a, const void *b) {
  switch (type->kind) {
  case Kind::Boolean:
  case Kind::UInt8:
    return compareAs<uint8_t>(a, b);
  case Kind::Int8:
    return compareAs<int8_t>(a, b);
  case Kind::Int16:
    return compareAs<int16_t>(a, b);
  case Kind::UInt16:
    return compareAs<uint16_t>(a, b);
  case Kind::Int32:
    return compareAs<int32_t>(a, b);
  case Kind::UInt32:
  case Kind::Enum:
    return compareAs<uint32_t>(a, b);
  case Kind::Int64:
    return compareAs<int64_t>(a, b);
  case Kind::UInt64:
    return compareAs<uint64_t>(a, b);
  case Kind::Float32:
    return compareFloat<float>(a, b);
  case Kind::Float64:
    return compareFloat<double>(a, b);
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return compareDecimals(type->kind, a, b);
  case Kind::Complex32: { // SPL does not order them
    int32_t order = compareFloat<float>(a, b);
    return order ? order
                 : compareFloat<float>(&static_cast<const Complex32 *>(a)->im,
                                       &static_cast<const Complex32 *>(b)->im);
  }
  case Kind::Complex64: {
    int32_t order = compareFloat<double>(a, b);
    return order ? order
                 : compareFloat<double>(&static_cast<const Complex64 *>(a)->im,
                                        &static_cast<const Complex64 *>(b)->im);
  }
  case Kind::Timestamp: {
    int32_t order = compareAs<int64_t>(a, b);
    return order ? order
                 : compareAs<uint32_t>(&static_cast<const Timestamp *>(a)->nanos,
                                       &static_cast<const Timestamp *>(b)->nanos);
  }
  case Kind::RString:
  case Kind::UString: // UTF-8 has the order of the code points
  case Kind::Blob:
  case Kind::Xml:
    return strCompare(static_cast<const Str *>(a), static_cast<const Str *>(b));
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
    return compareSeqs(type, static_cast<const Seq *>(a), static_cast<const Seq *>(b));
  case Kind::Tuple:
  case Kind::Optional:
    return compareTuples(type, a, b);
  }
  __builtin_unreachable();
}

/// Consistent with equalValue.
SLUICE_INLINE uint64_t hashValue(const TypeDesc *type, const void *v) {
  switch (type->kind) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::UInt8:
    return hashBits(load<uint8_t>(v));
  case Kind::Int16:
  case Kind::UInt16:
    return hashBits(load<uint16_t>(v));
  case Kind::Int32:
  case Kind::UInt32:
  case Kind::Enum:
    return hashBits(load<uint32_t>(v));
  case Kind::Int64:
  case Kind::UInt64:
    return hashBits(load<uint64_t>(v));
  case Kind::Float32:
    return floatHash(load<float>(v));
  case Kind::Float64:
    return floatHash(load<double>(v));
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return hashDecimal(type->kind, v);
  case Kind::Complex32: {
    auto c = load<Complex32>(v);
    return hashFold(floatHash(c.re) ^ kHash0, floatHash(c.im) ^ kHash1);
  }
  case Kind::Complex64: {
    auto c = load<Complex64>(v);
    return hashFold(floatHash(c.re) ^ kHash0, floatHash(c.im) ^ kHash1);
  }
  case Kind::Timestamp: {
    auto t = load<Timestamp>(v);
    return hashFold(uint64_t(t.seconds) ^ kHash0, t.nanos ^ kHash1);
  }
  case Kind::RString:
  case Kind::UString:
  case Kind::Blob:
  case Kind::Xml:
    return strHash(static_cast<const Str *>(v));
  case Kind::List:
    return hashList(type, static_cast<const Seq *>(v));
  case Kind::Set:
  case Kind::Map:
    return hashTable(type, static_cast<const Seq *>(v));
  case Kind::Tuple:
  case Kind::Optional:
    return hashTuple(type, v);
  }
  __builtin_unreachable();
}

//===--- collections --------------------------------------------------------===//

SLUICE_INLINE char *elementAt(const TypeDesc *type, const Seq *seq, uint64_t i) {
  return static_cast<char *>(seq->data) + i * type->stride;
}
SLUICE_INLINE bool isHashed(const TypeDesc *type) {
  return type->kind == Kind::Set || type->kind == Kind::Map;
}
constexpr uint32_t alignTo(uint32_t n, uint32_t align) { return (n + align - 1) & ~(align - 1); }

/// Descriptors of collections, for functions that get the descriptors of the parts.
SLUICE_INLINE TypeDesc listOf(const TypeDesc *elem) {
  return {Kind::List,
          sizeof(Seq),
          alignof(Seq),
          0,
          elem,
          nullptr,
          alignTo(elem->size, elem->align),
          0,
          0,
          0,
          nullptr,
          nullptr};
}
SLUICE_INLINE TypeDesc setOf(const TypeDesc *elem) {
  TypeDesc type = listOf(elem);
  type.kind = Kind::Set;
  return type;
}
SLUICE_INLINE TypeDesc mapOf(const TypeDesc *key, const TypeDesc *value) {
  uint32_t align = key->align > value->align ? key->align : value->align;
  uint32_t at = alignTo(key->size, value->align);
  return {
      Kind::Map, sizeof(Seq), alignof(Seq), 0, key, value, alignTo(at + value->size, align), at, 0,
      0,         nullptr,     nullptr};
}

} // namespace sluice
