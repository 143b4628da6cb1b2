//===- ZoneTest.cpp - zones beside those of the C library -----------------===//
#include "stdlib/native/time/Zone.h"
#include "stdlib/native/time/ZoneNames.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

namespace {

/// The C library's zone while it lives.
struct LibraryZone {
  explicit LibraryZone(const char *name) {
    if (const char *now = getenv("TZ"))
      old = now;
    setenv("TZ", name, 1);
    tzset();
  }
  ~LibraryZone() {
    if (old)
      setenv("TZ", old->c_str(), 1);
    else
      unsetenv("TZ");
    tzset();
  }
  std::optional<std::string> old;
};

std::string shown(const tm &t) {
  char text[128];
  snprintf(text, sizeof text, "%d-%d-%d %d:%d:%d wday %d yday %d isdst %d gmtoff %ld %s",
           t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday,
           t.tm_yday, t.tm_isdst, t.tm_gmtoff, t.tm_zone);
  return text;
}

tm libraryFields(time_t seconds) {
  tm t = {};
  localtime_r(&seconds, &t);
  return t;
}

bool showsWall(int64_t seconds, int64_t wall) {
  return wallSeconds(libraryFields(seconds)) == wall;
}

/// Each other wall time that the library may find is one of two, or of none.
void compareWall(const Zone &zone, const char *name, int64_t wall) {
  tm t = Zone::utc().fields(wall);
  t.tm_isdst = -1;
  int64_t ours = zone.seconds(wall), theirs = mktime(&t);
  if (ours == theirs)
    return;
  if (showsWall(theirs, wall))
    EXPECT_TRUE(showsWall(ours, wall) && ours < theirs) << name << ' ' << wall;
  else
    EXPECT_FALSE(showsWall(ours, wall)) << name << ' ' << wall;
}

void compare(const char *name, int64_t from, int64_t to) {
  SCOPED_TRACE(name);
  const Zone *zone = Zone::find(name);
  ASSERT_TRUE(zone);
  LibraryZone library(name);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> any(from, to);
  for (int i = 0; i < 2000; ++i) {
    int64_t seconds = any(random);
    ASSERT_EQ(shown(zone->fields(seconds)), shown(libraryFields(seconds))) << seconds;
    compareWall(*zone, name, seconds);
  }
  // Around the changes of some years, by the quarter of an hour.
  for (int64_t day = 19723; day < 19723 + 366; ++day) // 2024
    for (int quarter = 0; quarter < 96; ++quarter) {
      int64_t seconds = day * kDay + quarter * 900;
      ASSERT_EQ(shown(zone->fields(seconds)), shown(libraryFields(seconds))) << seconds;
      compareWall(*zone, name, seconds);
    }
}

constexpr int64_t kYear = 31556952;

TEST(Zone, OfFilesAreThoseOfTheLibrary) {
  if (!Zone::fromFile((zoneFolder() / "Europe/Berlin").string()))
    GTEST_SKIP() << "no zone files";
  for (const char *name : {"Europe/Berlin",
                           "Europe/Dublin",
                           "America/New_York",
                           "Australia/Lord_Howe",
                           "Asia/Kolkata",
                           "Asia/Kathmandu",
                           "Pacific/Apia",
                           "Pacific/Chatham",
                           "America/Sao_Paulo",
                           "Africa/Casablanca",
                           "America/St_Johns",
                           "Antarctica/Troll",
                           "Asia/Manila",
                           "America/Juneau",
                           "Africa/Monrovia",
                           "America/Argentina/Ushuaia",
                           "Australia/Sydney",
                           "America/Port-au-Prince",
                           "Pacific/Kiritimati",
                           "Etc/GMT+5",
                           "Asia/Gaza",
                           "America/Godthab",
                           "UTC",
                           "GMT"}) {
    if (!Zone::fromFile((zoneFolder() / name).string()))
      continue; // names come and go
    compare(name, -100 * kYear, 130 * kYear);
    compare(name, 60 * kYear, 5000 * kYear); // by the rule behind the table
  }
}

TEST(Zone, OfRulesAreThoseOfTheLibrary) {
  for (const char *name :
       {"", "XYZ5", "EST5EDT,M3.2.0,M11.1.0", "<+03>-3", "GMT+02:00", "CET-1CEST,M3.5.0,M10.5.0/3",
        "AAA-13BBB-13:30,M10.1.0,M3.3.0/3", "AAA3BBB,J60/3,J300", "AAA3BBB,59,300/1:30",
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"})
    compare(name, 0, 5000 * kYear);
}

TEST(Zone, SaysHowTimesCountThatClocksLeaveOutOrShowTwice) {
  const Zone *zone = Zone::find("EST5EDT,M3.2.0,M11.1.0");
  auto at = [&](int month, int day, int hour, int isSummer = -1) {
    return zone->seconds(daysOf(2024, month, day) * kDay + hour * 3600 + 1800, isSummer);
  };
  EXPECT_EQ(at(2, 10, 2), 1710055800); // 3:30 in summer
  EXPECT_EQ(at(2, 10, 2, 0), 1710055800);
  EXPECT_EQ(at(2, 10, 2, 1), 1710052200); // 1:30 in winter
  EXPECT_EQ(at(10, 3, 1), 1730611800);    // still in summer
  EXPECT_EQ(at(10, 3, 1, 1), 1730611800);
  EXPECT_EQ(at(10, 3, 1, 0), 1730615400);
  zone = Zone::find("XXX3EDT4,0/0,J365/23"); // summer all the year
  ASSERT_TRUE(zone);
  for (int64_t seconds : {int64_t(0), 50 * kYear, 54 * 365 * kDay, -50 * kYear}) {
    EXPECT_EQ(zone->offsetAt(seconds), -4 * 3600);
    EXPECT_EQ(zone->seconds(seconds), seconds + 4 * 3600);
  }
}

TEST(Zone, AreNotWhatNamesNothing) {
  for (const char *name :
       {"Nowhere/Land", "Berlin", "MEZ", "utc", "+02:00", "EST", "EST5,", "EST5EDT,",
        "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0x", "EST25", "ES5",
        "<ES5", "EST5EDT,J0,J100", "/etc/passwd", "..", ":", "tzdata.zi"})
    if (!Zone::fromFile((zoneFolder() / name).string())) // EST is a file
      EXPECT_EQ(std::string_view(name) == ":", Zone::find(name) != nullptr) << name;
  EXPECT_FALSE(Zone::find(std::string_view("UTC\0x", 5)));
}

/// Names come with data: those used last are kept, and others are found again.
TEST(Zone, ThereMayBeManyOf) {
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 1500; ++i) {
      std::string name = "Z" + std::string(1, char('a' + i % 26)) + char('a' + i / 26 % 26) +
                         char('a' + i / 676) + std::to_string(i % 24);
      const Zone *zone = Zone::find(name);
      ASSERT_TRUE(zone) << name;
      EXPECT_EQ(zone->offsetAt(0), -(i % 24) * 3600);
    }
}

TEST(Zone, FarYears) {
  const Zone &utc = Zone::utc();
  EXPECT_EQ(utc.fields(INT64_MAX).tm_mday, 0); // no int has the year
  EXPECT_EQ(shown(utc.fields(-62135596800)), "1-1-1 0:0:0 wday 1 yday 0 isdst 0 gmtoff 0 GMT");
  for (int64_t days : {int64_t(-719529), int64_t(-719528), int64_t(0), int64_t(11016),
                       int64_t(47540), int64_t(1) << 40, -(int64_t(1) << 40)}) {
    Date date = dateOf(days);
    EXPECT_EQ(daysOf(date.year, date.month, date.day), days);
  }
  EXPECT_EQ(dateOf(11016).day, 29);                       // 29 February 2000
  EXPECT_EQ(daysOf(2100, 2, 1) - daysOf(2100, 1, 28), 1); // no leap year
  EXPECT_EQ(daysOf(1900, 2, 1) - daysOf(1900, 1, 28), 1);
}

} // namespace
