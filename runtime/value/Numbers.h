//===- Numbers.h - decimals, complex numbers, times, digits -----*- C++ -*-===//
//
// Operators of the C++ types of decimals (value.h) and complex numbers, so that templates over
// numbers take them, too. Those of decimals are Intel's library (Decimal.cpp), which computes the
// same bits on every machine.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/Value.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace sluice {

//===--- decimals -----------------------------------------------------------===//

enum class DecimalOp { Add, Sub, Mul, Div, Pow, Fmod };
enum class DecimalFn { Sqrt, Exp, Ln, Log10, Ceil, Floor, Round, Sin, Cos, Tan, Asin, Acos, Atan };

template <typename D> D compute(DecimalOp, D, D);
template <typename D> D compute(DecimalFn, D);
/// The same number in the other encoding of IEEE 754, with three digits in ten bits (DPD).
template <typename D> D denselyPacked(D);
template <typename D> D fromDenselyPacked(D);
/// The nearest decimal; of a float, the nearest to its exact value.
template <typename D> D toDecimal(int64_t);
template <typename D> D toDecimal(uint64_t);
template <typename D> D toDecimal(double);
template <typename D> D toDecimal(Decimal32);
template <typename D> D toDecimal(Decimal64);
template <typename D> D toDecimal(Decimal128);
/// Correctly rounded to float32 or float64.
template <typename R, typename D> R toReal(D);
/// The size of a decimal without what is behind the point; 2^64 for all that is larger, 0 for NaN.
decimal::Coefficient toWhole(const decimal::Value &);

template <typename T>
concept DecimalType =
    __is_same(T, Decimal32) || __is_same(T, Decimal64) || __is_same(T, Decimal128);

template <DecimalType D> D operator+(D a, D b) { return compute(DecimalOp::Add, a, b); }
template <DecimalType D> D operator-(D a, D b) { return compute(DecimalOp::Sub, a, b); }
template <DecimalType D> D operator*(D a, D b) { return compute(DecimalOp::Mul, a, b); }
template <DecimalType D> D operator/(D a, D b) { return compute(DecimalOp::Div, a, b); }

template <DecimalType D> constexpr unsigned kBitsOf = 8 * sizeof(D);
inline decimal::Bits bitsOf(Decimal32 d) { return {d.bits, 0}; }
inline decimal::Bits bitsOf(Decimal64 d) { return {d.bits, 0}; }
inline decimal::Bits bitsOf(Decimal128 d) { return {d.low, d.high}; }
template <DecimalType D> decimal::Value valueOf(D d) {
  return decimal::decode(bitsOf(d), kBitsOf<D>);
}
template <DecimalType D> D decimalOf(const decimal::Value &v) {
  decimal::Bits bits = decimal::encode(v, kBitsOf<D>);
  if constexpr (sizeof(D) == 16)
    return {bits.low, bits.high};
  else
    return {decltype(D::bits)(bits.low)};
}
template <DecimalType D> bool isNaN(D d) { return valueOf(d).cls == decimal::Class::NaN; }
/// The sign inverted, also of 0 and NaN.
template <DecimalType D> D operator-(D d) {
  decimal::Value v = valueOf(d);
  v.negative = !v.negative;
  return decimalOf<D>(v);
}

/// By the kind of a decimal.
decimal::Value loadDecimal(Kind, const void *);
void storeDecimal(Kind, void *, const decimal::Value &);

//===--- NaN ----------------------------------------------------------------===//
//
// Compilers and processors differ in the sign of a NaN that they compute. A NaN that was read or
// asked for by name is told from those by a bit of its payload, which arithmetic and conversions
// between float32 and float64 keep. It has the sign that it was given. All others count as
// negative, as those that x86-64 computes are.

template <typename T> struct NaNBits;
template <> struct NaNBits<float> {
  using Word = uint32_t;
  static constexpr Word quiet = 0x7fc00000, given = 0x00200000, negative = 0x80000000;
};
template <> struct NaNBits<double> {
  using Word = uint64_t;
  static constexpr Word quiet = 0x7ff8000000000000, given = 0x0004000000000000,
                        negative = 0x8000000000000000;
};

/// A NaN that has this sign.
template <typename T> constexpr T givenNaN(bool isNegative) {
  using Bits = NaNBits<T>;
  auto sign = isNegative ? Bits::negative : typename Bits::Word(0);
  return __builtin_bit_cast(T, Bits::quiet | Bits::given | sign);
}
/// The sign of a NaN.
template <typename T> constexpr bool isNegativeNaN(T nan) {
  using Bits = NaNBits<T>;
  auto bits = __builtin_bit_cast(typename Bits::Word, nan);
  return !(bits & Bits::given) || (bits & Bits::negative);
}

//===--- complex numbers ----------------------------------------------------===//

template <typename T>
concept ComplexType = __is_same(T, Complex32) || __is_same(T, Complex64);

template <ComplexType C> C operator+(C a, C b) { return {a.re + b.re, a.im + b.im}; }
template <ComplexType C> C operator-(C a, C b) { return {a.re - b.re, a.im - b.im}; }
template <ComplexType C> C operator-(C a) { return {-a.re, -a.im}; }
template <ComplexType C> C operator*(C a, C b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
/// As Smith has it: the divisor's larger part is taken out, so that no square overflows.
template <ComplexType C> C operator/(C a, C b) {
  if (__builtin_fabs(b.re) >= __builtin_fabs(b.im)) {
    auto ratio = b.im / b.re, by = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / by, (a.im - a.re * ratio) / by};
  }
  auto ratio = b.re / b.im, by = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / by, (a.im * ratio - a.re) / by};
}

