//===- Rules.cpp - rules by name ------------------------------------------===//
#include "stdlib/rules/Rules.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice::sema;

FunctionRule sluice::sema::functionRule(llvm::StringRef name) {
  return llvm::StringSwitch<FunctionRule>(name)
      .Case("dateAndTime", dateAndTime)
      .Case("formattedTime", formattedTime)
      .Case("isoText", isoText)
      .Case("formatZone", formatZone)
      .Case("zonedTime", zonedTime)
      .Case("pattern", pattern)
      .Case("perlPattern", perlPattern)
      .Default(nullptr);
}
