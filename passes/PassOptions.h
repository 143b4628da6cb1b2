//===- PassOptions.h - what options of passes may be ------------*- C++ -*-===//
//
// The enumerations stand in Passes.td. Passes, pipelines and the driver take their words from
// there.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"

#include "passes/PassEnums.h.inc"

namespace sluice {

/// All words of an enumeration, by the numbers of its cases.
template <typename Enum> llvm::SmallVector<llvm::StringRef> wordsOf() {
  llvm::SmallVector<llvm::StringRef> words;
  for (uint32_t i = 0; !stringifyEnum(Enum(i)).empty(); ++i)
    words.push_back(stringifyEnum(Enum(i)));
  return words;
}

/// Tells an option of a pass or a pipeline the words of its enumeration.
template <typename Enum> struct OptionWords {
  template <typename Option> void apply(Option &option) const {
    for (auto [i, word] : llvm::enumerate(wordsOf<Enum>()))
      option.getParser().addLiteralOption(word, Enum(i), "");
  }
};

/// How many PEs (processes) there are to be: `auto`, `all` or a number.
struct PeCount {
  enum Kind { Number, Auto, All } kind = Number;
  unsigned number = 0;
};
/// Nothing: it is none of them.
std::optional<PeCount> parsePeCount(llvm::StringRef);

} // namespace sluice