//===--- timestamps ---------------------------------------------------------===//
//
// What lies before the first timestamp or behind the last one becomes that one. NaN counts as 0, as
// in a cast to an integer.

constexpr int64_t kNanosPerSecond = 1000000000;

/// The timestamp of any number of seconds and nanoseconds.
inline Timestamp timestampOf(__int128 seconds, int64_t nanos, int32_t machine) {
  using Limits = std::numeric_limits<int64_t>;
  int64_t rest = nanos % kNanosPerSecond;
  seconds += nanos / kNanosPerSecond - (rest < 0);
  rest += rest < 0 ? kNanosPerSecond : 0;
  if (seconds > Limits::max())
    return {Limits::max(), uint32_t(kNanosPerSecond - 1), machine};
  if (seconds < Limits::min())
    return {Limits::min(), 0, machine};
  return {int64_t(seconds), uint32_t(rest), machine};
}

/// So many seconds later, rounded to nanoseconds.
inline Timestamp later(const Timestamp &time, double seconds) {
  constexpr double kAll = 0x1p65; // more than lies between the first timestamp and the last
  if (seconds != seconds)
    return time;
  if (seconds < -kAll || seconds > kAll)
    seconds = seconds < 0 ? -kAll : kAll;
  double whole = std::floor(seconds);
  auto nanos = int64_t(std::llround((seconds - whole) * double(kNanosPerSecond)));
  return timestampOf(__int128(time.seconds) + __int128(whole), int64_t(time.nanos) + nanos,
                     time.machine);
}

//===--- all numbers --------------------------------------------------------===//

/// Calls f with a null pointer of the C++ type of a number of any kind; false for other kinds.
template <typename F> bool withAnyNumber(Kind kind, F &&f) {
  return withKindOf<type_class::Numeric>(kind, f);
}

/// A small whole number as a number of any type.
template <typename T> T numberOf(int64_t n) {
  if constexpr (DecimalType<T>)
    return toDecimal<T>(n);
  else if constexpr (ComplexType<T>)
    return {decltype(T::re)(n), 0};
  else
    return T(n);
}

//===--- the text of numbers in their common forms --------------------------===//

// Without detours. What is in no such form is for parseInteger() and parseFloat() (Text.h), which
// give the same for those that are.

/// Digits up to the end or the separator, with at most one point; at most 15 digits,
/// so that they and the power of ten are exact and one division rounds once.
inline bool plainDecimal(const char *&p, const char *end, char separator, void *to) {
  static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = p, *point = nullptr;
  bool negative = *at == '-';
  at += negative;
  const char *first = at;
  uint64_t digits = 0;
  for (; at < end && at - first <= 15; ++at) {
    unsigned d = unsigned(*at) - '0';
    if (d <= 9)
      digits = digits * 10 + d;
    else if (*at == '.' && !point)
      point = at;
    else
      break;
  }
  auto count = at - first - (point != nullptr);
  if (count < 1 || count > 15 || (at < end && *at != separator))
    return false;
  double v = double(digits);
  if (point)
    v /= powers[at - point - 1];
  store(to, negative ? -v : v);
  p = at;
  return true;
}

/// Eight digits at once; false: there are not so many. Two neighbours become one number, three
/// times: of two digits, of four, of eight.
inline bool eightDigits(const char *p, uint64_t &value) {
  constexpr uint64_t kHigh = 0xf0f0f0f0f0f0f0f0, kDigits = 0x3030303030303030;
  auto word = load<uint64_t>(p);
  if ((word & kHigh) != kDigits || ((word + 0x0606060606060606) & kHigh) != kDigits)
    return false;
  word = (word & 0x0f0f0f0f0f0f0f0f) * (10 << 8 | 1) >> 8;
  word = (word & 0x00ff00ff00ff00ff) * (100 << 16 | 1) >> 16;
  value = (word & 0x0000ffff0000ffff) * (uint64_t(10000) << 32 | 1) >> 32;
  return true;
}

/// Whether so many digits are a number of 64 bits, of which `v` has the lowest ones. With 20 digits
/// it begins with 1 and is at least ten to the 19th; one beyond 64 bits leaves less in them.
inline bool fitsWord(const char *first, int64_t count, uint64_t v) {
  return count <= 19 || (count == 20 && *first == '1' && v >= 10'000'000'000'000'000'000U);
}

/// Digits up to the end or the separator, of a number that the type has.
template <typename T> bool plainInteger(const char *&p, const char *end, char separator, void *to) {
  const char *at = p;
  bool negative = T(-1) < T(0) && *at == '-';
  at += negative;
  const char *first = at;
  uint64_t v = 0;
  for (uint64_t eight; end - at >= 8 && eightDigits(at, eight); at += 8)
    v = v * 100'000'000 + eight;
  for (; at < end; ++at) {
    unsigned d = unsigned(*at) - '0';
    if (d > 9)
      break;
    v = v * 10 + d;
  }
  if (at == first || !fitsWord(first, at - first, v) || (at < end && *at != separator) ||
      v > uint64_t(std::numeric_limits<T>::max()))
    return false;
  store(to, T(negative ? 0 - v : v));
  p = at;
  return true;
}

/// One of them, at `p`, which is not the end. True: `p` is where the number ends. False: it is in
/// no common form, or there is none.
inline bool plainNumber(Kind kind, const char *&p, const char *end, char separator, void *to) {
  bool done = false;
  withNumber(kind, [&](auto *number) {
    using T = __remove_pointer(decltype(number));
    if constexpr (std::is_integral_v<T>)
      done = plainInteger<T>(p, end, separator, to);
    else if constexpr (std::is_same_v<T, double>)
      done = plainDecimal(p, end, separator, to);
  });
  return done;
}

} // namespace sluice
