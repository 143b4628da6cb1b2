//===- Reference.h - manual page and completion -----------------*- C++ -*-===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice::driver {

/// The manual page, for `man`.
void printManual(llvm::raw_ostream &os);

/// Completion of the command line for a shell, bash or zsh; false if it is another.
bool printCompletion(llvm::StringRef shell, llvm::raw_ostream &os);

/// Whether `option` is `--man` or `--completion=SHELL`, which are for packages: prints it.
bool printReference(llvm::StringRef option);

} // namespace sluice::driver
