//===- Shared.h - what all emitters of one program share --------*- C++ -*-===//
#pragma once
#include "frontend/Frontend.h"
#include "ir/Stream.h"

namespace sluice::emission {

/// What all bodies of one program share.
struct Shared {
  mlir::MLIRContext *context;
  const Diagnostics &diagnostics;
  mlir::ModuleOp module;
  llvm::DenseMap<Type, mlir::Type> types;
  unsigned liftCount = 0;
  /// The number that an output function's stream.aggregate or stream.fold has in its operator.
  llvm::DenseMap<const typed::OutputFnExpr *, unsigned> summaries;
  const typed::Operator *op = nullptr; // whose bodies are emitted

  Shared(mlir::MLIRContext *context, const Diagnostics &diagnostics, mlir::ModuleOp module)
      : context(context), diagnostics(diagnostics), module(module) {}
  mlir::Type type(Type);
  mlir::Type refType(Type t) { return spl::RefType::get(context, type(t)); }
  mlir::Location location(Range range) const { return diagnostics.location(range); }
};

} // namespace sluice::emission
