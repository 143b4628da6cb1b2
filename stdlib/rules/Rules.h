//===- Rules.h - the rules that prototypes name -----------------*- C++ -*-===//
#pragma once
#include "frontend/modules/FunctionRules.h"

namespace sluice::sema {

// TimeRules.cpp
void dateAndTime(Diagnostics &, const typed::NativeCallExpr &);
void formattedTime(Diagnostics &, const typed::NativeCallExpr &);
void zonedTime(Diagnostics &, const typed::NativeCallExpr &);
// PatternRules.cpp
void pattern(Diagnostics &, const typed::NativeCallExpr &);

} // namespace sluice::sema
