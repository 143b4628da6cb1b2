//===- bridge.h - values of SPL to objects of C++, and back -----*- C++ -*-===//
//
// Bridge<T> knows of a type of SPL/Types.h
//   Raw            how its values lie in memory (value.h)
//   in(raw)        the object
//   out(ctx, object)   the value, what it points to in scratch
//   desc()         its descriptor
// What the compiler generates for native functions and operators includes it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "SPL/Types.h"
#include "sluice/abi.h"
#include <cstring>
#include <iterator>

namespace sluice::native {

constexpr TypeDesc describe(Kind kind, uint32_t size, uint32_t align, bool plain) {
  return {kind, size, align, plain, nullptr, nullptr, 0, 0, 0, 0, nullptr, nullptr};
}

template <typename T> struct Bridge;

//===--- numbers --------------------------------------------------------------===//

template <typename T, typename R, Kind K> struct SameBits {
  using Raw = R;
  static_assert(sizeof(T) == sizeof(R));
  static T in(const Raw &raw) { return __builtin_bit_cast(T, raw); }
  static Raw out(Ctx *, const T &value) { return __builtin_bit_cast(Raw, value); }
  static const TypeDesc *desc() {
    static constexpr TypeDesc self = describe(K, sizeof(Raw), alignof(Raw), true);
    return &self;
  }
};
template <> struct Bridge<SPL::int8> : SameBits<SPL::int8, int8_t, Kind::Int8> {};
template <> struct Bridge<SPL::int16> : SameBits<SPL::int16, int16_t, Kind::Int16> {};
template <> struct Bridge<SPL::int32> : SameBits<SPL::int32, int32_t, Kind::Int32> {};
template <> struct Bridge<SPL::int64> : SameBits<SPL::int64, int64_t, Kind::Int64> {};
template <> struct Bridge<SPL::uint8> : SameBits<SPL::uint8, uint8_t, Kind::UInt8> {};
template <> struct Bridge<SPL::uint16> : SameBits<SPL::uint16, uint16_t, Kind::UInt16> {};
template <> struct Bridge<SPL::uint32> : SameBits<SPL::uint32, uint32_t, Kind::UInt32> {};
template <> struct Bridge<SPL::uint64> : SameBits<SPL::uint64, uint64_t, Kind::UInt64> {};
template <> struct Bridge<SPL::float32> : SameBits<SPL::float32, float, Kind::Float32> {};
template <> struct Bridge<SPL::float64> : SameBits<SPL::float64, double, Kind::Float64> {};
template <> struct Bridge<SPL::decimal32> : SameBits<SPL::decimal32, Decimal32, Kind::Decimal32> {};
template <> struct Bridge<SPL::decimal64> : SameBits<SPL::decimal64, Decimal64, Kind::Decimal64> {};
template <>
struct Bridge<SPL::decimal128> : SameBits<SPL::decimal128, Decimal128, Kind::Decimal128> {};

template <> struct Bridge<SPL::boolean> {
  using Raw = uint8_t;
  static bool in(Raw raw) { return raw != 0; }
  static Raw out(Ctx *, bool value) { return value; }
  static const TypeDesc *desc() {
    static constexpr TypeDesc self = describe(Kind::Boolean, 1, 1, true);
    return &self;
  }
};

template <typename F, typename R, Kind K> struct ComplexBridge {
  using Raw = R;
  static std::complex<F> in(const Raw &raw) { return {raw.re, raw.im}; }
  static Raw out(Ctx *, const std::complex<F> &c) { return {c.real(), c.imag()}; }
  static const TypeDesc *desc() {
    static constexpr TypeDesc self = describe(K, sizeof(Raw), alignof(Raw), true);
    return &self;
  }
};
template <> struct Bridge<SPL::complex32> : ComplexBridge<float, Complex32, Kind::Complex32> {};
template <> struct Bridge<SPL::complex64> : ComplexBridge<double, Complex64, Kind::Complex64> {};

template <> struct Bridge<SPL::timestamp> {
  using Raw = Timestamp;
  static SPL::timestamp in(const Raw &raw) { return {raw.seconds, raw.nanos, raw.machine}; }
  static Raw out(Ctx *, const SPL::timestamp &t) {
    return {t.getSeconds(), t.getNanoseconds(), t.getMachineId()};
  }
  static const TypeDesc *desc() {
    static constexpr TypeDesc self = describe(Kind::Timestamp, sizeof(Raw), alignof(Raw), true);
    return &self;
  }
};

template <typename Names> struct Bridge<SPL::enumeration<Names>> {
  using Raw = uint32_t;
  static SPL::enumeration<Names> in(Raw raw) { return raw; }
  static Raw out(Ctx *, SPL::enumeration<Names> value) { return value.getIndex(); }
  static const TypeDesc *desc() {
    static const TypeDesc self = [] {
      TypeDesc d = describe(Kind::Enum, 4, 4, true);
      d.count = std::size(Names::all);
      d.names = Names::all;
      return d;
    }();
    return &self;
  }
};

//===--- text -----------------------------------------------------------------===//

inline Str textOut(Ctx *ctx, const void *bytes, size_t length) {
  Str s = {};
  s.len = uint32_t(length);
  if (length <= Str::kInline) {
    if (length)
      memcpy(s.inl, bytes, length);
    return s;
  }
  auto *copy = static_cast<char *>(sl_scratch(ctx, length, 1));
  memcpy(copy, bytes, length);
  memcpy(s.far.prefix, copy, sizeof s.far.prefix);
  s.far.ptr = copy;
  return s;
}

template <Kind K> struct TextBridge {
  using Raw = Str;
  static const TypeDesc *desc() {
    static constexpr TypeDesc self = describe(K, sizeof(Str), alignof(Str), false);
    return &self;
  }
};
template <> struct Bridge<SPL::rstring> : TextBridge<Kind::RString> {
  static SPL::rstring in(const Str &raw) { return std::string_view(raw.data(), raw.len); }
  static Str out(Ctx *ctx, const SPL::rstring &s) { return textOut(ctx, s.data(), s.size()); }
};
template <> struct Bridge<SPL::ustring> : TextBridge<Kind::UString> {
  static SPL::ustring in(const Str &raw) { return std::string(raw.data(), raw.len); }
  static Str out(Ctx *ctx, const SPL::ustring &s) {
    return textOut(ctx, s.getUTF8().data(), s.getUTF8().size());
  }
};
template <> struct Bridge<SPL::xml> : TextBridge<Kind::Xml> {
  static SPL::xml in(const Str &raw) { return std::string(raw.data(), raw.len); }
  static Str out(Ctx *ctx, const SPL::xml &x) {
    return textOut(ctx, x.getString().data(), x.getString().size());
  }
};
template <> struct Bridge<SPL::blob> : TextBridge<Kind::Blob> {
  static SPL::blob in(const Str &raw) {
    return {reinterpret_cast<const unsigned char *>(raw.data()), raw.len};
  }
  static Str out(Ctx *ctx, const SPL::blob &b) { return textOut(ctx, b.getData(), b.getSize()); }
};

//===--- collections ----------------------------------------------------------===//

/// The descriptor of a list or a set.
inline TypeDesc describeElements(Kind kind, const TypeDesc *element) {
  TypeDesc d = describe(kind, sizeof(Seq), alignof(Seq), false);
  d.elem = element;
  d.stride = element->size;
  return d;
}

/// Elements in scratch.
template <typename T, typename C> typename Bridge<T>::Raw *elementsOut(Ctx *ctx, const C &from) {
  using Raw = typename Bridge<T>::Raw;
  auto *to = static_cast<Raw *>(sl_scratch(ctx, from.size() * sizeof(Raw), 16));
  Raw *next = to;
  for (const auto &element : from)
    *next++ = Bridge<T>::out(ctx, element);
  return to;
}

template <typename T> struct Bridge<SPL::list<T>> {
  using Raw = Seq;
  static SPL::list<T> in(const Seq &raw) {
    SPL::list<T> result;
    result.reserve(raw.len);
    auto *from = static_cast<const typename Bridge<T>::Raw *>(raw.data);
    for (uint32_t i = 0; i < raw.len; ++i)
      result.push_back(Bridge<T>::in(from[i]));
    return result;
  }
  static Seq out(Ctx *ctx, const SPL::list<T> &list) {
    return {uint32_t(list.size()), 0, list.empty() ? nullptr : elementsOut<T>(ctx, list)};
  }
  static const TypeDesc *desc() {
    static const TypeDesc self = describeElements(Kind::List, Bridge<T>::desc());
    return &self;
  }
};

template <typename T> struct Bridge<SPL::set<T>> {
  using Raw = Seq;
  static SPL::set<T> in(const Seq &raw) {
    SPL::set<T> result;
    auto *from = static_cast<const typename Bridge<T>::Raw *>(raw.data);
    for (uint32_t i = 0; i < raw.len; ++i)
      result.insert(Bridge<T>::in(from[i]));
    return result;
  }
  static Seq out(Ctx *ctx, const SPL::set<T> &set) {
    Seq result;
    sl_make_set(ctx, desc(), &result, elementsOut<T>(ctx, set), uint32_t(set.size()));
    return result;
  }
  static const TypeDesc *desc() {
    static const TypeDesc self = describeElements(Kind::Set, Bridge<T>::desc());
    return &self;
  }
};

template <typename K, typename V> struct Bridge<SPL::map<K, V>> {
  using Raw = Seq;
  struct Entry {
    typename Bridge<K>::Raw key;
    typename Bridge<V>::Raw value;
  };
  static SPL::map<K, V> in(const Seq &raw) {
    SPL::map<K, V> result;
    auto *from = static_cast<const Entry *>(raw.data);
    for (uint32_t i = 0; i < raw.len; ++i)
      result.emplace(Bridge<K>::in(from[i].key), Bridge<V>::in(from[i].value));
    return result;
  }
  static Seq out(Ctx *ctx, const SPL::map<K, V> &map) {
    auto *entries = static_cast<Entry *>(sl_scratch(ctx, map.size() * sizeof(Entry), 16));
    Entry *next = entries;
    for (const auto &[key, value] : map) {
      memset(static_cast<void *>(next), 0, sizeof *next); // padding, too
      next->key = Bridge<K>::out(ctx, key);
      next->value = Bridge<V>::out(ctx, value);
      ++next;
    }
    Seq result;
    sl_make_map(ctx, desc(), &result, entries, uint32_t(map.size()));
    return result;
  }
  static const TypeDesc *desc() {
    static const TypeDesc self = [] {
      TypeDesc d = describe(Kind::Map, sizeof(Seq), alignof(Seq), false);
      d.elem = Bridge<K>::desc();
      d.value = Bridge<V>::desc();
      d.stride = sizeof(Entry);
      d.valueOffset = offsetof(Entry, value);
      return d;
    }();
    return &self;
  }
};

//===--- optional values and tuples -------------------------------------------===//

template <typename T> struct Bridge<SPL::optional<T>> {
  struct Raw {
    uint8_t isPresent;
    typename Bridge<T>::Raw value;
  };
  static SPL::optional<T> in(const Raw &raw) {
    return raw.isPresent ? SPL::optional<T>(Bridge<T>::in(raw.value)) : SPL::optional<T>();
  }
  static Raw out(Ctx *ctx, const SPL::optional<T> &value) {
    Raw raw;
    memset(static_cast<void *>(&raw), 0, sizeof raw);
    if (value.isPresent())
      raw = {1, Bridge<T>::out(ctx, *value)};
    return raw;
  }
  static const TypeDesc *desc() {
    static const Field fields[] = {{"present", Bridge<bool>::desc(), 0, 0},
                                   {"value", Bridge<T>::desc(), offsetof(Raw, value), 0}};
    static const TypeDesc self = [] {
      TypeDesc d = describe(Kind::Optional, sizeof(Raw), alignof(Raw), fields[1].type->plain);
      d.count = 2;
      d.fields = fields;
      return d;
    }();
    return &self;
  }
};

/// The descriptor of a tuple. The compiler generates the rest of its Bridge.
template <typename Raw> TypeDesc describeTuple(const Field *fields, uint32_t count) {
  TypeDesc d = describe(Kind::Tuple, sizeof(Raw), alignof(Raw), true);
  d.fields = fields;
  d.count = count;
  for (uint32_t i = 0; i < count; ++i)
    d.plain &= fields[i].type->plain;
  return d;
}

} // namespace sluice::native
