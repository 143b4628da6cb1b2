//===- Foreign.h - names of other languages, and what SPL has --*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/types/Types.h"

namespace sluice::sema {

/// What SPL has instead of what other languages call `name`; empty if that is not known.
llvm::StringRef foreignFunction(llvm::StringRef name);
/// The same of a function with such a result that is called with values of other types than it
/// takes.
llvm::StringRef foreignArguments(llvm::StringRef name, Type result,
                                 llvm::ArrayRef<std::string> types);
llvm::StringRef foreignName(llvm::StringRef name, llvm::StringRef ns);
llvm::StringRef foreignOperator(llvm::StringRef name);
/// The parameter that others call `name`, if the operator has it.
llvm::StringRef foreignParam(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has);
/// The same where the operator has output functions, in any case of letters.
llvm::StringRef foreignOutputFunction(llvm::StringRef name);
/// What SPL writes for `base.name(args)`; empty if that is not known (CallHints.cpp).
std::string foreignMethod(Type base, llvm::StringRef name, llvm::StringRef baseText,
                          llvm::ArrayRef<llvm::StringRef> args);

} // namespace sluice::sema
