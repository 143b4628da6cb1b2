//===- Scalars.cpp - numbers and times of JSON ----------------------------===//
#include "toolkits/json/native/Scalars.h"
#include "value/Numbers.h"
#include "value/Text.h"
#include <charconv>
#include <cmath>
#include <limits>

namespace sluice::json {

std::string outOfRange(Kind kind) {
  return std::string("the number is out of range of ") + infoOf(kind).keyword;
}

static bool isNumber(std::string_view text) {
  char first = text.empty() ? 0 : text.front();
  return first == '-' || (first >= '0' && first <= '9');
}

/// Infinite, if it is too large.
static double toDouble(std::string_view text) {
  double value = 0;
  const char *p = text.data(), *end = p + text.size();
  if (parseFloat(p, end, Kind::Float64, &value, /*special=*/false))
    value = text.front() == '-' ? -HUGE_VAL : HUGE_VAL;
  return value;
}

template <typename T> static NumberIs readInteger(std::string_view text, void *to) {
  const char *end = text.data() + text.size();
  T exact;
  auto [last, error] = std::from_chars(text.data(), end, exact);
  if (error == std::errc() && last == end) {
    store(to, exact);
    return NumberIs::Good;
  }
  // A fraction or an exponent; the bounds are powers of two, which a double has.
  double value = std::trunc(toDouble(text));
  double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
  double least = std::is_signed_v<T> ? -limit : 0;
  if (!(value >= least && value < limit))
    return NumberIs::OutOfRange;
  store(to, T(value));
  return NumberIs::Good;
}

/// The number of seconds that `text` has as an integer, and what is behind the point.
static NumberIs readTimestamp(std::string_view text, void *to) {
  Timestamp time = {};
  bool isNegative = text.front() == '-';
  size_t point = std::min(text.find('.'), text.size());
  if (text.find_first_of("eE") != text.npos) {
    double seconds = toDouble(text), whole = std::floor(seconds);
    if (!(std::fabs(whole) < 9e18))
      return NumberIs::OutOfRange;
    time.seconds = int64_t(whole);
    time.nanos = uint32_t((seconds - whole) * 1e9);
    store(to, time);
    return NumberIs::Good;
  }
  auto [last, error] = std::from_chars(text.data(), text.data() + point, time.seconds);
  if (error != std::errc() || last != text.data() + point)
    return NumberIs::OutOfRange;
  uint32_t scale = 100'000'000;
  for (size_t at = point + 1; at < text.size() && scale; ++at, scale /= 10)
    time.nanos += uint32_t(text[at] - '0') * scale;
  if (isNegative && time.nanos) { // -1.25 is 0.75 behind -2
    --time.seconds;
    time.nanos = 1'000'000'000 - time.nanos;
  }
  store(to, time);
  return NumberIs::Good;
}

NumberIs readNumber(std::string_view text, Kind kind, void *to) {
  if (!isNumber(text))
    return NumberIs::None;
  const char *p = text.data(), *end = p + text.size();
  NumberIs result = NumberIs::None;
  bool isFloat = isIn(kind, type_class::Float);
  if (isFloat || isIn(kind, type_class::Decimal))
    return (isFloat ? parseFloat : parseDecimal)(p, end, kind, to, /*special=*/false)
               ? NumberIs::OutOfRange
               : NumberIs::Good;
  if (kind == Kind::Timestamp)
    return readTimestamp(text, to);
  withNumber(kind, [&](auto *number) {
    using T = __remove_pointer(decltype(number));
    if constexpr (std::is_integral_v<T>)
      result = readInteger<T>(text, to);
  });
  return result;
}

} // namespace sluice::json
