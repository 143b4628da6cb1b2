//===- TimeTexts.cpp - spl.time: texts to timestamps ------------*- C++ -*-===//
#include "stdlib/native/time/CivilTime.h"
#include "stdlib/native/time/ZoneArgument.h"
#include "value/Text.h"
#include <initializer_list>
#include <string>

using namespace sluice;

namespace {

/// The timestamp of what was read, or an error that names the function and the text, which comes in
/// one part or two.
int32_t finish(Ctx *ctx, Timestamp *result, const CivilTime &time, const Str *zone,
               const char *function, std::initializer_list<std::string_view> parts,
               const char *format) {
  if (time.state == CivilTime::Exists) {
    const Zone *there = zone ? zoneOf(ctx, function, *zone) : &Zone::local();
    if (!there)
      return 1;
    *result = {there->seconds(wallSeconds(time.fields)), time.nanos, 0};
    return 0;
  }
  std::string text;
  for (std::string_view part : parts)
    text += (text.empty() ? "" : " ") + std::string(part);
  return time.state == CivilTime::OtherFormat
             ? sl_error(ctx, "%s: '%s' %s", function, text.c_str(), format)
             : sl_error(ctx, "%s: there is no such time: '%s'", function, text.c_str());
}

int32_t fromDateAndTime(Ctx *ctx, Timestamp *result, const Str *date, const Str *time,
                        const Str *zone) {
  std::string_view d = viewOf(*date), t = viewOf(*time);
  return finish(ctx, result, civilTime(d, t), zone, "timeStringToTimestamp", {d, t},
                "is not like '04-OCT-2005 14:18:19.324'");
}

int32_t fromFormat(Ctx *ctx, Timestamp *result, uint32_t format, const Str *text, const Str *zone) {
  std::string_view t = viewOf(*text);
  return finish(ctx, result, civilTime(format, t), zone, "toTimestamp", {t},
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
