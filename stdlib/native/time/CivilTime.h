//===- CivilTime.h - times of the calendar, as texts ------------*- C++ -*-===//
//
// For the functions at run time, and for warnings of the compiler about constants.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/time/Calendar.h"
#include <cstring>
#include <ctime>
#include <string_view>

namespace sluice {

/// What a text says, or why it says nothing.
struct CivilTime {
  enum State { Exists, OtherFormat, NoSuchTime } state = Exists;
  tm fields = {};
  uint32_t nanos = 0;

  void check() {
    const tm &t = fields;
    state = isDate(1900 + t.tm_year, t.tm_mon, t.tm_mday) && isTime(t.tm_hour, t.tm_min, t.tm_sec)
                ? Exists
                : NoSuchTime;
  }
  /// Whether the calendar and the clock have such a time: mktime makes another one of 30 February.
  static bool isDate(int64_t year, int month, int day) {
    return month >= 0 && month <= 11 && day >= 1 && day <= daysOfMonth(year, month);
  }
  /// A leap second ends an hour.
  static bool isTime(int hour, int minute, int second) {
    return hour < 24 && minute < 60 && second < (minute == 59 ? 61 : 60);
  }
};

/// Reads fixed-width fields from left to right.
struct FixedFields {
  const char *p, *end;
  bool good = true;
  explicit FixedFields(std::string_view text) : p(text.data()), end(p + text.size()) {}
  int number(int digits) {
    int v = 0;
    for (; digits; --digits, ++p) {
      if (p == end || *p < '0' || *p > '9') {
        good = false;
        return 0;
      }
      v = v * 10 + (*p - '0');
    }
    return v;
  }
  /// One to nine digits behind a point, as nanoseconds.
  uint32_t fraction() {
    uint32_t nanos = 0;
    const char *first = p;
    for (; p < end && p - first < 9 && *p >= '0' && *p <= '9'; ++p)
      nanos = nanos * 10 + uint32_t(*p - '0');
    good &= p > first;
    for (auto digits = p - first; digits < 9; ++digits)
      nanos *= 10;
    return nanos;
  }
  bool isAt(char c) const { return p < end && *p == c; }
  /// One byte of `any`; all bytes if that is empty.
  void separator(const char *any) {
    if (p == end || (*any && (!*p || !strchr(any, *p))))
      good = false;
    else
      ++p;
  }
  int month() {
    static constexpr char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    for (int m = 0; end - p >= 3 && m < 12; ++m)
      if ((p[0] | 32) == names[3 * m] && (p[1] | 32) == names[3 * m + 1] &&
          (p[2] | 32) == names[3 * m + 2]) {
        p += 3;
        return m;
      }
    good = false;
    return 0;
  }
  bool done() const { return good && p == end; }
};

/// "04-OCT-2005" and "14:18:19.324", with one to nine digits behind the point.
inline CivilTime civilTime(std::string_view date, std::string_view time) {
  CivilTime result;
  tm &t = result.fields;
  FixedFields d(date), h(time);
  t.tm_mday = d.number(2);
  d.separator("-/");
  t.tm_mon = d.month();
  d.separator("-/");
  t.tm_year = d.number(4) - 1900;
  t.tm_hour = h.number(2);
  h.separator(":");
  t.tm_min = h.number(2);
  h.separator(":");
  t.tm_sec = h.number(2);
  h.separator(".");
  result.nanos = h.fraction();
  result.state = CivilTime::OtherFormat;
  if (d.done() && h.done())
    result.check();
  return result;
}

/// The formats of Sys.YYYYMMDDhhmmss and so on, in their order.
inline CivilTime civilTime(uint32_t format, std::string_view text) {
  static constexpr const char *orders[] = {"YMD", "YMD", "MDY", "DMY", "YMD", "MDY", "DMY"};
  CivilTime result;
  tm &t = result.fields;
  FixedFields in(text);
  bool separated = format > 0;
  auto separator = [&] {
    if (separated)
      in.separator("");
  };
  for (int i = 0; i < 3; ++i) {
    switch (orders[format < 7 ? format : 0][i]) {
    case 'Y':
      t.tm_year = in.number(4) - 1900;
      break;
    case 'M':
      t.tm_mon = in.number(2) - 1;
      break;
    default:
      t.tm_mday = in.number(2);
      break;
    }
    separator();
  }
  t.tm_hour = in.number(2);
  separator();
  t.tm_min = in.number(2);
  separator();
  t.tm_sec = in.number(2);
  if (format > 3) {
    in.separator("");
    result.nanos = uint32_t(in.number(3)) * 1000000;
  }
  result.state = CivilTime::OtherFormat;
  if (in.done())
    result.check();
  return result;
}

} // namespace sluice
