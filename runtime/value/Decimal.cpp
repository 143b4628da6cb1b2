//===- Decimal.cpp - decimals by Intel's library ----------------*- C++ -*-===//
//
// The library is called by value, rounds half to even, and sets flags that nobody reads.
//
//===----------------------------------------------------------------------===//
#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
// Its header includes C++'s when it is told so.
#include <bid_functions.h>

#include "value/Numbers.h"
#include <charconv>

namespace sluice {

namespace {
/// The functions of a width.
template <typename D> struct Bid;

#define SLUICE_BID_CALL(width, name, ...)                                                          \
  {                                                                                                \
    _IDEC_flags flags = 0;                                                                         \
    return bid##width##_##name(__VA_ARGS__, &flags);                                               \
  }
#define SLUICE_BID_BINARY(width, name)                                                             \
  static Word name(Word x, Word y) SLUICE_BID_CALL(width, name, x, y, BID_ROUNDING_TO_NEAREST)
#define SLUICE_BID_UNARY(width, name)                                                              \
  static Word name(Word x) SLUICE_BID_CALL(width, name, x, BID_ROUNDING_TO_NEAREST)
#define SLUICE_BID_EXACT(width, name) static Word name(Word x) SLUICE_BID_CALL(width, name, x)
#define SLUICE_BID(width, Type)                                                                    \
  template <> struct Bid<Type> {                                                                   \
    using Word = BID_UINT##width;                                                                  \
    static Word toDpd(Word x) { return bid_to_dpd##width(x); }                                     \
    static Word ofDpd(Word x) { return bid_dpd_to_bid##width(x); }                                 \
    SLUICE_BID_BINARY(width, add)                                                                  \
    SLUICE_BID_BINARY(width, sub)                                                                  \
    SLUICE_BID_BINARY(width, mul)                                                                  \
    SLUICE_BID_BINARY(width, div)                                                                  \
    SLUICE_BID_BINARY(width, pow)                                                                  \
    static Word fmod(Word x, Word y) SLUICE_BID_CALL(width, fmod, x, y)                            \
        SLUICE_BID_UNARY(width, sqrt) SLUICE_BID_UNARY(width, exp) SLUICE_BID_UNARY(width, log)    \
            SLUICE_BID_UNARY(width, log10) SLUICE_BID_UNARY(width, sin)                            \
                SLUICE_BID_UNARY(width, cos) SLUICE_BID_UNARY(width, tan)                          \
                    SLUICE_BID_UNARY(width, asin) SLUICE_BID_UNARY(width, acos)                    \
                        SLUICE_BID_UNARY(width, atan)                                              \
                            SLUICE_BID_EXACT(width, round_integral_positive)                       \
                                SLUICE_BID_EXACT(width, round_integral_negative)                   \
                                    SLUICE_BID_EXACT(width, round_integral_nearest_away)           \
  };
SLUICE_BID(32, Decimal32)
SLUICE_BID(64, Decimal64)
SLUICE_BID(128, Decimal128)

/// All-zero bytes are 0 with the exponent 0 (value.h), which for the library is another word.
template <typename D> D canonical(D d) {
  decimal::Bits bits = bitsOf(d);
  return bits.low | bits.high ? d : decimalOf<D>({});
}

template <typename D> typename Bid<D>::Word bitsAsTheyAre(D d) {
  typename Bid<D>::Word word;
  static_assert(sizeof word == sizeof d);
  memcpy(&word, &d, sizeof d);
  return word;
}
template <typename D> typename Bid<D>::Word wordOf(D d) { return bitsAsTheyAre(canonical(d)); }
template <typename D> D ofWord(typename Bid<D>::Word word) {
  D d;
  memcpy(&d, &word, sizeof d);
  return d;
}
} // namespace

//===--- the other encoding ---------------------------------------------------===//

template <typename D> D denselyPacked(D d) { return ofWord<D>(Bid<D>::toDpd(wordOf(d))); }
template <typename D> D fromDenselyPacked(D d) {
  return ofWord<D>(Bid<D>::ofDpd(bitsAsTheyAre(d)));
}

//===--- arithmetic ---------------------------------------------------------===//

template <typename D> D compute(DecimalOp op, D a, D b) {
  using B = Bid<D>;
  auto x = wordOf(a), y = wordOf(b);
  switch (op) {
  case DecimalOp::Add:
    return ofWord<D>(B::add(x, y));
  case DecimalOp::Sub:
    return ofWord<D>(B::sub(x, y));
  case DecimalOp::Mul:
    return ofWord<D>(B::mul(x, y));
  case DecimalOp::Div:
    return ofWord<D>(B::div(x, y));
  case DecimalOp::Pow:
    return ofWord<D>(B::pow(x, y));
  case DecimalOp::Fmod:
    return ofWord<D>(B::fmod(x, y));
  }
  __builtin_unreachable();
}

template <typename D> D compute(DecimalFn fn, D a) {
  using B = Bid<D>;
  auto x = wordOf(a);
  switch (fn) {
  case DecimalFn::Sqrt:
    return ofWord<D>(B::sqrt(x));
  case DecimalFn::Exp:
    return ofWord<D>(B::exp(x));
  case DecimalFn::Ln:
    return ofWord<D>(B::log(x));
  case DecimalFn::Log10:
    return ofWord<D>(B::log10(x));
  case DecimalFn::Ceil:
    return ofWord<D>(B::round_integral_positive(x));
  case DecimalFn::Floor:
    return ofWord<D>(B::round_integral_negative(x));
  case DecimalFn::Round:
    return ofWord<D>(B::round_integral_nearest_away(x));
  case DecimalFn::Sin:
    return ofWord<D>(B::sin(x));
  case DecimalFn::Cos:
    return ofWord<D>(B::cos(x));
  case DecimalFn::Tan:
    return ofWord<D>(B::tan(x));
  case DecimalFn::Asin:
    return ofWord<D>(B::asin(x));
  case DecimalFn::Acos:
    return ofWord<D>(B::acos(x));
  case DecimalFn::Atan:
    return ofWord<D>(B::atan(x));
  }
  __builtin_unreachable();
}

//===--- conversions --------------------------------------------------------===//

/// A finite value in a format that may have fewer digits; out of range it is infinite.
template <typename D> static D rounded(const decimal::Value &v) {
  if (v.cls != decimal::Class::Finite)
    return decimalOf<D>(v);
  constexpr unsigned bits = kBitsOf<D>;
  decimal::Rounding number(decimal::formatOf(bits).digits, /*up=*/false);
  unsigned char digits[40];
  unsigned count = 0;
  for (decimal::Coefficient rest = v.coefficient; rest; rest /= 10)
    digits[count++] = uint8_t(rest % 10);
  while (count)
    number.add(digits[--count], false);
  decimal::Value result;
  if (!number.finish(v.exponent, bits, result))
    result.cls = decimal::Class::Infinite;
  result.negative = v.negative;
  return decimalOf<D>(result);
}

template <typename D> D toDecimal(int64_t n) {
  return rounded<D>({n < 0, decimal::Class::Finite, 0, n < 0 ? 0 - uint64_t(n) : uint64_t(n)});
}
template <typename D> D toDecimal(uint64_t n) {
  return rounded<D>({false, decimal::Class::Finite, 0, n});
}
template <typename D> D toDecimal(Decimal32 d) { return rounded<D>(valueOf(d)); }
template <typename D> D toDecimal(Decimal64 d) { return rounded<D>(valueOf(d)); }
template <typename D> D toDecimal(Decimal128 d) { return rounded<D>(valueOf(d)); }

/// An exact value keeps the digits that it needs, any other has all that there are.
template <typename D> D toDecimal(double x) {
  decimal::Value v;
  v.negative = x != x ? isNegativeNaN(x) : bool(__builtin_signbit(x));
  if (!__builtin_isfinite(x)) {
    v.cls = x != x ? decimal::Class::NaN : decimal::Class::Infinite;
    return decimalOf<D>(v);
  }
  constexpr int most = 767; // digits of the exact value of a float64
  char text[most + 10];
  auto written = std::to_chars(text, text + sizeof text, __builtin_fabs(x),
                               std::chars_format::scientific, most - 1);
  decimal::Rounding number(decimal::formatOf(kBitsOf<D>).digits, /*up=*/false);
  const char *p = text;
  for (; *p != 'e'; ++p)
    if (*p != '.')
      number.add(unsigned(*p - '0'), p != text);
  int scale = 0;
  p += p[1] == '+' ? 2 : 1;
  std::from_chars(p, written.ptr, scale);
  bool isExact = number.isExact(), isNegative = v.negative;
  if (!number.finish(scale, kBitsOf<D>, v))
    v.cls = decimal::Class::Infinite;
  v.negative = isNegative;
  while (isExact && v.exponent < 0 && v.coefficient % 10 == 0) {
    v.coefficient /= 10;
    ++v.exponent;
  }
  return decimalOf<D>(v);
}

template <typename R, typename D> R toReal(D d) {
  decimal::Value v = valueOf(d);
  R sign = v.negative ? R(-1) : R(1), real = 0;
  if (v.cls != decimal::Class::Finite)
    return v.cls == decimal::Class::NaN ? givenNaN<R>(v.negative) : sign * R(__builtin_inf());
  char text[64], *first = text + 48;
  *first = 'e';
  char *end = std::to_chars(first + 1, text + sizeof text, v.exponent).ptr;
  for (decimal::Coefficient rest = v.coefficient; rest; rest /= 10)
    *--first = char('0' + unsigned(rest % 10));
  auto read = std::from_chars(first, end, real);
  if (read.ec == std::errc::result_out_of_range)
    real = v.exponent > 0 ? R(__builtin_inf()) : R(0);
  return sign * real;
}

decimal::Coefficient toWhole(const decimal::Value &v) {
  constexpr decimal::Coefficient most = decimal::Coefficient(1) << 64;
  if (v.cls != decimal::Class::Finite)
    return v.cls == decimal::Class::NaN ? 0 : most;
  decimal::Coefficient c = v.coefficient;
  for (int32_t e = v.exponent; e < 0 && c; ++e)
    c /= 10;
  for (int32_t e = v.exponent; e > 0 && c && c < most; --e)
    c *= 10;
  return c < most ? c : most;
}

#define SLUICE_INSTANTIATE(D)                                                                      \
  template D denselyPacked(D);                                                                     \
  template D fromDenselyPacked(D);                                                                 \
  template D compute(DecimalOp, D, D);                                                             \
  template D compute(DecimalFn, D);                                                                \
  template D toDecimal(int64_t);                                                                   \
  template D toDecimal(uint64_t);                                                                  \
  template D toDecimal(double);                                                                    \
  template D toDecimal(Decimal32);                                                                 \
  template D toDecimal(Decimal64);                                                                 \
  template D toDecimal(Decimal128);                                                                \
  template float toReal(D);                                                                        \
  template double toReal(D);
SLUICE_INSTANTIATE(Decimal32)
SLUICE_INSTANTIATE(Decimal64)
SLUICE_INSTANTIATE(Decimal128)

//===--- order and hash -----------------------------------------------------===//

decimal::Value loadDecimal(Kind kind, const void *from) {
  if (kind == Kind::Decimal32)
    return valueOf(load<Decimal32>(from));
  return kind == Kind::Decimal64 ? valueOf(load<Decimal64>(from)) : valueOf(load<Decimal128>(from));
}

void storeDecimal(Kind kind, void *to, const decimal::Value &v) {
  if (kind == Kind::Decimal32)
    store(to, decimalOf<Decimal32>(v));
  else if (kind == Kind::Decimal64)
    store(to, decimalOf<Decimal64>(v));
  else
    store(to, decimalOf<Decimal128>(v));
}

/// The exponent of the first digit above the coefficient with all digits that a decimal128 has; 0
/// is in the middle, and negative numbers are as far below it as their opposites are above.
DecimalOrder decimalOrder(Kind kind, const void *from) {
  using decimal::Coefficient;
  constexpr unsigned digits = decimal::formatOf(128).digits, coefficientBits = 113;
  constexpr int32_t above = 6200; // exponents, and one more for 0
  decimal::Value v = loadDecimal(kind, from);
  if (v.cls == decimal::Class::NaN)
    return {DecimalOrder::kNaN, DecimalOrder::kNaN};
  Coefficient size = 0;
  if (v.cls == decimal::Class::Infinite) {
    size = Coefficient(0x3fff) << coefficientBits;
  } else if (v.coefficient) {
    unsigned count = decimal::countDigits(v.coefficient);
    auto exponent = Coefficient(v.exponent + int32_t(count) + above);
    size = exponent << coefficientBits | v.coefficient * decimal::power10(digits - count);
  }
  Coefficient middle = Coefficient(1) << 127, order = v.negative ? middle - size : middle + size;
  return {uint64_t(order >> 64), uint64_t(order)};
}

bool equalDecimals(Kind kind, const void *a, const void *b) {
  DecimalOrder x = decimalOrder(kind, a), y = decimalOrder(kind, b);
  return x.high == y.high && x.low == y.low && !x.isNaN();
}

int32_t compareDecimals(Kind kind, const void *a, const void *b) {
  DecimalOrder x = decimalOrder(kind, a), y = decimalOrder(kind, b);
  if (x.high != y.high)
    return x.high < y.high ? -1 : 1;
  return x.low < y.low ? -1 : x.low > y.low;
}

uint64_t hashDecimal(Kind kind, const void *v) {
  DecimalOrder order = decimalOrder(kind, v);
  return hashFold(order.high ^ kHash0, order.low ^ kHash1);
}

extern "C" uint8_t sl_decimal_less(const TypeDesc *type, const void *a, const void *b,
                                   uint32_t orEqual) {
  if (decimalOrder(type->kind, a).isNaN() || decimalOrder(type->kind, b).isNaN())
    return 0;
  return compareDecimals(type->kind, a, b) < int32_t(orEqual);
}

//===--- operators ----------------------------------------------------------===//

template <typename T> static T arithmetic(Arithmetic op, T a, T b) {
  switch (op) {
  case Arithmetic::Add:
    return a + b;
  case Arithmetic::Sub:
    return a - b;
  case Arithmetic::Mul:
    return a * b;
  case Arithmetic::Div:
    return a / b;
  case Arithmetic::Neg:
    return -a;
  }
  __builtin_unreachable();
}

extern "C" void sl_arithmetic(const TypeDesc *type, Arithmetic op, void *result, const void *a,
                              const void *b) {
  withAnyNumber(type->kind, [&](auto *t) {
    using T = __remove_pointer(decltype(t));
    if constexpr (DecimalType<T> || ComplexType<T>)
      store(result, arithmetic(op, load<T>(a), load<T>(b)));
  });
}

} // namespace sluice
