//===- LanguageWords.h - words of SPL itself, for sluice doc ----*- C++ -*-===//
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace sluice::driver {

struct LanguageWord {
  llvm::StringRef names; // separated by blanks
  llvm::StringRef text, example;
  llvm::StringRef see; // what `sluice doc` explains, and pages; may be empty
};

/// Keywords, types, annotations, clauses, and the functions that the compiler knows.
llvm::ArrayRef<LanguageWord> languageWords();

} // namespace sluice::driver
