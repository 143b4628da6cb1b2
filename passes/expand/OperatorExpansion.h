//===- OperatorExpansion.h - how one operator gets handlers -----*- C++ -*-===//
#pragma once
#include "passes/expand/HandlerBuilder.h"

namespace sluice {

/// An expansion adds the handlers that say what the operator does. The items
/// that it read (parameters, outputs, logic) are removed by the pass afterwards.
using ExpandFn = llvm::LogicalResult (*)(stream::OperatorOp);

// Tuple for tuple (ExpandFlow.cpp).
llvm::LogicalResult expandFunctor(stream::OperatorOp);
llvm::LogicalResult expandFilter(stream::OperatorOp);
llvm::LogicalResult expandSplit(stream::OperatorOp);
llvm::LogicalResult expandUnion(stream::OperatorOp);
// Sources (ExpandSource.cpp).
llvm::LogicalResult expandBeacon(stream::OperatorOp);
// Operators that the runtime has in C++ (ExpandNative.cpp). These stay as they
// are, with other operators before and behind them where need be.
llvm::LogicalResult expandNative(stream::OperatorOp);
llvm::LogicalResult expandFileSource(stream::OperatorOp);

/// Errors unless all parameters are among `known`.
llvm::LogicalResult checkParams(stream::OperatorOp, llvm::ArrayRef<llvm::StringRef> known);

/// Adds on_tuple for `port`: the logic clause first, then control is the
/// caller's, who must end it. The tuple is argument 0.
HandlerBuilder beginOnTuple(stream::OperatorOp, unsigned port);
HandlerBuilder beginOnTuple(stream::OperatorOp target, stream::OperatorOp logic, unsigned port);

/// Adds on_punct for `port`: the logic clause first, then, if `forward`, window
/// marks go to all output ports.
void addOnPunct(stream::OperatorOp, unsigned port, bool forward);
void addOnPunct(stream::OperatorOp target, stream::OperatorOp logic, unsigned port, bool forward);

} // namespace sluice
