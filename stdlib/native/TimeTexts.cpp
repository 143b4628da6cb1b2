//===- TimeTexts.cpp - spl.time: texts to timestamps ------------*- C++ -*-===//
#include "stdlib/native/Library.h"
#include "stdlib/native/TimeZone.h"
#include <optional>
#include <string>

using namespace sluice;

namespace {

/// Reads fixed-width fields from left to right.
struct Fixed {
  const char *p, *end;
  bool good = true;
  explicit Fixed(const Str *s) : p(s->data()), end(p + s->len) {}
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

/// Whether the calendar and the clock have such a time: mktime makes another one of 30 February. A
/// leap second ends an hour.
bool isCivil(const tm &t) {
  static constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = t.tm_year + 1900;
  bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (t.tm_mon < 0 || t.tm_mon > 11 || t.tm_mday < 1 ||
      t.tm_mday > days[t.tm_mon] + (isLeap && t.tm_mon == 1))
    return false;
  return t.tm_hour < 24 && t.tm_min < 60 && t.tm_sec < (t.tm_min == 59 ? 61 : 60);
}

int64_t secondsIn(const tm &t, const Str *zone) {
  if (!zone)
    return TimeZone().seconds(t);
  return TimeZone(std::string(zone->data(), zone->len)).seconds(t);
}

/// "04-OCT-2005" and "14:18:19.324".
int32_t fromDateAndTime(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                        const Str *zone) {
  tm t = {};
  Fixed d(date), h(time);
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
  int millis = h.number(3);
  if (!d.done() || !h.done())
    return sl_error(ctx,
                    "timeStringToTimestamp: '%.*s %.*s' is not like '04-OCT-2005 14:18:19.324'",
                    int(date->len), date->data(), int(time->len), time->data());
  if (!isCivil(t))
    return sl_error(ctx, "timeStringToTimestamp: there is no such time: '%.*s %.*s'",
                    int(date->len), date->data(), int(time->len), time->data());
  *result = {secondsIn(t, zone), uint32_t(millis) * 1000000, 0};
  return 0;
}

/// The formats of Sys.YYYYMMDDhhmmss and so on, in their order.
int32_t fromFormat(Ctx *ctx, Timestamp *result, uint32_t format, const Str *text, const Str *zone) {
  static constexpr const char *orders[] = {"YMD", "YMD", "MDY", "DMY", "YMD", "MDY", "DMY"};
  tm t = {};
  Fixed in(text);
  bool separated = format > 0, millis = format > 3;
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
    if (separated)
      in.separator("");
  }
  t.tm_hour = in.number(2);
  if (separated)
    in.separator("");
  t.tm_min = in.number(2);
  if (separated)
    in.separator("");
  t.tm_sec = in.number(2);
  uint32_t nanos = 0;
  if (millis) {
    in.separator("");
    nanos = uint32_t(in.number(3)) * 1000000;
  }
  if (!in.done())
    return sl_error(ctx, "toTimestamp: '%.*s' does not have the format asked for", int(text->len),
                    text->data());
  if (!isCivil(t))
    return sl_error(ctx, "toTimestamp: there is no such time: '%.*s'", int(text->len),
                    text->data());
  *result = {secondsIn(t, zone), nanos, 0};
  return 0;
}

} // namespace

SL(timeStringToTimestamp, rrb)(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                               uint8_t) {
  return fromDateAndTime(ctx, result, date, time, nullptr);
}
SL(timeStringToTimestamp, rrrb)(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                                const Str *zone, uint8_t) {
  return fromDateAndTime(ctx, result, date, time, zone);
}
SL(timeStringtoTimestamp, rrb)(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                               uint8_t) {
  return fromDateAndTime(ctx, result, date, time, nullptr);
}
SL(timeStringtoTimestamp, rrrb)(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                                const Str *zone, uint8_t) {
  return fromDateAndTime(ctx, result, date, time, zone);
}
SL(toTimestamp, Ur)(Ctx *ctx, Timestamp *result, uint32_t format, const Str *text) {
  return fromFormat(ctx, result, format, text, nullptr);
}
SL(toTimestamp, Urr)(Ctx *ctx, Timestamp *result, uint32_t format, const Str *text,
                     const Str *zone) {
  return fromFormat(ctx, result, format, text, zone);
}
