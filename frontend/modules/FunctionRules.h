//===- FunctionRules.h - warnings about calls of the toolkit ----*- C++ -*-===//
//
// What certainly goes wrong with constant arguments, and a prototype cannot say, is a rule in
// stdlib/rules/. The prototype names it: `rule{formattedTime}`.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"

namespace sluice {
class Diagnostics;
namespace typed {
struct NativeCallExpr;
}

namespace sema {
using FunctionRule = void (*)(Diagnostics &, const typed::NativeCallExpr &);
/// The rule of that name, or null.
FunctionRule functionRule(llvm::StringRef name);
} // namespace sema
} // namespace sluice
