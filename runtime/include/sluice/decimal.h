//===- decimal.h - decimals: their bits and their text ----------*- C++ -*-===//
//
// What the compiler and the runtime share: how sign, coefficient and exponent make the bits of a
// decimal (IEEE 754, binary coefficient), and how text becomes the nearest decimal. As in IBM's
// compiler, the digits that text has too many are rounded half up; arithmetic, which is that of
// Intel's library (runtime/value/Decimal.cpp), rounds half to even.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice::decimal {

using Coefficient = unsigned __int128;

/// The decimals of a width in bits: how many digits a coefficient has, and the range of exponents.
struct Format {
  unsigned digits;
  int32_t least, most;
  unsigned exponentBits;
};
constexpr Format formatOf(unsigned bits) {
  return bits == 32   ? Format{7, -101, 90, 8}
         : bits == 64 ? Format{16, -398, 369, 10}
                      : Format{34, -6176, 6111, 14};
}

enum class Class : uint8_t { Finite, Infinite, NaN };

/// coefficient * 10^exponent
struct Value {
  bool negative = false;
  Class cls = Class::Finite;
  int32_t exponent = 0;
  Coefficient coefficient = 0;
};

/// The bits; those of decimal32 and decimal64 are in `low`.
struct Bits {
  uint64_t low, high;
};

constexpr unsigned countDigits(Coefficient c) {
  unsigned n = 0;
  for (; c; c /= 10)
    ++n;
  return n;
}

constexpr Coefficient power10(unsigned n) {
  Coefficient c = 1;
  while (n--)
    c *= 10;
  return c;
}

/// A finite value that the format has, or an infinite one.
constexpr Bits encode(const Value &v, unsigned bits) {
  Format f = formatOf(bits);
  auto top = Coefficient(v.negative) << (bits - 1);
  if (v.cls != Class::Finite) {
    top |= Coefficient(v.cls == Class::Infinite ? 0x1e : 0x1f) << (bits - 6);
    return {uint64_t(top), uint64_t(top >> 64)};
  }
  auto exponent = Coefficient(v.exponent - f.least);
  unsigned room = bits - 1 - f.exponentBits; // for a coefficient that does not begin with 100
  bool isLarge = v.coefficient >> room;
  Coefficient word = isLarge ? top | Coefficient(3) << (bits - 3) | exponent << (room - 2) |
                                   (v.coefficient & ((Coefficient(1) << (room - 2)) - 1))
                             : top | exponent << room | v.coefficient;
  return {uint64_t(word), uint64_t(word >> 64)};
}

constexpr Value decode(Bits from, unsigned bits) {
  Format f = formatOf(bits);
  Coefficient word = Coefficient(from.high) << 64 | from.low;
  Value v;
  if (!word)
    return v;
  v.negative = word >> (bits - 1) & 1;
  auto field = [&](unsigned at, unsigned width) {
    return uint32_t(word >> at) & ((1u << width) - 1);
  };
  if (field(bits - 5, 4) == 15) {
    v.cls = field(bits - 6, 1) ? Class::NaN : Class::Infinite;
    return v;
  }
  unsigned room = bits - 1 - f.exponentBits;
  bool isLarge = field(bits - 3, 2) == 3;
  unsigned shift = isLarge ? room - 2 : room;
  v.exponent = int32_t(field(shift, f.exponentBits)) + f.least;
  v.coefficient = word & ((Coefficient(1) << shift) - 1);
  if (isLarge)
    v.coefficient |= Coefficient(1) << room;
  if (v.coefficient >= power10(f.digits)) // not canonical: it counts as 0
    v.coefficient = 0;
  return v;
}

/// The digits that are kept of a number, and what is lost.
class Rounding {
public:
  /// `up`: halves are rounded away from 0, else to even.
  Rounding(unsigned digits, bool up) : digits(digits), halfUp(up) {}

  /// A digit behind those before; of those in front of the point all must be added.
  void add(unsigned digit, bool behindPoint) {
    bool isLeading = !digit && !v.coefficient && !kept;
    if (kept < digits) {
      v.coefficient = v.coefficient * 10 + digit;
      kept += !isLeading;
      exponent -= behindPoint;
      return;
    }
    if (kept == digits && !hasNext)
      next = digit, hasNext = true;
    else
      rest |= digit != 0;
    exponent += !behindPoint;
  }

  /// Whether all digits were kept that are not 0.
  bool isExact() const { return !rest && !(hasNext && next); }

  /// The nearest value of a format; false if it is out of range.
  bool finish(int64_t scale, unsigned bits, Value &out) {
    Format f = formatOf(bits);
    int64_t e = exponent + scale;
    for (; e < f.least && (v.coefficient || hasNext); ++e) { // the digits below the least exponent
      rest |= hasNext && next;
      next = unsigned(v.coefficient % 10), hasNext = true;
      v.coefficient /= 10;
      if (!v.coefficient && !next) {
        e = f.least;
        break;
      }
    }
    bool up = hasNext && (next > 5 || (next == 5 && (rest || halfUp || (v.coefficient & 1))));
    v.coefficient += up;
    if (v.coefficient == power10(f.digits)) {
      v.coefficient /= 10;
      ++e;
    }
    for (; e > f.most && v.coefficient && v.coefficient < power10(f.digits - 1); --e)
      v.coefficient *= 10;
    if (e > f.most && v.coefficient)
      return false;
    v.exponent = int32_t(e < f.least ? f.least : e > f.most ? f.most : e);
    out = v;
    return true;
  }

private:
  Value v;
  unsigned digits, kept = 0, next = 0;
  bool halfUp, hasNext = false, rest = false;
  int64_t exponent = 0;
};

/// Where the number at p ends, which is read: a sign, digits with a point, an exponent; p itself if
/// there is none. Null: it is out of range. As in IBM's compiler, -0 and 0.00 are 0.
inline const char *read(const char *p, const char *end, unsigned bits, Value &v) {
  auto isDigit = [&](const char *at) { return at < end && *at >= '0' && *at <= '9'; };
  const char *at = p;
  bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    ++at;
  bool hasDigits = isDigit(at) || (at < end && *at == '.' && isDigit(at + 1));
  if (!hasDigits)
    return p;
  Rounding number(formatOf(bits).digits, /*up=*/true);
  for (; isDigit(at); ++at)
    number.add(unsigned(*at - '0'), false);
  if (at < end && *at == '.')
    for (++at; isDigit(at); ++at)
      number.add(unsigned(*at - '0'), true);
  int64_t scale = 0;
  bool hasSign = at + 1 < end && (at[1] == '-' || at[1] == '+');
  if (at < end && (*at == 'e' || *at == 'E') && isDigit(at + 1 + hasSign)) {
    bool below = at[1] == '-';
    for (at += 1 + hasSign; isDigit(at); ++at)
      scale = scale < 1000000 ? scale * 10 + (*at - '0') : scale;
    scale = below ? -scale : scale;
  }
  if (!number.finish(scale, bits, v))
    return nullptr;
  v.negative = negative;
  if (!v.coefficient)
    v = {};
  return at;
}

} // namespace sluice::decimal
