//===- PosixZone.h - zones that are written as rules ------------*- C++ -*-===//
//
// `CET-1CEST,M3.5.0,M10.5.0/3`: names, offsets (west of Greenwich is positive) and when clocks
// change in each year, as POSIX has them for TZ and as they end zone files (RFC 8536, with its
// hours from -167 to 167).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/time/Calendar.h"
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// When clocks change, in each year.
struct ChangeRule {
  enum Form { DayWithoutLeap, Day, WeekOfMonth } form = WeekOfMonth;
  int month = 0, week = 0, day = 0; // week 5: the last one
  int32_t time = 7200;              // seconds after midnight

  /// The time on the clock, as seconds since 1970.
  int64_t in(int64_t year) const {
    int64_t first = daysOf(year, 0, 1);
    if (form == DayWithoutLeap) // from 1 on; February has 28 days
      return (first + day - 1 + (isLeapYear(year) && day >= 60)) * kDay + time;
    if (form == Day)
      return (first + day) * kDay + time;
    int64_t begin = daysOf(year, month, 1);
    int at = (day - weekdayOf(begin) + 7) % 7 + 7 * (week - 1);
    while (at >= daysOfMonth(year, month))
      at -= 7;
    return (begin + at) * kDay + time;
  }
};

struct PosixZone {
  std::string name = {}, summerName = {};
  int32_t offset = 0, summerOffset = 0; // seconds east of Greenwich
  ChangeRule begin = {}, end = {};      // of the summer time
  bool hasSummer() const { return !summerName.empty(); }
};

/// Reads one from left to right.
class PosixZoneReader {
public:
  explicit PosixZoneReader(std::string_view text) : text(text) {}

  std::optional<PosixZone> read() {
    PosixZone zone;
    if (!name(zone.name) || !time(zone.offset, 24))
      return {};
    zone.offset = -zone.offset;
    if (text.empty())
      return zone;
    zone.summerOffset = zone.offset + 3600;
    if (!name(zone.summerName))
      return {};
    if (!text.empty() && text.front() != ',') {
      if (!time(zone.summerOffset, 24))
        return {};
      zone.summerOffset = -zone.summerOffset;
    }
    if (text.empty()) // as the C library has it: the rule of the USA
      text = ",M3.2.0,M11.1.0";
    bool good = take(',') && rule(zone.begin) && take(',') && rule(zone.end) && text.empty();
    return good ? std::optional(std::move(zone)) : std::nullopt;
  }

private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isLetter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
  bool take(char c) {
    bool isThere = text.starts_with(c);
    text.remove_prefix(isThere);
    return isThere;
  }
  bool number(int least, int most, int &value) {
    value = 0;
    size_t digits = 0;
    for (; digits < text.size() && digits < 4 && isDigit(text[digits]); ++digits)
      value = 10 * value + (text[digits] - '0');
    text.remove_prefix(digits);
    return digits && value >= least && value <= most;
  }
  /// Three characters at least: letters, or in angle brackets also digits and signs.
  bool name(std::string &to) {
    bool isQuoted = take('<');
    size_t length = 0;
    while (length < text.size() &&
           (isLetter(text[length]) ||
            (isQuoted && (isDigit(text[length]) || text[length] == '+' || text[length] == '-'))))
      ++length;
    to = text.substr(0, length);
    text.remove_prefix(length);
    return length >= 3 && (!isQuoted || take('>'));
  }
  /// [+-]hh[:mm[:ss]]
  bool time(int32_t &seconds, int mostHours) {
    bool isNegative = take('-');
    if (!isNegative)
      take('+');
    int hours, minutes = 0, rest = 0;
    if (!number(0, mostHours, hours) ||
        (take(':') && (!number(0, 59, minutes) || (take(':') && !number(0, 59, rest)))))
      return false;
    seconds = (hours * 60 + minutes) * 60 + rest;
    seconds = isNegative ? -seconds : seconds;
    return true;
  }
  bool rule(ChangeRule &to) {
    bool good;
    if (take('M')) {
      good = number(1, 12, to.month) && take('.') && number(1, 5, to.week) && take('.') &&
             number(0, 6, to.day);
      --to.month;
    } else {
      to.form = take('J') ? ChangeRule::DayWithoutLeap : ChangeRule::Day;
      good = number(to.form == ChangeRule::Day ? 0 : 1, 365, to.day);
    }
    return good && (!take('/') || time(to.time, 167));
  }

  std::string_view text;
};

inline std::optional<PosixZone> posixZone(std::string_view text) {
  return PosixZoneReader(text).read();
}

} // namespace sluice
