//===- TimeFunctionsTest.cpp - spl.time -------------------------*- C++ -*-===//
#include "Functions.h"
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Time : testing::Test {
  World w;
  TupleType tm{{{"sec", &int32},
                {"min", &int32},
                {"hour", &int32},
                {"mday", &int32},
                {"mon", &int32},
                {"year", &int32},
                {"wday", &int32},
                {"yday", &int32},
                {"isdst", &int32},
                {"gmtoff", &int32},
                {"zone", &rstring}}};
  alignas(8) char fields[64] = {};
  Timestamp r;

  ~Time() override { sl_destroy(w, tm, fields); }
  std::string show(int32_t failed = 0) { return failed ? "throws" : text(&timestamp, &r); }
  Timestamp t(int64_t seconds, uint32_t nanos, int32_t machine = 0) {
    Timestamp v;
    sl_createTimestamp_lji(w, &v, seconds, nanos, machine);
    return v;
  }
  std::string fromTexts(const char *date, const char *time, const char *zone) {
    Str d = str(date), h = str(time), z = str(zone);
    return show(sl_timeStringToTimestamp_rrrb(w, &r, &d, &h, &z, 0));
  }
  std::string fromFormat(uint32_t format, const char *text, const char *zone = "UTC") {
    Str s = str(text), z = str(zone);
    return show(sl_toTimestamp_Urr(w, &r, format, &s, &z));
  }
};

TEST_F(Time, Arithmetic) {
  r = t(100, 1500000000, 7);
  EXPECT_EQ(show(), "(101,500000000,7)");
  Timestamp a = t(100, 900000000), b = t(100, 5);
  sl_add_Td(w, &r, &a, 0.2);
  EXPECT_EQ(show(), "(101,100000000,0)");
  sl_add_Td(w, &r, &b, -0.25);
  EXPECT_EQ(show(), "(99,750000005,0)");
  sl_add_Tl(w, &r, &b, -10);
  EXPECT_EQ(show(), "(99,999999995,0)");
  Timestamp c = t(98, 750000000), e = t(100, 500000000), f = t(99, 10);
  double secs;
  sl_diffAsSecs_TT(w, &secs, &e, &c);
  EXPECT_EQ(secs, 1.75);
  int64_t nanos;
  sl_diffAsNanos_TT(w, &nanos, &f, &b);
  EXPECT_EQ(nanos, -999999995);
}

TEST_F(Time, BeyondTheFirstAndTheLast) {
  constexpr int64_t kMost = INT64_MAX, kLeast = INT64_MIN;
  const std::string first = "(-9223372036854775808,0,0)",
                    last = "(9223372036854775807,999999999,0)";
  Timestamp least = t(kLeast, 0), most = t(kMost, 5), zero = t(0, 7);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const Timestamp *from : {&least, &most, &zero})
    for (double seconds : {1e300, kInf, 0x1p70}) {
      sl_add_Td(w, &r, from, seconds);
      EXPECT_EQ(show(), last);
      sl_add_Td(w, &r, from, -seconds);
      EXPECT_EQ(show(), first);
    }
  sl_add_Td(w, &r, &zero, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(show(), "(0,7,0)");
  sl_add_Td(w, &r, &most, 1);
  EXPECT_EQ(show(), last);
  sl_add_Td(w, &r, &least, 0x1p64); // exact where the sum is in range
  EXPECT_EQ(show(), last);
  sl_add_Td(w, &r, &least, 0x1p63);
  EXPECT_EQ(show(), "(0,0,0)");
  sl_add_Tl(w, &r, &most, kMost);
  EXPECT_EQ(show(), last);
  sl_add_Tl(w, &r, &least, kLeast);
  EXPECT_EQ(show(), first);
  r = t(kMost, 4000000000u);
  EXPECT_EQ(show(), last);
  int64_t nanos;
  sl_diffAsNanos_TT(w, &nanos, &most, &least);
  EXPECT_EQ(nanos, kMost);
  sl_diffAsNanos_TT(w, &nanos, &least, &most);
  EXPECT_EQ(nanos, kLeast);
  double secs;
  sl_diffAsSecs_TT(w, &secs, &most, &least);
  EXPECT_EQ(secs, 0x1p64);
  sl_diffAsSecs_TT(w, &secs, &least, &most);
  EXPECT_EQ(secs, -0x1p64);
  for (double seconds : {1e300, kInf, -1e300, -kInf, 0x1p63}) {
    ASSERT_EQ(sl_cast(w, &timestamp, &r, &float64, &seconds), 0);
    EXPECT_EQ(show(), seconds < 0 ? first : last);
  }
  double none = std::numeric_limits<double>::quiet_NaN();
  ASSERT_EQ(sl_cast(w, &timestamp, &r, &float64, &none), 0);
  EXPECT_EQ(show(), "(0,0,0)");
}

