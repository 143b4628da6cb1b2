//===- Rules.h - the rules that prototypes name -----------------*- C++ -*-===//
#pragma once
#include "frontend/modules/FunctionRules.h"

namespace sluice::typed {
struct Expr;
}

namespace sluice::sema {

// TimeRules.cpp
void dateAndTime(Diagnostics &, const typed::NativeCallExpr &);
void formattedTime(Diagnostics &, const typed::NativeCallExpr &);
void isoText(Diagnostics &, const typed::NativeCallExpr &);
void formatZone(Diagnostics &, const typed::NativeCallExpr &);
void zonedTime(Diagnostics &, const typed::NativeCallExpr &);
// PatternRules.cpp
void pattern(Diagnostics &, const typed::NativeCallExpr &);
/// Of patterns of Perl's syntax.
void perlPattern(Diagnostics &, const typed::NativeCallExpr &);
/// Warns of what is no pattern, or hardly the one that is meant, if `value` is a constant.
void pattern(Diagnostics &, const typed::Expr &value);

} // namespace sluice::sema
