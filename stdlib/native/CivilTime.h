//===- CivilTime.h - times of the calendar, as texts ------------*- C++ -*-===//
//
// For the functions at run time, and for warnings of the compiler about constants.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace sluice {

/// What a text says, or why it says nothing.
struct CivilTime {
  enum State { Exists, OtherFormat, NoSuchTime } state = Exists;
  tm fields = {};
  uint32_t millis = 0;

  /// Whether the calendar and the clock have such a time: mktime makes another one of 30 February.
  /// A leap second ends an hour.
  void check() {
    static constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const tm &t = fields;
    int year = t.tm_year + 1900;
    bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    bool isDate = t.tm_mon >= 0 && t.tm_mon <= 11 && t.tm_mday >= 1 &&
                  t.tm_mday <= days[t.tm_mon] + (isLeap && t.tm_mon == 1);
    bool isTime = t.tm_hour < 24 && t.tm_min < 60 && t.tm_sec < (t.tm_min == 59 ? 61 : 60);
    state = isDate && isTime ? Exists : NoSuchTime;
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
  /// One byte of `any`; all bytes if that is empty.
  void separator(const char *any) {
    if (p == end || (*any && !strchr(any, *p)))
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

/// "04-OCT-2005" and "14:18:19.324".
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
  result.millis = uint32_t(h.number(3));
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
    result.millis = uint32_t(in.number(3));
  }
  result.state = CivilTime::OtherFormat;
  if (in.done())
    result.check();
  return result;
}

/// Whether the C library knows the zone, which else counts as UTC: `Europe/Berlin` of the zone
/// files, or `EST5EDT` and `<+03>-3` as POSIX has them. Without zone files nobody knows.
inline bool isKnownZone(std::string_view name) {
  if (name.starts_with(':'))
    name.remove_prefix(1);
  if (name.empty() || name == "UTC" || name == "GMT")
    return true;
  size_t letters = 0;
  if (name.front() == '<')
    letters = name.find('>') + 1; // 0: there is none
  else
    while (letters < name.size() && isalpha(static_cast<unsigned char>(name[letters])))
      ++letters;
  std::string_view offset = name.substr(letters);
  if (letters >= 3 && (offset.starts_with('+') || offset.starts_with('-')))
    offset.remove_prefix(1);
  if (letters >= 3 && !offset.empty() && isdigit(static_cast<unsigned char>(offset.front())))
    return true;
  const char *set = getenv("TZDIR");
  std::filesystem::path folder = set ? set : "/usr/share/zoneinfo";
  std::error_code error;
  return !std::filesystem::is_directory(folder, error) ||
         std::filesystem::is_regular_file(folder / name, error);
}

} // namespace sluice
