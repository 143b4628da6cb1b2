//===- IsoFunctions.cpp - sluice.time -------------------------------------===//
#include "stdlib/native/time/FormatTime.h"
#include "stdlib/native/time/IsoTime.h"
#include "stdlib/native/time/ZoneArgument.h"
#include "value/Numbers.h"
#include <climits>
#include <string>

using namespace sluice;

//===--- from text ----------------------------------------------------------===//

static int32_t parse(Ctx *ctx, Timestamp *result, const Str *text, const Str *zone) {
  constexpr const char *function = "parseIso8601";
  IsoTime time = isoTime(viewOf(*text));
  if (time.state == CivilTime::Exists) {
    const Zone *there = zone ? zoneOf(ctx, function, *zone) : &Zone::utc();
    if (!there)
      return 1;
    __int128 seconds = time.offset ? __int128(time.wall) - *time.offset : there->seconds(time.wall);
    *result = timestampOf(seconds, time.nanos, 0);
    return 0;
  }
  TextOut quoted;
  printQuoted(quoted, viewOf(*text).substr(0, 60));
  auto shown = quoted.view();
  return time.state == CivilTime::NoSuchTime
             ? sl_error(ctx, "%s: there is no such time: %.*s", function, int(shown.size()),
                        shown.data())
             : sl_error(ctx, "%s: %.*s is not like 2024-05-01T10:20:30.123Z", function,
                        int(shown.size()), shown.data());
}

SL(parseIso8601, r)(Ctx *ctx, Timestamp *result, const Str *text) {
  return parse(ctx, result, text, nullptr);
}
SL(parseIso8601, rr)(Ctx *ctx, Timestamp *result, const Str *text, const Str *zone) {
  return parse(ctx, result, text, zone);
}

//===--- to text ------------------------------------------------------------===//

/// At least so many digits.
static void putNumber(TextOut &to, uint64_t number, int digits) {
  uint64_t bound = 1;
  for (int i = 1; i < digits; ++i)
    bound *= 10;
  for (; number < bound && bound > 1; bound /= 10)
    to.put('0');
  printInteger(to, number);
}

static void putDate(TextOut &to, const Date &date) {
  bool isNegative = date.year < 0;
  if (isNegative || date.year > 9999)
    to.put(isNegative ? '-' : '+');
  putNumber(to, uint64_t(isNegative ? -date.year : date.year), 4);
  to.put('-');
  putNumber(to, uint64_t(date.month + 1), 2);
  to.put('-');
  putNumber(to, uint64_t(date.day), 2);
}

static void putClock(TextOut &to, int seconds) {
  putNumber(to, uint64_t(seconds / 3600), 2);
  to.put(':');
  putNumber(to, uint64_t(seconds / 60 % 60), 2);
}

static void putOffset(TextOut &to, int offset) {
  to.put(offset < 0 ? '-' : '+');
  offset = offset < 0 ? -offset : offset;
  putClock(to, offset);
  if (offset % 60) {
    to.put(':');
    putNumber(to, uint64_t(offset % 60), 2);
  }
}

/// A point and 3, 6 or 9 digits; nothing of a whole second.
static void putFraction(TextOut &to, uint32_t nanos) {
  if (!nanos)
    return;
  to.put('.');
  if (nanos % 1000000 == 0)
    putNumber(to, nanos / 1000000, 3);
  else if (nanos % 1000 == 0)
    putNumber(to, nanos / 1000, 6);
  else
    putNumber(to, nanos, 9);
}

/// `zone` null: UTC, written as Z.
static int32_t formatIso(Ctx *ctx, Str *result, const Timestamp *time, const Zone *zone) {
  Timestamp t = timestampOf(time->seconds, time->nanos, 0); // a cast may give any nanoseconds
  int32_t offset = zone ? zone->offsetAt(t.seconds) : 0;
  __int128 wall = __int128(t.seconds) + offset;
  auto days = int64_t(wall / kDay) - (wall % kDay < 0);
  int seconds = int(wall - __int128(days) * kDay);
  TextOut text(ctx->scratch);
  putDate(text, dateOf(days));
  text.put('T');
  putClock(text, seconds);
  text.put(':');
  putNumber(text, uint64_t(seconds % 60), 2);
  putFraction(text, t.nanos);
  if (zone)
    putOffset(text, offset);
  else
    text.put('Z');
  *result = keepText(ctx, text.data, text.size);
  return 0;
}

SL(formatIso8601, T)(Ctx *ctx, Str *result, const Timestamp *time) {
  return formatIso(ctx, result, time, nullptr);
}
SL(formatIso8601, Tr)(Ctx *ctx, Str *result, const Timestamp *time, const Str *name) {
  const Zone *zone = zoneOf(ctx, "formatIso8601", *name);
  return zone ? formatIso(ctx, result, time, zone) : 1;
}

/// What strftime() cannot know: fractions, and the seconds of a time in another zone than the
/// process's. True: the directive behind the percent sign is one of these, of `length` bytes.
static bool putDirective(TextOut &to, std::string_view directive, const Timestamp &time,
                         size_t &length) {
  if (directive.starts_with('s')) {
    printInteger(to, time.seconds);
    length = 1;
    return true;
  }
  bool hasDigits = !directive.empty() && directive[0] >= '1' && directive[0] <= '9';
  if (!directive.substr(hasDigits).starts_with('f'))
    return false;
  int digits = hasDigits ? directive[0] - '0' : 6;
  uint32_t nanos = time.nanos;
  for (int i = digits; i < 9; ++i)
    nanos /= 10;
  putNumber(to, nanos, digits);
  length = hasDigits + 1;
  return true;
}

static int32_t format(Ctx *ctx, Str *result, const Timestamp *time, const Str *format,
                      const Zone &zone) {
  Timestamp t = timestampOf(time->seconds, time->nanos, 0);
  tm fields = zone.fields(t.seconds);
  if (!fields.tm_mday || fields.tm_year > INT_MAX - 1900)
    return sl_error(ctx, "formatTime: the year is beyond %d or before %lld", INT_MAX,
                    1900ll + INT_MIN);
  std::string_view from = viewOf(*format);
  TextOut pattern(ctx->scratch), text(ctx->scratch);
  for (size_t at = 0, length; at < from.size(); ++at) {
    if (from[at] == '%' && putDirective(pattern, from.substr(at + 1), t, length)) {
      at += length;
      continue;
    }
    pattern.put(from[at]);
    if (from[at] == '%' && at + 1 < from.size())
      pattern.put(from[++at]);
  }
  formatFields(text, pattern.view(), fields);
  *result = keepText(ctx, text.data, text.size);
  return 0;
}

SL(formatTime, Tr)(Ctx *ctx, Str *result, const Timestamp *time, const Str *pattern) {
  return format(ctx, result, time, pattern, Zone::local());
}
SL(formatTime, Trr)(Ctx *ctx, Str *result, const Timestamp *time, const Str *pattern,
                    const Str *name) {
  const Zone *zone = zoneOf(ctx, "formatTime", *name);
  return zone ? format(ctx, result, time, pattern, *zone) : 1;
}
