//===- TimeRules.cpp - warnings about times that are constants ------------===//
#include "frontend/diagnostics/Diagnostics.h"
#include "frontend/sema/typed/Expr.h"
#include "stdlib/native/time/IsoTime.h"
#include "stdlib/native/time/ZoneNames.h"
#include "stdlib/rules/Rules.h"

using namespace sluice;
using namespace sluice::sema;
using typed::ConstExpr;
using typed::NativeCallExpr;

/// The argument, if it is there and a constant of that kind; else null.
static const ConstExpr *constant(const NativeCallExpr &call, size_t index, SplType::Kind kind) {
  if (index >= call.args.size() || call.args[index]->type->kind != kind)
    return nullptr;
  return llvm::dyn_cast<ConstExpr>(call.args[index].get());
}

static void checkTime(Diagnostics &diags, Range range, CivilTime::State state,
                      const std::string &text) {
  if (state == CivilTime::OtherFormat)
    diags.report(range, Diag::warn_time_format, text);
  else if (state == CivilTime::NoSuchTime)
    diags.report(range, Diag::warn_no_such_time, text);
}

static void checkZone(Diagnostics &diags, const NativeCallExpr &call, size_t index) {
  const ConstExpr *zone = constant(call, index, SplType::RString);
  if (zone && !isKnownZone(zone->text()))
    diags.report(zone->range, Diag::warn_unknown_zone, zone->text());
}

/// (date, time, [zone,] useLocaleMonth)
void sema::dateAndTime(Diagnostics &diags, const NativeCallExpr &call) {
  const ConstExpr *date = constant(call, 0, SplType::RString);
  const ConstExpr *time = constant(call, 1, SplType::RString);
  if (date && time)
    checkTime(diags, call.range, civilTime(date->text(), time->text()).state,
              (date->text() + " " + time->text()).str());
  checkZone(diags, call, 2);
}

/// (format, text [, zone])
void sema::formattedTime(Diagnostics &diags, const NativeCallExpr &call) {
  const ConstExpr *format = constant(call, 0, SplType::Enum);
  const ConstExpr *text = constant(call, 1, SplType::RString);
  if (format && text)
    checkTime(diags, text->range, civilTime(uint32_t(format->integer()), text->text()).state,
              text->text().str());
  checkZone(diags, call, 2);
}

/// (text [, zone])
void sema::isoText(Diagnostics &diags, const NativeCallExpr &call) {
  if (const ConstExpr *text = constant(call, 0, SplType::RString))
    checkTime(diags, text->range, isoTime(text->text()).state, text->text().str());
  checkZone(diags, call, 1);
}

/// (time, zone, ...)
void sema::zonedTime(Diagnostics &diags, const NativeCallExpr &call) { checkZone(diags, call, 1); }

/// (time, format, zone)
void sema::formatZone(Diagnostics &diags, const NativeCallExpr &call) { checkZone(diags, call, 2); }
