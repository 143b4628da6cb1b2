//===- PassOptions.cpp - what options of passes may be --------------------===//
#include "passes/PassOptions.h"
#include "llvm/ADT/StringExtras.h"

#include "passes/PassEnums.cpp.inc"

using namespace sluice;

std::optional<PeCount> sluice::parsePeCount(llvm::StringRef word) {
  if (word == "auto")
    return PeCount{PeCount::Auto};
  if (word == "all")
    return PeCount{PeCount::All};
  PeCount count;
  if (word.getAsInteger(10, count.number) || count.number == 0)
    return std::nullopt;
  return count;
}
