//===- TimeTexts.cpp - spl.time: texts to timestamps ------------*- C++ -*-===//
#include "stdlib/native/CivilTime.h"
#include "stdlib/native/Library.h"
#include "stdlib/native/TimeZone.h"
#include <string>

using namespace sluice;

namespace {

int64_t secondsIn(const tm &t, const Str *zone) {
  if (!zone)
    return TimeZone().seconds(t);
  return TimeZone(std::string(zone->data(), zone->len)).seconds(t);
}

/// The timestamp of what was read, or an error that names the function and the text.
int32_t finish(Ctx *ctx, Timestamp *result, const CivilTime &time, const Str *zone,
               const char *function, const std::string &text, const char *format) {
  if (time.state == CivilTime::OtherFormat)
    return sl_error(ctx, "%s: '%s' %s", function, text.c_str(), format);
  if (time.state == CivilTime::NoSuchTime)
    return sl_error(ctx, "%s: there is no such time: '%s'", function, text.c_str());
  *result = {secondsIn(time.fields, zone), time.millis * 1000000, 0};
  return 0;
}

int32_t fromDateAndTime(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                        const Str *zone) {
  std::string_view d(date->data(), date->len), t(time->data(), time->len);
  return finish(ctx, result, civilTime(d, t), zone, "timeStringToTimestamp",
                std::string(d) + ' ' + std::string(t), "is not like '04-OCT-2005 14:18:19.324'");
}

int32_t fromFormat(Ctx *ctx, Timestamp *result, uint32_t format, const Str *text, const Str *zone) {
  std::string_view t(text->data(), text->len);
  return finish(ctx, result, civilTime(format, t), zone, "toTimestamp", std::string(t),
                "does not have the format asked for");
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
