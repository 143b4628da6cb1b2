//===- Valve.h - a stream that an operator lets pass, or keeps ---*- C++ -*-===//
//
// Tuples and window punctuation of input port 0 leave at output port 0 as long as the operator is
// open. While it is not it keeps them in a ring, in their order, and holds the port. Tuples of port
// 1 open it; when these have ended it keeps nothing any more.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Ring.h"
#include <functional>

namespace sluice::hold {

class Valve {
public:
  using Condition = std::function<mlir::Value(HandlerBuilder &)>;
  using Code = std::function<void(HandlerBuilder &)>;

  /// `isOpen` says whether the next tuple or punctuation may pass; `passed` runs for each tuple
  /// that does, before it is submitted.
  Valve(stream::OperatorOp op, Condition isOpen, Code passed);
  /// Adds the handlers of both ports; `opens` runs for each tuple of port 1. Final punctuation of
  /// port 0 leaves behind all that is kept.
  void addHandlers(llvm::function_ref<void(HandlerBuilder &)> opens);

private:
  mlir::Value isEmpty(HandlerBuilder &);
  void arrive(HandlerBuilder &, mlir::Value tuple);
  void pass(HandlerBuilder &, mlir::Value tuple);
  void keep(HandlerBuilder &, mlir::Value tuple);
  void drain(HandlerBuilder &);
  void dropKept(HandlerBuilder &);

  stream::OperatorOp op;
  Condition isOpen;
  Code passed;
  window::Record line;
  window::Ring ring;
  AddedState kept, ended, stuck; // the ring; final punctuation has arrived at port 0; at port 1
  static constexpr unsigned isMarker = 0, tupleAt = 1; // attributes of an entry
};

} // namespace sluice::hold
