//===- PrintNumber.cpp - numbers to text ------------------------*- C++ -*-===//
#include "value/Numbers.h"
#include "value/Text.h"
#include <algorithm>
#include <charconv>

namespace sluice {

//===--- whole numbers --------------------------------------------------------===//

namespace {
/// "00" to "99".
struct Pairs {
  char text[200];
  constexpr Pairs() : text() {
    for (uint32_t i = 0; i < 100; ++i)
      text[2 * i] = char('0' + i / 10), text[2 * i + 1] = char('0' + i % 10);
  }
};
constexpr Pairs kPairs;
} // namespace

static SLUICE_INLINE char *putPair(char *p, uint32_t v) {
  memcpy(p, kPairs.text + 2 * v, 2);
  return p + 2;
}
static SLUICE_INLINE char *putFour(char *p, uint32_t v) {
  return putPair(putPair(p, v / 100), v % 100);
}
/// Below 10,000, without zeros before it.
static SLUICE_INLINE char *putShort(char *p, uint32_t v) {
  if (v < 10)
    return *p = char('0' + v), p + 1;
  if (v < 100)
    return putPair(p, v);
  p = v < 1000 ? (*p = char('0' + v / 100), p + 1) : putPair(p, v / 100);
  return putPair(p, v % 100);
}

/// Returns where it ends; it has at most 20 digits.
static SLUICE_INLINE char *putWhole(char *p, uint64_t v) {
  if (v < 10'000)
    return putShort(p, uint32_t(v));
  if (v >= 100'000'000)
    return std::to_chars(p, p + 20, v).ptr;
  auto low = uint32_t(v);
  return putFour(putShort(p, low / 10'000), low % 10'000);
}

template <typename T> static SLUICE_INLINE char *putSigned(char *p, T v) {
  bool negative = v < 0;
  if (negative)
    *p++ = '-';
  return putWhole(p, negative ? 0 - uint64_t(v) : uint64_t(v));
}

template <typename T> static void printNumber(TextOut &out, T v) {
  char *p = out.reserve(kNumberRoom);
  out.size += size_t(putSigned(p, v) - p);
}
void printInteger(TextOut &out, int64_t v) { printNumber(out, v); }
void printInteger(TextOut &out, uint64_t v) { printNumber(out, v); }

//===--- floats of few digits ---------------------------------------------------===//

static constexpr uint64_t kPowers[] = {1,
                                       10,
                                       100,
                                       1000,
                                       10000,
                                       100000,
                                       1000000,
                                       10000000,
                                       100000000,
                                       1000000000,
                                       10000000000,
                                       100000000000,
                                       1000000000000,
                                       10000000000000,
                                       100000000000000,
                                       1000000000000000,
                                       10000000000000000,
                                       100000000000000000,
                                       1000000000000000000};

/// floor(log10(v)) of a number from 10^-4 up. The doubles nearest to 0.1, 0.01
/// and so on lie above these, so comparing with them is exact.
static int decimalExponent(double v) {
  if (v < 1)
    return v >= 0.1 ? -1 : v >= 0.01 ? -2 : v >= 0.001 ? -3 : -4;
  int e = 0;
  for (auto whole = uint64_t(v); whole >= kPowers[e + 1];)
    ++e;
  return e;
}

/// v * 10^scale as an integer, correctly rounded, halves to even.
static uint64_t leadingDigits(double v, int scale) {
  auto bits = load<uint64_t>(&v);
  uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  unsigned shift = 1075 - unsigned(bits >> 52);
  auto product = (unsigned __int128)mantissa * kPowers[scale];
  auto digits = uint64_t(product >> shift);
  auto rest = product & (((unsigned __int128)1 << shift) - 1),
       half = (unsigned __int128)1 << (shift - 1);
  return digits + (rest > half || (rest == half && (digits & 1)));
}

/// The commonest numbers by exact integer arithmetic: those that %g writes
/// without an exponent. False: not one of them.
static bool printPlain(TextOut &out, double v, int digits) {
  double size = __builtin_fabs(v);
  if (!(size >= 1e-4 && size < double(kPowers[digits])))
    return false;
  int exponent = decimalExponent(size);
  uint64_t number = leadingDigits(size, digits - 1 - exponent);
  if (number == kPowers[digits]) { // 9.99... became 10
    number /= 10;
    if (++exponent == digits)
      return false;
  }
  int count = digits;
  if (number % 100000000 == 0 && count > 8) {
    number /= 100000000;
    count -= 8;
  }
  for (; count > 1 && number % 10 == 0; --count)
    number /= 10;
  char *begin = out.reserve(32), *p = begin, text[24];
  char *end = std::to_chars(text, text + 24, number).ptr, *from = text;
  if (v < 0)
    *p++ = '-';
  if (exponent < 0) {
    *p++ = '0';
    *p++ = '.';
    for (int i = -1; i > exponent; --i)
      *p++ = '0';
  } else {
    for (int i = 0; i <= exponent; ++i)
      *p++ = from < end ? *from++ : '0';
    if (from < end)
      *p++ = '.';
  }
  while (from < end)
    *p++ = *from++;
  out.size += size_t(p - begin);
  return true;
}

/// Numbers with at most four digits behind the point, if they have no more than `digits` in all: as
/// whole numbers of 10^-4. Null: not one of them.
static SLUICE_INLINE char *putFloat(char *p, double v, int digits) {
  constexpr uint64_t kScale = 10000;
  double size = __builtin_fabs(v), scaled = size * double(kScale);
  if (!(scaled < double(kPowers[digits])))
    return nullptr;
  auto whole = uint64_t(size);
  uint32_t rest = 0;
  if (double(whole) != size) {
    auto number = uint64_t(scaled + 0.5);
    // Where this is the double next to that decimal, the decimal has so few digits that no other
    // one is nearer to the double.
    if (double(number) / double(kScale) != size)
      return nullptr;
    whole = number / kScale;
    rest = uint32_t(number % kScale);
  }
  if (__builtin_signbit(v))
    *p++ = '-';
  p = putWhole(p, whole);
  if (!rest)
    return p;
  *p++ = '.';
  return putFour(p, rest) - (rest % 10 ? 0 : rest % 100 ? 1 : rest % 1000 ? 2 : 3);
}

static bool printShort(TextOut &out, double v, int digits) {
  char *p = out.reserve(kNumberRoom), *end = putFloat(p, v, digits);
  out.size += end ? size_t(end - p) : 0;
  return end;
}

template <typename T> static void printReal(TextOut &out, T v, int digits) {
  if (printPlain(out, double(v), digits))
    return;
  if (v != v)
    return out.put(isNegativeNaN(v) ? "-nan" : "nan");
  char *p = out.reserve(40);
  out.size += size_t(std::to_chars(p, p + 40, v, std::chars_format::general, digits).ptr - p);
}

//===--- digits -------------------------------------------------------------===//

/// The digits with a point behind the first `whole` ones; zeros where there are none.
static void putDigits(TextOut &out, std::string_view digits, int whole) {
  int count = int(digits.size());
  if (whole <= 0) {
    out.put("0.");
    for (int i = whole; i < 0; ++i)
      out.put('0');
    return out.put(digits);
  }
  for (int i = 0; i < whole; ++i)
    out.put(i < count ? digits[size_t(i)] : '0');
  if (whole < count) {
    out.put('.');
    out.put(digits.substr(size_t(whole)));
  }
}

static void putExponent(TextOut &out, int exponent) {
  out.put(exponent < 0 ? "e-" : "e+");
  exponent = exponent < 0 ? -exponent : exponent;
  if (exponent < 10)
    out.put('0');
  printInteger(out, int64_t(exponent));
}

//===--- floats -------------------------------------------------------------===//

static FloatText floatText = FloatText::Spl;

/// That SPL writes.
template <typename T> constexpr int kDigits = sizeof(T) == 8 ? 15 : 6;

void setFloatText(FloatText text) { floatText = text; }

/// With so many digits as it takes to read the number back. False: these are not more than the
/// given ones, with which it is written as it always is.
template <typename T> static bool printShortest(TextOut &out, T v, size_t digits) {
  char text[40];
  auto *end = std::to_chars(text, text + sizeof text, v, std::chars_format::scientific).ptr;
  std::string_view all(text, size_t(end - text));
  bool isNegative = all[0] == '-';
  size_t mark = all.find('e'), first = size_t(isNegative);
  if (mark == all.npos) // inf or nan
    return false;
  if (mark > first + 1) { // the first digit in the place of the point
    text[first + 1] = text[first];
    ++first;
  }
  std::string_view significant = all.substr(first, mark - first);
  // Of numbers that are not normal, all these digits would not be zeros at the end.
  bool isNormal = v == 0 || __builtin_isnormal(v);
  if (significant.size() <= digits && isNormal)
    return false;
  bool isSmall = all[mark + 1] == '-';
  int exponent = 0;
  std::from_chars(text + mark + 2, end, exponent);
  exponent = isSmall ? -exponent : exponent;
  if (isNegative)
    out.put('-');
  if (exponent >= -4 && exponent < int(significant.size())) {
    putDigits(out, significant, exponent + 1);
  } else {
    putDigits(out, significant, 1);
    putExponent(out, exponent);
  }
  return true;
}

template <typename T> static void printFloat(TextOut &out, T v, int digits) {
  if (printShort(out, double(v), digits)) // which all kinds write so
    return;
  FloatText kind = out.floats == FloatText::Default ? floatText : out.floats;
  if (kind != FloatText::Shortest || !printShortest(out, v, size_t(digits)))
    printReal(out, v, digits);
}
void printFloat(TextOut &out, double v) { printFloat(out, v, kDigits<double>); }
void printFloat(TextOut &out, float v) { printFloat(out, v, kDigits<float>); }

/// The eight digits of a number below 100,000,000, the first one in the lowest byte: halves of four
/// digits, of two, of one. The quotients by 100 and by 10 are exact for numbers of four and of two
/// digits.
static SLUICE_INLINE uint64_t eightDigitsOf(uint32_t v) {
  uint64_t x = v / 10'000 | uint64_t(v % 10'000) << 32;
  uint64_t high = x * 10'486 >> 20 & 0x0000'007f'0000'007f;
  x = high | (x - 100 * high) << 16;
  high = x * 103 >> 10 & 0x000f'000f'000f'000f;
  return high | (x - 10 * high) << 8;
}

/// In registers: a text that is written by bytes and read by words waits for its bytes.
bool shortInteger(Kind kind, const void *value, Str *text) {
  uint64_t v = UINT64_MAX;
  withKindOf<type_class::Integral>(
      kind, [&](auto *number) { v = uint64_t(load<__remove_pointer(decltype(number))>(value)); });
  if (v >= 100'000'000)
    return false;
  const uint64_t digits = eightDigitsOf(uint32_t(v));
  const auto zeros = uint32_t(__builtin_ctzll(digits | 1ull << 56)) / 8; // before it; 0 has a digit
  storeInline(text, 8 - zeros, (digits | 0x3030'3030'3030'3030) >> 8 * zeros);
  return true;
}

char *putInteger(char *to, Kind kind, const void *value) {
  char *end = nullptr;
  withKindOf<type_class::Integral>(kind, [&](auto *number) {
    end = putSigned(to, load<__remove_pointer(decltype(number))>(value));
  });
  return end;
}

char *putNumber(char *to, Kind kind, const void *value) {
  if (kind == Kind::Boolean) {
    std::string_view text = load<uint8_t>(value) ? "true" : "false";
    return std::copy(text.begin(), text.end(), to);
  }
  char *end = nullptr;
  withNumber(kind, [&](auto *number) {
    using T = __remove_pointer(decltype(number));
    if constexpr (std::is_integral_v<T>)
      end = putSigned(to, load<T>(value));
    else
      end = putFloat(to, double(load<T>(value)), kDigits<T>);
  });
  return end;
}

//===--- decimals -----------------------------------------------------------===//

void printDecimal(TextOut &out, Kind kind, const void *value) {
  decimal::Value v = loadDecimal(kind, value);
  if (v.negative)
    out.put('-');
  if (v.cls != decimal::Class::Finite)
    return out.put(v.cls == decimal::Class::NaN ? "nan" : "inf");
  char text[40], *first = text + sizeof text;
  for (decimal::Coefficient rest = v.coefficient; rest; rest /= 10)
    *--first = char('0' + unsigned(rest % 10));
  if (!v.coefficient)
    *--first = '0';
  std::string_view digits(first, size_t(text + sizeof text - first));
  int exponent = v.exponent + int(digits.size()) - 1;
  if (exponent >= -4 && exponent < int(decimal::formatOf(8 * infoOf(kind).size).digits))
    return putDigits(out, digits, v.coefficient || v.exponent < 0 ? exponent + 1 : 1);
  putDigits(out, digits, 1);
  putExponent(out, exponent);
}

} // namespace sluice
