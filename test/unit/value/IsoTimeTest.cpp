//===- IsoTimeTest.cpp - sluice.time ----------------------------*- C++ -*-===//
#include "Functions.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

constexpr const char *kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";

struct IsoTime : testing::Test {
  World w;
  Timestamp t;

  std::string shown(int32_t failed) { return failed ? "throws" : text(&timestamp, &t); }
  std::string parsed(std::string_view text) {
    Str s = str(text);
    return shown(sl_parseIso8601_r(w, &t, &s));
  }
  std::string parsed(std::string_view text, const char *zone) {
    Str s = str(text), z = str(zone);
    return shown(sl_parseIso8601_rr(w, &t, &s, &z));
  }
  std::string formatted(Timestamp time) {
    Str s;
    return sl_formatIso8601_T(w, &s, &time) ? "throws" : std::string(viewOf(s));
  }
  std::string formatted(Timestamp time, const char *zone) {
    Str s, z = str(zone);
    return sl_formatIso8601_Tr(w, &s, &time, &z) ? "throws" : std::string(viewOf(s));
  }
  std::string formatted(Timestamp time, std::string_view format, const char *zone) {
    Str s, f = str(format), z = str(zone);
    return sl_formatTime_Trr(w, &s, &time, &f, &z) ? "throws" : std::string(viewOf(s));
  }
};

TEST_F(IsoTime, Reads) {
  EXPECT_EQ(parsed("2024-05-01T10:20:30.123Z"), "(1714558830,123000000,0)");
  EXPECT_EQ(parsed("2024-05-01T10:20:30"), "(1714558830,0,0)");
  EXPECT_EQ(parsed("2024-05-01T10:20"), "(1714558800,0,0)");
  EXPECT_EQ(parsed("2024-05-01"), "(1714521600,0,0)");
  for (const char *offset : {"+02:00", "+0200", "+02"})
    EXPECT_EQ(parsed("2024-05-01T12:20:30" + std::string(offset)), "(1714558830,0,0)") << offset;
  EXPECT_EQ(parsed("2024-05-01T04:50:30.5-0530"), "(1714558830,500000000,0)");
  EXPECT_EQ(parsed("1893-04-01T00:53:28+00:53:28"), "(-2422051200,0,0)");
  EXPECT_EQ(parsed("2024-05-01T10:20:30,000000001Z"), "(1714558830,1,0)");
  EXPECT_EQ(parsed("2024-05-01T10:20:30.999999999Z"), "(1714558830,999999999,0)");
  EXPECT_EQ(parsed("2016-12-31T23:59:60Z"), "(1483228800,0,0)"); // a leap second
  EXPECT_EQ(parsed("2024-02-29"), "(1709164800,0,0)");
  EXPECT_EQ(parsed("2000-02-29"), "(951782400,0,0)");
  EXPECT_EQ(parsed("1900-03-01"), "(-2203891200,0,0)");
  EXPECT_EQ(parsed("2100-03-01"), "(4107542400,0,0)");
  EXPECT_EQ(parsed("1969-12-31T23:59:59.25Z"), "(-1,250000000,0)");
  EXPECT_EQ(parsed("0000-01-01"), "(-62167219200,0,0)");
  EXPECT_EQ(parsed("9999-12-31T23:59:59Z"), "(253402300799,0,0)");
  EXPECT_EQ(parsed("+10000-01-01"), "(253402300800,0,0)");
  EXPECT_EQ(parsed("-0001-12-31"), "(-62167305600,0,0)");
}

TEST_F(IsoTime, CountsInAZoneWithoutAnOffset) {
  EXPECT_EQ(parsed("2024-05-01T12:20:30", kBerlin), "(1714558830,0,0)");
  EXPECT_EQ(parsed("2024-05-01T10:20:30Z", kBerlin), "(1714558830,0,0)");
  EXPECT_EQ(parsed("2024-05-01", kBerlin), "(1714514400,0,0)");
  EXPECT_EQ(parsed("2024-03-31T02:30", kBerlin), "(1711848600,0,0)"); // left out
  EXPECT_EQ(parsed("2024-10-27T02:30", kBerlin), "(1729989000,0,0)"); // the first of two
  EXPECT_EQ(parsed("2024-05-01T12:00", "Nowhere/Land"), "throws");
  EXPECT_EQ(parsed("2024-05-01T12:00Z", "Nowhere/Land"), "throws");
}

