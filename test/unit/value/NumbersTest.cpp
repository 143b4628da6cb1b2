//===- NumbersTest.cpp - decimals, complex numbers, optionals ---*- C++ -*-===//
#include "value/Numbers.h"
#include "Functions.h"
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {

const TypeDesc decimal32 = scalar(Kind::Decimal32), decimal64 = scalar(Kind::Decimal64),
               decimal128 = scalar(Kind::Decimal128), complex64 = scalar(Kind::Complex64);

template <typename D> D parsed(const TypeDesc &type, std::string_view from) {
  D d = {};
  World world;
  EXPECT_EQ(parseAll(from.data(), from.data() + from.size(), &type, &d, world.arena), 0) << from;
  return d;
}
Decimal64 d64(std::string_view from) { return parsed<Decimal64>(decimal64, from); }
std::string shown(Decimal64 d) { return text(&decimal64, &d); }

std::string throughText(const TypeDesc &type, std::string_view from) {
  Decimal128 d = {};
  World world;
  if (parseAll(from.data(), from.data() + from.size(), &type, &d, world.arena))
    return "refused";
  return text(&type, &d);
}

TEST(Decimals, KeepTheirDigits) {
  for (auto number : {"0", "7.50", "-5.00", "1234567890123456", "0.0001", "1e-05", "1.23e+20",
                      "9.999999999999999e+384", "1e-398", "1e+369", "-1.5e-07"})
    EXPECT_EQ(throughText(decimal64, number), number);
  EXPECT_EQ(throughText(decimal128, "1234567890123456789012345678901234"),
            "1234567890123456789012345678901234");
}

TEST(Decimals, TextIsRoundedHalfUp) {
  EXPECT_EQ(throughText(decimal32, "12345678"), "1.234568e+07");
  EXPECT_EQ(throughText(decimal32, "1234567.5"), "1234568");
  EXPECT_EQ(throughText(decimal32, "1234566.5"), "1234567");
  EXPECT_EQ(throughText(decimal32, "1234566.499999"), "1234566");
  EXPECT_EQ(throughText(decimal32, "9999999.5"), "1.000000e+07");
  EXPECT_EQ(throughText(decimal32, "000000000000000000001.50"), "1.50");
  // Below the least exponent the last digits go, once.
  EXPECT_EQ(throughText(decimal32, "1.5e-101"), "2e-101");
  EXPECT_EQ(throughText(decimal32, "2.5e-101"), "3e-101");
  EXPECT_EQ(throughText(decimal32, "2.4999e-101"), "2e-101");
  EXPECT_EQ(throughText(decimal32, "4e-102"), "0"); // all bytes are zero
  EXPECT_EQ(throughText(decimal32, "1e-1000"), "0");
}

TEST(Decimals, TextThatIsNone) {
  for (auto text : {"", ".", "-", "1e", "e5", "0x10", "1.5.2", "nan", "inf", "1d", "1e97", "1 2"})
    EXPECT_EQ(throughText(decimal32, text), "refused") << text;
  EXPECT_EQ(throughText(decimal32, "9.9999995e96"), "refused");
  EXPECT_EQ(throughText(decimal32, " +.5 "), "0.5");
  EXPECT_EQ(throughText(decimal32, "5."), "5");
}

TEST(Decimals, AllZeroBytesAreZero) {
  Decimal64 zero = {};
  EXPECT_EQ(shown(zero), "0");
  EXPECT_EQ(shown(zero + d64("1.50")), "1.50");
  EXPECT_EQ(shown(zero * d64("1.5")), "0.0");
  EXPECT_EQ(shown(-zero), "-0");
  EXPECT_TRUE(sl_equal(&decimal64, &zero, std::array{d64("0.00")}.data()));
}

TEST(Decimals, EncodingIsThatOfTheLibrary) {
  EXPECT_EQ(d64("1").bits, 0x31c0000000000001u);
  EXPECT_EQ(d64("-1.50").bits, 0xb180000000000096u);
  EXPECT_EQ(d64("9999999999999999").bits, 0x6c7386f26fc0ffffu); // a large coefficient
  EXPECT_EQ(parsed<Decimal32>(decimal32, "9999999").bits, 0x6cb8967fu);
  EXPECT_EQ((d64("1") / Decimal64{}).bits, 0x7800000000000000u);
}

TEST(Decimals, EqualOnesHaveOneOrderAndOneHash) {
  const char *ascending[] = {"-1e300", "-2.5", "-2.49", "-1e-390", "0",       "1e-398", "1e-397",
                             "0.1",    "0.99", "1",     "1.5",     "2.25e10", "9e384"};
  for (size_t i = 0; i < std::size(ascending); ++i)
    for (size_t j = 0; j < std::size(ascending); ++j) {
      Decimal64 a = d64(ascending[i]), b = d64(ascending[j]);
      EXPECT_EQ(sl_compare(&decimal64, &a, &b), i < j ? -1 : i > j) << ascending[i] << ascending[j];
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    auto n = int64_t(random() % 1000000) - 500000;
    std::string plain = std::to_string(n), longer = plain + ".000";
    Decimal64 a = d64(plain), b = d64(longer);
    EXPECT_TRUE(sl_equal(&decimal64, &a, &b)) << plain;
    EXPECT_EQ(sl_hash(&decimal64, &a), sl_hash(&decimal64, &b)) << plain;
  }
}

TEST(Decimals, NaNIsBehindAllAndBesideNothing) {
  Decimal64 nan = d64("0") / d64("0"), one = d64("1");
  EXPECT_FALSE(sl_equal(&decimal64, &nan, &nan));
  EXPECT_EQ(sl_compare(&decimal64, &nan, &one), 1);
  EXPECT_EQ(sl_compare(&decimal64, &nan, &nan), 0);
  EXPECT_FALSE(sl_decimal_less(&decimal64, &one, &nan, true));
  EXPECT_TRUE(sl_decimal_less(&decimal64, &one, &one, true));
  EXPECT_FALSE(sl_decimal_less(&decimal64, &one, &one, false));
}

TEST(Decimals, FloatsAndBack) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    auto x = double(int64_t(random())) / double(random() % 100000 + 1);
    EXPECT_EQ(toReal<double>(toDecimal<Decimal128>(x)), x);
    char digits[32]; // those of printf, which are the nearest ones to the exact value
    snprintf(digits, sizeof digits, "%.15e", x);
    EXPECT_EQ(toReal<double>(toDecimal<Decimal64>(x)), strtod(digits, nullptr)) << digits;
  }
}

