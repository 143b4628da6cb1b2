//===- TableKeys.h - keys of sets and maps ----------------------*- C++ -*-===//
//
// The common ones have code of their own.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Value.h"

namespace sluice {

/// Keys are passed by value, in registers, as long as that is possible: a look-up in generated code
/// then stores nothing. `kInline`: a look-up is short enough to be part of generated code.
template <typename T> struct KeyNumber {
  using Value = T;
  static constexpr bool kInline = true;
  static Value load(const void *k) { return sluice::load<T>(k); }
  static const void *address(const Value &k) { return &k; }
  static uint64_t hash(const TypeDesc *, Value k) { return hashBits(k); }
  static bool equal(const TypeDesc *, const void *entry, Value k) { return load(entry) == k; }
};
using Key4 = KeyNumber<uint32_t>;
using Key8 = KeyNumber<uint64_t>;
struct KeyStr {
  using Value = StrWords;
  static constexpr bool kInline = false;
  static Value load(const void *k) { return strWords(static_cast<const Str *>(k)); }
  static const void *address(const Value &k) { return &k; }
  static uint64_t hash(const TypeDesc *, Value k) { return strHash(k); }
  static bool equal(const TypeDesc *, const void *entry, Value k) {
    return strEqual(load(entry), k);
  }
};
struct KeyAny {
  using Value = const void *;
  static constexpr bool kInline = false;
  static Value load(const void *k) { return k; }
  static const void *address(Value k) { return k; }
  static uint64_t hash(const TypeDesc *type, Value k) { return hashValue(type, k); }
  static bool equal(const TypeDesc *type, const void *entry, Value k) {
    return equalValue(type, entry, k);
  }
};

template <typename F> SLUICE_INLINE auto withKey(const TypeDesc *key, F &&f) {
  const Kind kind = key->kind;
  if (kind == Kind::Int32 || kind == Kind::UInt32 || kind == Kind::Enum)
    return f(Key4());
  if (kind == Kind::Int64 || kind == Kind::UInt64)
    return f(Key8());
  if (kind == Kind::RString || kind == Kind::UString || kind == Kind::Xml)
    return f(KeyStr());
  return f(KeyAny());
}

} // namespace sluice