TEST_F(IsoTime, Refuses) {
  for (const char *text :
       {"", "2024", "2024-05", "2024-5-1", "20240501", "2024-05-01 10:20:30", "2024-05-01T",
        "2024-05-01T10", "2024-05-01T1020", "2024-05-01T10:20:30.", "2024-05-01T10:20:30.Z",
        "2024-05-01T10:20:30.1234567890", "2024-05-01T10:20:3", "2024-05-01t10:20:30",
        "2024-05-01T10:20:30z", "2024-05-01T10:20:30 Z", " 2024-05-01", "2024-05-01 ",
        "2024-05-01T10:20:30+", "2024-05-01T10:20:30+2", "2024-05-01T10:20:30+02:0",
        "2024-05-01T10:20:30+02:", "2024-05-01T10:20:30+020", "2024-05-01T10:20:30+02:00:",
        "2024-05-01T10:20:30+02000", "2024-05-01T10:20:30ZZ", "2024-05-01Z", "2024/05/01",
        "2024-05-01T10.5", "24-05-01", "02024-05-01", "+1234567890123-01-01",
        // no such times
        "2024-13-01", "2024-00-01", "2024-04-31", "2023-02-29", "1900-02-29", "2100-02-29",
        "2024-05-00", "2024-05-01T24:00:00Z", "2024-05-01T10:60Z", "2024-05-01T10:20:60Z",
        "2024-05-01T10:59:61Z", "2024-05-01T10:20:30+24:00", "2024-05-01T10:20:30+02:60",
        "+292277026597-01-01"})
    EXPECT_EQ(parsed(text), "throws") << text;
  EXPECT_EQ(parsed(std::string_view("2024\0005-01", 10)), "throws");
  EXPECT_EQ(parsed(std::string_view("2024-05-01\0", 11)), "throws");
}

TEST_F(IsoTime, Writes) {
  EXPECT_EQ(formatted({1714558830, 123000000, 7}), "2024-05-01T10:20:30.123Z");
  EXPECT_EQ(formatted({1714558830, 0, 0}), "2024-05-01T10:20:30Z");
  EXPECT_EQ(formatted({1714558830, 1000, 0}), "2024-05-01T10:20:30.000001Z");
  EXPECT_EQ(formatted({1714558830, 999999999, 0}), "2024-05-01T10:20:30.999999999Z");
  EXPECT_EQ(formatted({1714558830, 1500000000, 0}), "2024-05-01T10:20:31.500Z");
  EXPECT_EQ(formatted({-1, 0, 0}), "1969-12-31T23:59:59Z");
  EXPECT_EQ(formatted({253402300800, 0, 0}), "+10000-01-01T00:00:00Z");
  EXPECT_EQ(formatted({-62167219201, 0, 0}), "-0001-12-31T23:59:59Z");
  EXPECT_EQ(formatted({1714558830, 0, 0}, kBerlin), "2024-05-01T12:20:30+02:00");
  EXPECT_EQ(formatted({1706696430, 0, 0}, kBerlin), "2024-01-31T11:20:30+01:00");
  EXPECT_EQ(formatted({1714558830, 0, 0}, "UTC"), "2024-05-01T10:20:30+00:00");
  EXPECT_EQ(formatted({1714558830, 0, 0}, "<-0330>3:30"), "2024-05-01T06:50:30-03:30");
  EXPECT_EQ(formatted({0, 0, 0}, "LMT-0:53:28"), "1970-01-01T00:53:28+00:53:28");
  EXPECT_EQ(formatted({0, 0, 0}, "Berlin"), "throws");
}

TEST_F(IsoTime, ReadsWhatItWrites) {
  uint64_t state = 1;
  auto random = [&] { return state = state * 6364136223846793005 + 1442695040888963407; };
  for (int shift = 1; shift < 64; ++shift)
    for (int i = 0; i < 50; ++i) {
      Timestamp time = {int64_t(random()) >> shift, uint32_t((random() >> 32) % 1000000000), 0};
      std::string said = text(&timestamp, &time);
      EXPECT_EQ(parsed(formatted(time)), said) << formatted(time);
      if (shift > 1)
        EXPECT_EQ(parsed(formatted(time, kBerlin)), said) << formatted(time, kBerlin);
    }
  for (Timestamp time : {Timestamp{INT64_MAX, 999999999, 0}, Timestamp{INT64_MIN, 0, 0}})
    EXPECT_EQ(parsed(formatted(time)), text(&timestamp, &time)) << formatted(time);
}

TEST_F(IsoTime, WritesInAFormat) {
  Timestamp time = {1714558830, 123456789, 0};
  EXPECT_EQ(formatted(time, "%d.%m.%Y %H:%M:%S %Z %z", kBerlin), "01.05.2024 12:20:30 CEST +0200");
  EXPECT_EQ(formatted(time, "%f %1f %3f %6f %9f", "UTC"), "123456 1 123 123456 123456789");
  EXPECT_EQ(formatted({1714558830, 1000000, 0}, "%S.%3f", "UTC"), "30.001");
  EXPECT_EQ(formatted(time, "%%f %%3f %", "UTC"), "%f %3f %");
  EXPECT_EQ(formatted(time, "%s", kBerlin), "1714558830");
  EXPECT_EQ(formatted(time, "", "UTC"), "");
  EXPECT_EQ(formatted(time, std::string(5000, 'x') + "%Y", "UTC"), std::string(5000, 'x') + "2024");
  EXPECT_EQ(formatted(time, "%Y", "Nowhere/Land"), "throws");
}

} // namespace
