//===- SortKeys.h - what rows are sorted by ---------------------*- C++ -*-===//
//
// The order of rows is that of sequences of **words**: unsigned 64-bit numbers, which one
// comparison orders whatever the key is. An integer, a float or an enumeration is one word, a
// timestamp or a decimal two. Of a string or blob, each word has seven bytes and, in its lowest
// byte, how many are left from there on, at most 8; so one that ends is before one that goes on.
// The bits of a descending key are inverted. Floats are ordered as by sl_compare: NaN is behind all
// numbers, and both zeros are equal.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Value.h"

namespace sluice {

class SortKeys {
public:
  /// Of a list of tuples: the first `count` attributes are keys.
  SortKeys(const TypeDesc *list, const uint8_t *descending, uint32_t count)
      : SortKeys(list->elem->fields, descending, count) {}
  /// The keys of a row, by their places in it.
  SortKeys(const Field *fields, const uint8_t *descending, uint32_t count)
      : fields(fields), descending(descending), count(count) {}

  /// Where a word is: of which key, and how many words of that are before it.
  struct Position {
    uint32_t key = 0, part = 0;
  };
  uint64_t word(const char *row, Position at) const {
    const Field &field = fields[at.key];
    uint64_t value = wordOf(field.type->kind, row + field.offset, at.part);
    return descending[at.key] ? ~value : value;
  }
  /// Goes to the word that decides between rows that have `word` at this position; false if
  /// nothing does.
  bool advance(uint64_t word, Position &at) const {
    uint64_t value = descending[at.key] ? ~word : word;
    Kind kind = fields[at.key].type->kind;
    bool goesOn =
        storageOf(kind) == Storage::Text ? uint8_t(value) == 8 : isTwoWords(kind) && at.part == 0;
    at = goesOn ? Position{at.key, at.part + 1} : Position{at.key + 1, 0};
    return at.key < count;
  }

  static bool isTwoWords(Kind kind) {
    return kind == Kind::Timestamp || isIn(kind, type_class::Decimal);
  }

private:
  static constexpr uint64_t kSign = uint64_t(1) << 63;

  static uint64_t ofInteger(int64_t value) { return uint64_t(value) ^ kSign; }
  static uint64_t ofFloat(double value) {
    if (value != value)
      return ~uint64_t(0);
    auto bits = __builtin_bit_cast(uint64_t, value == 0 ? 0.0 : value);
    return bits & kSign ? ~bits : bits | kSign;
  }
  static uint64_t ofText(const Str *s, uint64_t part) {
    uint64_t left = s->len - 7 * part, lo, hi;
    const char *p = s->data() + 7 * part;
    if (left >= 8)
      return (__builtin_bswap64(load<uint64_t>(p)) & ~uint64_t(0xff)) | 8;
    if (left == 0)
      return 0;
    loadShort(p, left, lo, hi);
    return __builtin_bswap64(lo) | left;
  }

  static uint64_t wordOf(Kind kind, const char *at, uint32_t part) {
    switch (kind) {
    case Kind::Boolean:
    case Kind::UInt8:
      return load<uint8_t>(at);
    case Kind::UInt16:
      return load<uint16_t>(at);
    case Kind::UInt32:
    case Kind::Enum:
      return load<uint32_t>(at);
    case Kind::UInt64:
      return load<uint64_t>(at);
    case Kind::Int8:
      return ofInteger(load<int8_t>(at));
    case Kind::Int16:
      return ofInteger(load<int16_t>(at));
    case Kind::Int32:
      return ofInteger(load<int32_t>(at));
    case Kind::Int64:
      return ofInteger(load<int64_t>(at));
    case Kind::Float32:
      return ofFloat(load<float>(at));
    case Kind::Float64:
      return ofFloat(load<double>(at));
    case Kind::Timestamp: {
      auto time = load<Timestamp>(at);
      return part ? time.nanos : ofInteger(time.seconds);
    }
    case Kind::Decimal32:
    case Kind::Decimal64:
    case Kind::Decimal128: {
      DecimalOrder order = decimalOrder(kind, at);
      return part ? order.low : order.high;
    }
    case Kind::RString:
    case Kind::UString:
    case Kind::Blob:
      return ofText(reinterpret_cast<const Str *>(at), part);
    case Kind::Complex32:
    case Kind::Complex64:
    case Kind::Xml:
    case Kind::List:
    case Kind::Set:
    case Kind::Map:
    case Kind::Optional:
    case Kind::Tuple:
      break; // the verifier of the operations refuses them
    }
    __builtin_unreachable();
  }

  const Field *fields;
  const uint8_t *descending;
  uint32_t count;
};

} // namespace sluice