template <typename To, typename From>
To castTo(const TypeDesc &to, const TypeDesc &from, From value) {
  World world;
  To result = {};
  EXPECT_EQ(sl_cast(&world.ctx, &to, &result, &from, &value), 0);
  return result;
}

TEST(Decimals, CastsSaturate) {
  auto to8 = [](const char *n) { return castTo<int8_t>(int8, decimal64, d64(n)); };
  EXPECT_EQ(to8("-7.9"), -7);
  EXPECT_EQ(to8("127.99"), 127);
  EXPECT_EQ(to8("128"), 127);
  EXPECT_EQ(to8("-1e300"), -128);
  EXPECT_EQ(to8("1e-300"), 0);
  auto toU64 = [](const char *n) { return castTo<uint64_t>(uint64, decimal64, d64(n)); };
  EXPECT_EQ(toU64("1e19"), 10000000000000000000u);
  EXPECT_EQ(toU64("1e20"), ~uint64_t(0));
  EXPECT_EQ(toU64("-1"), 0u);
  EXPECT_EQ(castTo<int64_t>(int64, decimal64, d64("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(castTo<double>(float64, decimal64, d64("0.1")), 0.1);
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, float64, 0.1)), "0.1000000000000000");
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, float64, -2.5)), "-2.5");
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, float64, 1e22)), "1.000000000000000e+22");
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, float64, -0.0)), "-0");
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, float64, double(INFINITY))), "inf");
  EXPECT_EQ(castTo<float>(float32, decimal64, d64("33.15")), 33.15f);
  EXPECT_EQ(castTo<double>(float64, decimal64, d64("-9e384")), -INFINITY);
  EXPECT_EQ(castTo<double>(float64, decimal64, d64("1e-390")), 0.0);
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, uint64, ~uint64_t(0))), "1.844674407370955e+19");
  EXPECT_EQ(shown(castTo<Decimal64>(decimal64, int64, INT64_MIN)), "-9.223372036854776e+18");
}

TEST(Complex, DivisionDoesNotOverflow) {
  Complex64 a = {1e300, 1e300}, b = {2e300, 2e300};
  Complex64 q = a / b;
  EXPECT_EQ(q.re, 0.5);
  EXPECT_EQ(q.im, 0.0);
  EXPECT_EQ(text(&complex64, &a), "(1e+300,1e+300)");
}

TEST(Complex, ZerosOfBothSignsAreEqual) {
  Complex64 a = {0.0, -0.0}, b = {-0.0, 0.0}, nan = {NAN, 0.0};
  EXPECT_TRUE(sl_equal(&complex64, &a, &b));
  EXPECT_EQ(sl_hash(&complex64, &a), sl_hash(&complex64, &b));
  EXPECT_FALSE(sl_equal(&complex64, &nan, &nan));
}

TEST(Optional, IsItsValueOrNull) {
  OptionalType type(&rstring);
  const TypeDesc &optional = type.desc;
  World world;
  for (std::string_view written : {"null", "\"\"", "\"a text that is not inline\""}) {
    char value[32] = {};
    const char *from = written.data(), *end = from + written.size();
    EXPECT_EQ(parseAll(from, end, &optional, value, world.arena), 0);
    EXPECT_EQ(text(&optional, value), written);
  }
  char absent[32] = {}, empty[32] = {1};
  EXPECT_FALSE(sl_equal(&optional, absent, empty));
  EXPECT_EQ(sl_compare(&optional, absent, empty), -1);
}

} // namespace
