//===- Cast.cpp - explicit casts of any two values --------------*- C++ -*-===//
#include "sluice/xml.h"
#include "value/Copy.h"
#include "value/Numbers.h"
#include "value/Table.h"
#include "value/Text.h"
#include "value/Utf8.h"
#include <limits>
#include <math.h>
#include <string_view>

namespace sluice {

static int32_t cast(Ctx *, const TypeDesc *to, void *out, const TypeDesc *from, const void *src);

//===--- scalars ------------------------------------------------------------===//

/// A decimal without what is behind its point, saturated as floats are.
template <typename To> static To wholeOf(const decimal::Value &v) {
  decimal::Coefficient size = toWhole(v);
  using Limits = std::numeric_limits<To>;
  if (v.negative)
    return size > decimal::Coefficient(0) - decimal::Coefficient(Limits::min())
               ? Limits::min()
               : To(0 - uint64_t(size));
  return size > decimal::Coefficient(Limits::max()) ? Limits::max() : To(size);
}

/// Floats and decimals outside the range of an integer saturate, NaN becomes 0.
template <typename To, typename From> static To convert(From v) {
  if constexpr (DecimalType<To>) {
    if constexpr (DecimalType<From>)
      return toDecimal<To>(v);
    else if constexpr (!std::numeric_limits<From>::is_integer)
      return toDecimal<To>(double(v));
    else if constexpr (std::numeric_limits<From>::is_signed)
      return toDecimal<To>(int64_t(v));
    else
      return toDecimal<To>(uint64_t(v));
  } else if constexpr (DecimalType<From>) {
    if constexpr (std::numeric_limits<To>::is_integer)
      return wholeOf<To>(valueOf(v));
    else
      return toReal<To>(v);
  } else if constexpr (std::numeric_limits<From>::is_integer ||
                       !std::numeric_limits<To>::is_integer) {
    return To(v);
  } else {
    using Limits = std::numeric_limits<To>;
    if (v != v)
      return 0;
    if (v <= From(Limits::min()))
      return Limits::min();
    return v >= From(Limits::max()) ? Limits::max() : To(v);
  }
}

/// False: of a complex number and a number of another kind.
template <typename To, typename From> static bool castAs(void *out, const void *src) {
  if constexpr (ComplexType<To> && ComplexType<From>) {
    auto c = load<From>(src);
    store(out, To{decltype(To::re)(c.re), decltype(To::im)(c.im)});
    return true;
  } else if constexpr (!ComplexType<To> && !ComplexType<From>) {
    store(out, convert<To>(load<From>(src)));
    return true;
  } else {
    return false;
  }
}

static bool castNumber(const TypeDesc *to, void *out, const TypeDesc *from, const void *src) {
  bool known = false;
  withAnyNumber(to->kind == Kind::Enum ? Kind::UInt32 : to->kind, [&](auto *t) {
    using To = __remove_pointer(decltype(t));
    withAnyNumber(from->kind == Kind::Enum ? Kind::UInt32 : from->kind, [&](auto *f) {
      using From = __remove_pointer(decltype(f));
      known = castAs<To, From>(out, src);
    });
  });
  return known;
}

static int32_t castToEnum(Ctx *ctx, const TypeDesc *to, void *out, const TypeDesc *from,
                          const void *src) {
  static constexpr TypeDesc wide = {Kind::Int64, 8, 8, 1, {}, {}, 0, 0, 0, 0, {}, {}};
  int64_t index;
  castNumber(&wide, &index, from, src);
  if (uint64_t(index) >= to->count)
    return sl_error(ctx, "%lld is not the position of a member of an enum with %u members",
                    (long long)index, to->count);
  store(out, uint32_t(index));
  return 0;
}

//===--- text ---------------------------------------------------------------===//

static constexpr const char *kNoDate =
    ", whose text is (seconds,nanoseconds,machine): `toTimestamp` reads dates";

/// Loads what was stored last, in halves: a wider load would wait for the store.
static SLUICE_INLINE Str copyOf(const Str *text) {
  auto *halves = reinterpret_cast<const uint64_t *>(text);
  uint64_t words[] = {__atomic_load_n(halves, __ATOMIC_RELAXED),
                      __atomic_load_n(halves + 1, __ATOMIC_RELAXED)};
  return load<Str>(words);
}

/// One to eight digits, and nothing else, as a number of one of the most common kinds.
static SLUICE_INLINE bool parseShort(Kind kind, const Str &s, void *result) {
  if (s.len - 1 >= 8)
    return false;
  const uint32_t missing = 8 * (8 - s.len);
  char digits[8]; // with zeros before them
  uint64_t value;
  store(digits, load<uint64_t>(s.inl) << missing | (0x3030303030303030 & ((1ull << missing) - 1)));
  if (!eightDigits(digits, value))
    return false;
  if (kind == Kind::Float64)
    store(result, double(value));
  else if (kind == Kind::Int32 || kind == Kind::UInt32)
    store(result, uint32_t(value));
  else if (kind == Kind::Int64 || kind == Kind::UInt64)
    store(result, value);
  else
    return false;
  return true;
}

extern "C" int32_t sl_parse(Ctx *ctx, const TypeDesc *type, void *result, const Str *text) {
  Str copy = copyOf(text); // result may be text
  if (parseShort(type->kind, copy, result))
    return 0;
  std::string_view s = viewOf(*text);
  if (copy.len <= Str::kInline)
    s = {copy.inl, copy.len};
  const char *p = s.data(), *end = p + s.size();
  if (p < end && plainNumber(type->kind, p, end, '\0', result) && p == end)
    return 0;
  memset(result, 0, type->size);
  if (!parseAll(s.data(), s.data() + s.size(), type, result, *ctx->scratch))
    return 0;
  if (type->kind == Kind::Xml)
    return sl_error(ctx, "the text is no well-formed XML: %s", xmlProblem(s)->c_str());
  TextOut quoted;
  printQuoted(quoted, s.substr(0, 60));
  bool isDate = type->kind == Kind::Timestamp && !s.starts_with("(");
  return sl_error(ctx, "cannot convert %.*s%s to %s%s", int(quoted.size), quoted.data,
                  s.size() > 60 ? "..." : "", infoOf(type->kind).keyword, isDate ? kNoDate : "");
}

/// To a string: the text form. Cannot fail.
static void toText(Ctx *ctx, const TypeDesc *to, Str *out, const TypeDesc *from, const void *src) {
  Str text;
  if (isIn(from->kind, type_class::String))
    text = *static_cast<const Str *>(src);
  else
    sl_to_string(ctx, from, &text, src);
  if (to->kind == Kind::UString && from->kind != Kind::UString)
    text = repairUtf8(ctx->scratch, text);
  *out = to->bound && text.len > to->bound ? strView(text.data(), to->bound) : text;
}

static bool isListOfBytes(const TypeDesc *type) {
  return type->kind == Kind::List && type->elem->kind == Kind::UInt8;
}

/// Between a blob and a list of its bytes: the one is a view of the other.
static void castBytes(Ctx *ctx, const TypeDesc *to, void *out, const void *src) {
  if (to->kind == Kind::Blob) {
    auto *list = static_cast<const Seq *>(src);
    *static_cast<Str *>(out) = strView(static_cast<const char *>(list->data), list->len);
    return;
  }
  auto *blob = static_cast<const Str *>(src);
  uint32_t count = to->bound && blob->len > to->bound ? to->bound : blob->len;
  const char *bytes = blob->data();
  if (blob->len <= Str::kInline)
    bytes = count ? static_cast<char *>(memcpy(arenaAlloc(ctx->scratch, count, 1), bytes, count))
                  : nullptr;
  *static_cast<Seq *>(out) = {count, 0, const_cast<char *>(bytes)};
}

//===--- composites ---------------------------------------------------------===//

static int32_t castEntry(Ctx *ctx, const TypeDesc *to, char *out, const TypeDesc *from,
                         const char *src) {
  if (cast(ctx, to->elem, out, from->elem, src))
    return 1;
  return to->kind == Kind::Map
             ? cast(ctx, to->value, out + to->valueOffset, from->value, src + from->valueOffset)
             : 0;
}

static int32_t castSeq(Ctx *ctx, const TypeDesc *to, Seq *out, const TypeDesc *from,
                       const Seq *src) {
  bool cut = to->kind == Kind::List && to->bound && src->len > to->bound;
  uint32_t count = cut ? to->bound : src->len;
  auto *data = static_cast<char *>(arenaAlloc(ctx->scratch, uint64_t(count) * to->stride, 16));
  memset(data, 0, uint64_t(count) * to->stride);
  for (uint32_t i = 0; i < count; ++i)
    if (castEntry(ctx, to, data + uint64_t(i) * to->stride, from, elementAt(from, src, i)))
      return 1;
  if (to->kind == Kind::List)
    *out = {count, 0, data};
  else if (to->kind == Kind::Set)
    sl_make_set(ctx, to, out, data, count);
  else
    sl_make_map(ctx, to, out, data, count);
  return 0;
}

static int32_t castTuple(Ctx *ctx, const TypeDesc *to, void *out, const TypeDesc *from,
                         const void *src) {
  for (uint32_t i = 0; i < to->count; ++i) {
    const Field &t = to->fields[i];
    const Field *f = from->fields, *end = f + from->count;
    while (f < end && std::string_view(f->name) != t.name)
      ++f;
    if (f == end)
      return sl_error(ctx, "the tuple has no attribute %s", t.name);
    if (cast(ctx, t.type, static_cast<char *>(out) + t.offset, f->type,
             static_cast<const char *>(src) + f->offset))
      return 1;
  }
  return 0;
}

/// A list of two numbers: the real and the imaginary part.
static int32_t castToComplex(Ctx *ctx, const TypeDesc *to, void *out, const TypeDesc *from,
                             const Seq *list) {
  if (list->len != 2)
    return sl_error(ctx, "a complex number is made of a list of 2 numbers, not of %u", list->len);
  static constexpr TypeDesc real = {Kind::Float64, 8, 8, 1, {}, {}, 0, 0, 0, 0, {}, {}};
  double parts[2];
  for (uint32_t i = 0; i < 2; ++i)
    castNumber(&real, &parts[i], from->elem, elementAt(from, list, i));
  if (to->kind == Kind::Complex32)
    store(out, Complex32{float(parts[0]), float(parts[1])});
  else
    store(out, Complex64{parts[0], parts[1]});
  return 0;
}

/// To an optional, from a value or from another optional.
static int32_t castToOptional(Ctx *ctx, const TypeDesc *to, void *out, const TypeDesc *from,
                              const void *src) {
  const Field &value = to->fields[1];
  auto *at = static_cast<char *>(out) + value.offset;
  bool isOptional = from->kind == Kind::Optional, isPresent = !isOptional || load<uint8_t>(src);
  if (isPresent && (isOptional ? cast(ctx, value.type, at, from->fields[1].type,
                                      static_cast<const char *>(src) + from->fields[1].offset)
                               : cast(ctx, value.type, at, from, src)))
    return 1;
  if (!isPresent)
    memset(out, 0, to->size);
  store(out, uint8_t(isPresent));
  return 0;
}

static int32_t cast(Ctx *ctx, const TypeDesc *to, void *out, const TypeDesc *from,
                    const void *src) {
  if (to == from) {
    memmove(out, src, to->size);
    return 0;
  }
  if (isIn(to->kind, type_class::String)) {
    toText(ctx, to, static_cast<Str *>(out), from, src);
    return 0;
  }
  if (to->kind == Kind::Optional)
    return castToOptional(ctx, to, out, from, src);
  if (isIn(from->kind, type_class::String))
    return sl_parse(ctx, to, out, static_cast<const Str *>(src));
  if ((to->kind == Kind::Blob && isListOfBytes(from)) ||
      (from->kind == Kind::Blob && isListOfBytes(to))) {
    castBytes(ctx, to, out, src);
    return 0;
  }
  if (to->kind == Kind::Enum && from->kind != Kind::Enum)
    return castToEnum(ctx, to, out, from, src);
  if (castNumber(to, out, from, src))
    return 0;
  if (from->kind == Kind::List && isIn(to->kind, type_class::Complex))
    return castToComplex(ctx, to, out, from, static_cast<const Seq *>(src));
  if (to->kind == Kind::Timestamp && from->kind == Kind::Float64) {
    store(out, later({}, load<double>(src)));
    return 0;
  }
  if (to->kind == Kind::Float64 && from->kind == Kind::Timestamp) {
    auto t = load<Timestamp>(src);
    store(out, double(t.seconds) + double(t.nanos) / 1e9);
    return 0;
  }
  if (to->kind != from->kind)
    return sl_error(ctx, "there is no cast from %s to %s", infoOf(from->kind).keyword,
                    infoOf(to->kind).keyword);
  switch (storageOf(to->kind)) {
  case Storage::Sequence:
    return castSeq(ctx, to, static_cast<Seq *>(out), from, static_cast<const Seq *>(src));
  case Storage::Parts:
    return castTuple(ctx, to, out, from, src);
  case Storage::Scalar:
  case Storage::Plain:
  case Storage::Text: // of one kind is of one type, but for enumerations
    memmove(out, src, to->size);
    return 0;
  }
  __builtin_unreachable();
}

extern "C" int32_t sl_cast(Ctx *ctx, const TypeDesc *to, void *result, const TypeDesc *from,
                           const void *src) {
  return cast(ctx, to, result, from, src);
}

} // namespace sluice
