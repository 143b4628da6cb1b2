//===- TimeFunctions.cpp - spl.time -----------------------------*- C++ -*-===//
#include "stdlib/native/Library.h"
#include "stdlib/native/time/FormatTime.h"
#include "stdlib/native/time/Zone.h"
#include "stdlib/native/time/ZoneArgument.h"
#include "stdlib/native/time/ZoneNames.h"
#include "value/Numbers.h"
#include <ctime>
#include <string>

using namespace sluice;

//===--- making and arithmetic ----------------------------------------------===//

SL(createTimestamp, lj)(Ctx *, Timestamp *result, int64_t seconds, uint32_t nanos) {
  *result = timestampOf(seconds, nanos, 0);
  return 0;
}
SL(createTimestamp, lji)(Ctx *, Timestamp *result, int64_t seconds, uint32_t nanos,
                         int32_t machine) {
  *result = timestampOf(seconds, nanos, machine);
  return 0;
}
extern "C" int32_t sl_getTimestamp_(Ctx *ctx, Timestamp *result) {
  *result = {};
  sl_wall_clock(ctx, &result->seconds, &result->nanos);
  return 0;
}
extern "C" int32_t sl_getTimestampInSecs_(Ctx *ctx, double *result) {
  Timestamp t;
  sl_getTimestamp_(ctx, &t);
  *result = double(t.seconds) + double(t.nanos) / 1e9;
  return 0;
}
extern "C" int32_t sl_getCPUCounterInNanoSeconds_(Ctx *ctx, int64_t *result) {
  *result = sl_now(ctx);
  return 0;
}
SL(add, Td)(Ctx *, Timestamp *result, const Timestamp *t, double seconds) {
  *result = later(*t, seconds);
  return 0;
}
SL(add, Tl)(Ctx *, Timestamp *result, const Timestamp *t, int64_t nanos) {
  *result = timestampOf(__int128(t->seconds) + nanos / kNanosPerSecond,
                        int64_t(t->nanos) + nanos % kNanosPerSecond, t->machine);
  return 0;
}
SL(diffAsSecs, TT)(Ctx *, double *result, const Timestamp *a, const Timestamp *b) {
  *result = double(__int128(a->seconds) - b->seconds) +
            double(int64_t(a->nanos) - int64_t(b->nanos)) / 1e9;
  return 0;
}
SL(diffAsNanos, TT)(Ctx *, int64_t *result, const Timestamp *a, const Timestamp *b) {
  __int128 nanos =
      (__int128(a->seconds) - b->seconds) * kNanosPerSecond + int64_t(a->nanos) - int64_t(b->nanos);
  *result = nanos > INT64_MAX ? INT64_MAX : nanos < INT64_MIN ? INT64_MIN : int64_t(nanos);
  return 0;
}
static Decimal128 decimalOf(int64_t whole) { return toDecimal<Decimal128>(whole); }
SL(toDecimal128, T)(Ctx *, Decimal128 *result, const Timestamp *t) {
  *result = decimalOf(t->seconds) + decimalOf(t->nanos) / decimalOf(kNanosPerSecond);
  return 0;
}
/// Rounded to nanoseconds.
SL(fromDecimal128, y)(Ctx *, Timestamp *result, const Decimal128 *seconds) {
  Decimal128 floor = compute(DecimalFn::Floor, *seconds);
  Decimal128 nanos = compute(DecimalFn::Round, (*seconds - floor) * decimalOf(kNanosPerSecond));
  decimal::Value whole = valueOf(floor);
  auto size = __int128(toWhole(whole));
  *result = timestampOf(whole.negative ? -size : size, int64_t(toWhole(valueOf(nanos))), 0);
  return 0;
}
SL(getSeconds, T)(Ctx *, int64_t *result, const Timestamp *t) {
  *result = t->seconds;
  return 0;
}
SL(getNanoseconds, T)(Ctx *, uint32_t *result, const Timestamp *t) {
  *result = t->nanos;
  return 0;
}
SL(getMachineId, T)(Ctx *, int32_t *result, const Timestamp *t) {
  *result = t->machine;
  return 0;
}

//===--- calendar fields ----------------------------------------------------===//

#define SLUICE_FIELD(name, field)                                                                  \
  SL(name, T)(Ctx *, uint32_t *result, const Timestamp *t) {                                       \
    *result = uint32_t(Zone::local().fields(t->seconds).field);                                    \
    return 0;                                                                                      \
  }                                                                                                \
  SL(gm##name, T)(Ctx *, uint32_t *result, const Timestamp *t) {                                   \
    *result = uint32_t(Zone::utc().fields(t->seconds).field);                                      \
    return 0;                                                                                      \
  }
