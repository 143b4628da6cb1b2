//===- OperatorExpansion.h - how one operator gets handlers -----*- C++ -*-===//
//
// What stdlib/operators/NAME/Expand.cpp is made of. stdlib/operators/Operators.def
// lists the expansions.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/HandlerBuilder.h"

namespace sluice {

/// An expansion adds the handlers that say what the operator does. The items that it
/// read (parameters, outputs, logic) are removed by the pass afterwards. Of a native
/// operator, it replaces the outputs.
using ExpandFn = llvm::LogicalResult (*)(stream::OperatorOp);

#define EXPANSION(kind, function) llvm::LogicalResult function(stream::OperatorOp);
#include "stdlib/operators/Operators.def"

/// Adds on_tuple for `port`: the logic clause first, then control is the
/// caller's, who must end it. The tuple is argument 0.
HandlerBuilder beginOnTuple(stream::OperatorOp, unsigned port);
HandlerBuilder beginOnTuple(stream::OperatorOp target, stream::OperatorOp logic, unsigned port);

/// Adds on_punct for `port`: the logic clause first; then window punctuation goes to all
/// output ports, if the operator's declaration says so, or `forward` does.
void addOnPunct(stream::OperatorOp, unsigned port);
void addOnPunct(stream::OperatorOp target, stream::OperatorOp logic, unsigned port, bool forward);

/// The tuple for an output port: its assignments, or the input tuple as it is.
mlir::Value outputTuple(stream::OperatorOp, HandlerBuilder &, unsigned port);

/// Where control goes on if parameter `name` rejects the tuple, or null if there is no
/// such parameter; behind this call it is accepted.
mlir::Block *branchOnCondition(stream::OperatorOp, HandlerBuilder &, llvm::StringRef name);

/// A Custom that does part of what `op` does, under its name and @catch.
stream::OperatorOp makePart(mlir::OpBuilder &, stream::OperatorOp op, llvm::StringRef part,
                            mlir::ValueRange inputs, llvm::ArrayRef<int32_t> ports,
                            mlir::TypeRange outputs);
/// Moves state and logic of a native operator into a Custom before it, which forwards
/// tuples and window punctuation. Fails if the operator has not one input port.
llvm::LogicalResult moveLogic(stream::OperatorOp);
/// Leaves a native operator its parameters only. Fails if there are outputs.
llvm::LogicalResult makeNative(stream::OperatorOp);

} // namespace sluice
