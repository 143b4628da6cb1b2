//===- RuntimeABI.h - calls from generated code into the runtime -*- C++ -*-===//
//
// The only place in the compiler that knows the signatures of
// runtime/include/sluice/abi.h. Functions are declared in the module when they
// are first called.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// Declares an `sl_` function of abi.h, once a module.
mlir::LLVM::LLVMFuncOp declareRuntime(mlir::ModuleOp module, llvm::StringRef name);

/// Declares any other function. Types are SPL or LLVM types; small integers
/// are extended by their signedness. Null if it is declared with another type.
mlir::LLVM::LLVMFuncOp declareFunction(mlir::ModuleOp module, llvm::StringRef name,
                                       mlir::Type result, llvm::ArrayRef<mlir::Type> arguments);

/// Calls a function that does not unwind; its result, or null if it has none.
mlir::Value callNoUnwind(mlir::OpBuilder &b, mlir::Location loc, mlir::LLVM::LLVMFuncOp callee,
                         mlir::ValueRange args);

} // namespace sluice
