//===- Calendar.h - days and dates ------------------------------*- C++ -*-===//
//
// The Gregorian calendar, before its introduction as well. Months count from 0, days of a month
// from 1, days from 1970. Years are astronomical: 0 is the year before 1.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

constexpr int64_t kDay = 86400;           // seconds
constexpr int64_t kCycle = 146097 * kDay; // 400 years; all days of the week return as well

constexpr int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a ^ b) < 0); }

constexpr bool isLeapYear(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
constexpr int daysOfMonth(int64_t year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month] + (month == 1 && isLeapYear(year));
}

// Both count years from March on, so that the leap day is the last one.

constexpr int64_t daysOf(int64_t year, int month, int day) {
  year -= month < 2;
  int64_t century = floorDiv(year, 100), months = (month + 10) % 12;
  return floorDiv(1461 * (year - 100 * century), 4) + floorDiv(146097 * century, 4) +
         (153 * months + 2) / 5 + day - 1 - 719468;
}

struct Date {
  int64_t year;
  int month, day;
};

constexpr Date dateOf(int64_t days) {
  days += 719468;
  int64_t cycle = floorDiv(days, 146097), day = days - cycle * 146097;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= 365 * year + year / 4 - year / 100;
  int64_t months = (5 * day + 2) / 153;
  int month = int(months + 2) % 12;
  return {year + 400 * cycle + (month < 2), month, int(day - (153 * months + 2) / 5) + 1};
}

/// Sunday is 0.
constexpr int weekdayOf(int64_t days) { return int((days % 7 + 11) % 7); }

} // namespace sluice
