//===- Aliases.h - short names of types in listings -------------*- C++ -*-===//
#pragma once
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace sluice::driver {

/// From now on modules of `context` name the types of tuples once, at their top, and use the names:
/// `!tuple1 = !spl.tuple<...>`.
void nameTupleTypes(mlir::MLIRContext &context);

/// The lines at the top of a module's text that define the names which `text` uses, also by others
/// of them.
std::string definitionsFor(llvm::StringRef text, llvm::StringRef module);

} // namespace sluice::driver