SLUICE_FIELD(year, tm_year + 1900)
SLUICE_FIELD(month, tm_mon)
SLUICE_FIELD(day, tm_mday)
SLUICE_FIELD(hour, tm_hour)
SLUICE_FIELD(minute, tm_min)
SLUICE_FIELD(second, tm_sec)
SLUICE_FIELD(dayOfYear, tm_yday)
SLUICE_FIELD(dayOfWeek, tm_wday)

SL(ctime, T)(Ctx *ctx, Str *result, const Timestamp *t) {
  TextOut text(ctx->scratch);
  formatFields(text, "%a %b %e %H:%M:%S %Y", Zone::local().fields(t->seconds));
  *result = keepText(ctx, text.data, text.size);
  return 0;
}

//===--- broken-down time ---------------------------------------------------===//

namespace {

/// The tuple Sys.tm.
struct Fields {
  int32_t sec, min, hour, mday, mon, year, wday, yday, isdst, gmtoff;
  Str zone;
};

tm toTm(const Fields *f, std::string &zone) {
  tm t = {};
  t.tm_sec = f->sec, t.tm_min = f->min, t.tm_hour = f->hour;
  t.tm_mday = f->mday, t.tm_mon = f->mon, t.tm_year = f->year;
  t.tm_wday = f->wday, t.tm_yday = f->yday, t.tm_isdst = f->isdst;
  t.tm_gmtoff = f->gmtoff;
  zone.assign(f->zone.data(), f->zone.len);
  t.tm_zone = zone.c_str();
  return t;
}

void fromTm(Ctx *ctx, Fields *f, const tm &t) {
  f->sec = t.tm_sec, f->min = t.tm_min, f->hour = t.tm_hour;
  f->mday = t.tm_mday, f->mon = t.tm_mon, f->year = t.tm_year;
  f->wday = t.tm_wday, f->yday = t.tm_yday, f->isdst = t.tm_isdst;
  f->gmtoff = int32_t(t.tm_gmtoff);
  const char *zone = t.tm_zone ? t.tm_zone : "";
  size_t length = strlen(zone);
  memcpy(strResize(ctx->heap, &f->zone, uint32_t(length), 0), zone, length);
  if (length > Str::kInline)
    memcpy(f->zone.far.prefix, zone, 4);
}

} // namespace

SL(gmtime, TU)(Ctx *ctx, const Timestamp *t, Fields *result) {
  fromTm(ctx, result, Zone::utc().fields(t->seconds));
  return 0;
}
SL(time, TU)(Ctx *ctx, const Timestamp *t, Fields *result) {
  fromTm(ctx, result, Zone::local().fields(t->seconds));
  return 0;
}
SL(time, TrU)(Ctx *ctx, const Timestamp *t, const Str *zone, Fields *result) {
  const Zone *there = zoneOf(ctx, "time", *zone);
  if (!there)
    return 1;
  fromTm(ctx, result, there->fields(t->seconds));
  return 0;
}

/// Whether the offset from UTC counts: of an abbreviation that names no zone, as time() makes it. A
/// name of letters with the offset 0 is more likely misspelt.
bool countsByOffset(const Fields &f, std::string_view name) {
  return isAbbreviation(name) && (f.gmtoff || name[0] == '+' || name[0] == '-');
}

/// Where the zone is none of UTC it counts, and whether it is summer.
SL(toTimestamp, Ub)(Ctx *ctx, Timestamp *result, const Fields *f, uint8_t defaultZone) {
  std::string name;
  tm t = toTm(f, name);
  *result = {};
  bool hasZone = !isUtc(name);
  const Zone *zone = hasZone ? Zone::find(name) : defaultZone ? &Zone::local() : nullptr;
  if (hasZone && !zone && !countsByOffset(*f, name))
    return failZone(ctx, "toTimestamp", name);
  result->seconds = zone ? zone->seconds(t) : wallSeconds(t) - f->gmtoff;
  return 0;
}
SL(toTimestamp, U)(Ctx *ctx, Timestamp *result, const Fields *f) {
  return sl_toTimestamp_Ub(ctx, result, f, 0);
}
SL(strftime, Ur)(Ctx *ctx, Str *result, const Fields *f, const Str *format) {
  std::string zone;
  TextOut text(ctx->scratch);
  formatFields(text, viewOf(*format), toTm(f, zone));
  *result = keepText(ctx, text.data, text.size);
  return 0;
}
SL(strptime, rrUj)(Ctx *ctx, const Str *s, const Str *format, Fields *result, uint32_t *used) {
  std::string text(s->data(), s->len), pattern(format->data(), format->len);
  tm t = {};
  t.tm_isdst = -1; // nobody knows
  const char *end = strptime(text.c_str(), pattern.c_str(), &t);
  *used = end ? uint32_t(end - text.c_str()) : 0;
  if (end)
    fromTm(ctx, result, t);
  return 0;
}
