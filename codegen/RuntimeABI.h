//===- RuntimeABI.h - calls from generated code into the runtime -*- C++ -*-===//
//
// Declares the functions of runtime/include/sluice/abi.h in a module when they
// are first called. Their names are listed in RuntimeFunctions.def, their
// signatures follow from the C++ declarations.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// Returns the declaration of a function of abi.h, which it adds to the module if it is not
/// there. A name that abi.h does not have is an internal error.
mlir::LLVM::LLVMFuncOp declareRuntime(mlir::ModuleOp module, llvm::StringRef name);

/// Declares any other function. Types are SPL or LLVM types; small integers are extended by their
/// sign. Returns null if the function is declared with another type.
mlir::LLVM::LLVMFuncOp declareFunction(mlir::ModuleOp module, llvm::StringRef name,
                                       mlir::Type result, llvm::ArrayRef<mlir::Type> arguments);

/// Calls a function that does not unwind. Returns its result, or null if it has none.
mlir::Value callNoUnwind(mlir::OpBuilder &b, mlir::Location loc, mlir::LLVM::LLVMFuncOp callee,
                         mlir::ValueRange args);

} // namespace sluice