TEST_F(Time, Fields) {
  Timestamp leap = t(951782400, 0), some = t(1500000000, 5);
  uint32_t v;
  sl_gmyear_T(w, &v, &leap);
  EXPECT_EQ(v, 2000u);
  sl_gmdayOfYear_T(w, &v, &leap);
  EXPECT_EQ(v, 59u);
  sl_gmtime_TU(w, &some, fields);
  EXPECT_EQ(
      text(tm, fields),
      "{sec=0,min=40,hour=2,mday=14,mon=6,year=117,wday=5,yday=194,isdst=0,gmtoff=0,zone=\"GMT\"}");
  sl_toTimestamp_Ub(w, &r, fields, 0);
  EXPECT_EQ(show(), "(1500000000,0,0)");
  Str format = str("%Y-%m-%dT%H:%M:%S %j %U %a %B %%"), s;
  sl_strftime_Ur(w, &s, fields, &format);
  EXPECT_EQ(viewOf(s), "2017-07-14T02:40:00 195 28 Fri July %");
  format = str("");
  sl_strftime_Ur(w, &s, fields, &format);
  EXPECT_EQ(viewOf(s), "");
  uint32_t used;
  s = str("2017-07-14 xx");
  format = str("%Y-%m-%d");
  sl_strptime_rrUj(w, &s, &format, fields, &used);
  EXPECT_EQ(used, 10u);
  s = str("nonsense");
  sl_strptime_rrUj(w, &s, &format, fields, &used);
  EXPECT_EQ(used, 0u);
  int32_t isSummer;
  memcpy(&isSummer, fields + 8 * sizeof(int32_t), sizeof isSummer);
  EXPECT_EQ(isSummer, -1);
  Str zone = str("EST5EDT,M3.2.0,M11.1.0");
  sl_time_TrU(w, &some, &zone, fields);
  EXPECT_NE(text(tm, fields).find("hour=22"), std::string::npos);
  EXPECT_NE(text(tm, fields).find("isdst=1,gmtoff=-14400"), std::string::npos);
}

TEST_F(Time, FieldsInAZone) {
  auto at = [&](int month, int hour, int isSummer, int offset, const char *zone) {
    Str name = str(zone);
    struct {
      int32_t sec, min, hour, mday, mon, year, wday, yday, isdst, gmtoff;
      Str zone;
    } fields = {0, 0, hour, 10, month, 124, 0, 0, isSummer, offset, name};
    return show(sl_toTimestamp_Ub(w, &r, &fields, 0));
  };
  constexpr const char *ny = "EST5EDT,M3.2.0,M11.1.0";
  EXPECT_EQ(at(6, 12, -1, 0, ny), "(1720627200,0,0)");
  EXPECT_EQ(at(6, 12, 1, 0, ny), "(1720627200,0,0)");
  EXPECT_EQ(at(6, 12, 0, 0, ny), "(1720630800,0,0)"); // as if it were winter
  EXPECT_EQ(at(0, 12, 1, 0, ny), "(1704902400,0,0)");
  EXPECT_EQ(at(0, 12, 1, 0, "<+03>-3"), "(1704877200,0,0)");  // where it is never summer
  EXPECT_EQ(at(6, 12, -1, 7200, "CEST"), "(1720605600,0,0)"); // as time() writes it
  EXPECT_EQ(at(6, 12, -1, 20700, "+0545"), "(1720592100,0,0)");
  EXPECT_EQ(at(6, 12, -1, 7200, "GMT"), "(1720605600,0,0)");
  EXPECT_EQ(at(6, 12, -1, 0, "CEST"), "throws");
  EXPECT_EQ(at(6, 12, -1, 7200, "Nowhere/Land"), "throws");
}

