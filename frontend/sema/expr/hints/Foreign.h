//===- Foreign.h - names of other languages, and what SPL has --*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/modules/Hints.h"

namespace sluice::sema {

/// What SPL has instead of what other languages call `name`, by the hints of the toolkits or in the
/// language itself; empty if that is not known.
llvm::StringRef foreignFunction(const Hints &, llvm::StringRef name);
llvm::StringRef foreignName(const Hints &, llvm::StringRef name, llvm::StringRef ns);
/// What SPL writes for `base.name(args)`; empty if that is not known (CallHints.cpp).
std::string foreignMethod(const Hints &, Type base, llvm::StringRef name, llvm::StringRef baseText,
                          llvm::ArrayRef<llvm::StringRef> args);

} // namespace sluice::sema
