//===- Calendar.h - days and dates ------------------------------*- C++ -*-===//
//
// The Gregorian calendar, before its introduction as well. Months count from 0, days of a month
// from 1, days from 1970. Years are astronomical: 0 is the year before 1. They may be any, where
// those of <chrono> have 16 bits: it is asked about the same year of a cycle of 400 years.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <chrono>
#include <cstdint>

namespace sluice {

constexpr int64_t kDay = 86400;        // seconds
constexpr int64_t kCycleYears = 400;   // after which all days of the week return as well
constexpr int64_t kCycleDays = 146097; // of 400 years
constexpr int64_t kCycle = kCycleDays * kDay;

constexpr int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a ^ b) < 0); }

/// The month of a year from 0 to 399 that is like this one. `month`: 0 to 11.
constexpr std::chrono::year_month monthLike(int64_t year, int month) {
  return std::chrono::year(int(year - kCycleYears * floorDiv(year, kCycleYears))) /
         std::chrono::month(unsigned(month) + 1);
}

constexpr bool isLeapYear(int64_t year) { return monthLike(year, 0).year().is_leap(); }
constexpr int daysOfMonth(int64_t year, int month) {
  return int(unsigned((monthLike(year, month) / std::chrono::last).day()));
}

/// `day` may be outside of the month.
constexpr int64_t daysOf(int64_t year, int month, int day) {
  std::chrono::local_days first{monthLike(year, month) / 1};
  return floorDiv(year, kCycleYears) * kCycleDays + first.time_since_epoch().count() + day - 1;
}

struct Date {
  int64_t year;
  int month, day;
};

constexpr Date dateOf(int64_t days) {
  int64_t cycle = floorDiv(days, kCycleDays);
  std::chrono::days inCycle(int(days - cycle * kCycleDays));
  std::chrono::year_month_day date{std::chrono::local_days(inCycle)};
  return {int(date.year()) + kCycleYears * cycle, int(unsigned(date.month())) - 1,
          int(unsigned(date.day()))};
}

/// Sunday is 0.
constexpr int weekdayOf(int64_t days) {
  std::chrono::days inCycle(int(days - floorDiv(days, kCycleDays) * kCycleDays));
  return int(std::chrono::weekday(std::chrono::local_days(inCycle)).c_encoding());
}

} // namespace sluice