TEST_F(Time, Texts) {
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.123", "UTC"), "(1500000000,123000000,0)");
  EXPECT_EQ(fromTexts("14/jul/2017", "02:40:00.123", "GMT+1"), "(1500003600,123000000,0)");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.0", "UTC"), "(1500000000,0,0)");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.05", "UTC"), "(1500000000,50000000,0)");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.999999999", "UTC"), "(1500000000,999999999,0)");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.123", "Nowhere/Land"), "throws");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.123", "EST5,junk"), "throws");
  EXPECT_EQ(fromTexts("14-JUL-2017", "02:40:00.123", "../../etc/passwd"), "throws");
  for (auto [date, time] :
       std::vector<std::pair<const char *, const char *>>{{"14-JUL-2017", "02:40:00"},
                                                          {"14-JUL-2017", "02:40:00."},
                                                          {"14-JUL-2017", "02:40:00.1234567890"},
                                                          {"14-JUL-2017", "02:40:00.12x"},
                                                          {"14-07-2017", "02:40:00.123"},
                                                          {"14-XXX-2017", "02:40:00.123"},
                                                          {"14-JUL-2017", "abc"},
                                                          {"", ""},
                                                          {"4-JUL-2017", "2:4:0.000"},
                                                          {"32-JUL-2017", "02:40:00.123"},
                                                          {"00-JUL-2017", "02:40:00.123"},
                                                          {"29-FEB-1900", "02:40:00.123"},
                                                          {"14-JUL-2017", "24:00:00.000"},
                                                          {"14-JUL-2017", "23:60:00.000"},
                                                          {"14-JUL-2017", "23:00:60.000"},
                                                          {"14-JUL-17", "02:40:00.123"}})
    EXPECT_EQ(fromTexts(date, time, "UTC"), "throws") << date << ' ' << time;
}

TEST_F(Time, Formats) {
  EXPECT_EQ(fromFormat(0, "20170714024000"), "(1500000000,0,0)");
  EXPECT_EQ(fromFormat(0, "2017071402"), "throws");
  EXPECT_EQ(fromFormat(0, "2017x714024000"), "throws");
  EXPECT_EQ(fromFormat(1, "2017/07/14T02:40:00"), "(1500000000,0,0)");
  EXPECT_EQ(fromFormat(1, "2017-07-14 02:40:00.5"), "throws");
  EXPECT_EQ(fromFormat(2, "07-14-2017 02:40:00"), "(1500000000,0,0)");
  EXPECT_EQ(fromFormat(4, "2017-07-14 02:40:00.123"), "(1500000000,123000000,0)");
  EXPECT_EQ(fromFormat(4, "2017-07-14 02:40:00.5"), "throws");
  EXPECT_EQ(fromFormat(6, "14-07-2017 02:40:00.123"), "(1500000000,123000000,0)");
  EXPECT_EQ(fromFormat(1, "2017-07-14 02:40:00", "GMT+02:00"), "(1500007200,0,0)");
  EXPECT_EQ(fromFormat(1, "1969-12-31 23:59:58"), "(-2,0,0)");
}

TEST_F(Time, RefusesTimesThatAreNone) {
  EXPECT_EQ(fromFormat(1, "2016-02-29 00:00:00"), "(1456704000,0,0)");
  EXPECT_EQ(fromFormat(1, "2000-02-29 00:00:00"), "(951782400,0,0)");
  EXPECT_EQ(fromFormat(1, "2016-12-31 23:59:60"), "(1483228800,0,0)"); // a leap second
  for (auto [format, text] :
       std::vector<std::pair<int, const char *>>{{0, "20171314024000"},
                                                 {0, "20170014024000"},
                                                 {0, "20170431024000"},
                                                 {1, "2024-13-45 00:00:00"},
                                                 {1, "2024-02-30 00:00:00"},
                                                 {1, "2017-02-29 00:00:00"},
                                                 {1, "1900-02-29 00:00:00"},
                                                 {1, "2017-07-00 00:00:00"},
                                                 {1, "2017-07-14 24:00:00"},
                                                 {1, "2017-07-14 00:60:00"},
                                                 {1, "2017-07-14 00:00:60"},
                                                 {1, "2017-07-14 23:59:61"},
                                                 {2, "14-07-2017 02:40:00"},
                                                 {3, "07-14-2017 02:40:00"},
                                                 {4, "2017-06-31 02:40:00.123"},
                                                 {5, "14-07-2017 02:40:00.123"},
                                                 {6, "07-14-2017 02:40:00.123"}})
    EXPECT_EQ(fromFormat(format, text), "throws") << format << ' ' << text;
}

} // namespace
