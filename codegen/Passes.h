//===- Passes.h - passes from placed graphs to LLVM -------------*- C++ -*-===//
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice {
#define GEN_PASS_DECL
#include "codegen/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "codegen/Passes.h.inc"
} // namespace sluice
