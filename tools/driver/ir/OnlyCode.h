//===- OnlyCode.h - the code of one operator --------------------*- C++ -*-===//
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace sluice::driver {

/// Leaves in `code` the functions of operators or composites. Where they were inlined, the
/// functions that have their code. `module` is the program in phase llvm, of which `code` was made.
/// An error if there is nothing of one of the names.
llvm::Error keepOnly(llvm::Module &code, mlir::ModuleOp module, llvm::ArrayRef<std::string> only);

} // namespace sluice::driver
