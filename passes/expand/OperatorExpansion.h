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

/// What a handler does besides, where control stands.
using ExtraCode = llvm::function_ref<void(HandlerBuilder &)>;
/// Adds on_punct for `port`: the logic clause first; then, for window punctuation, `atWindow`,
/// and the punctuation goes to all output ports, if the operator's declaration says so, or
/// `forward` does; for final punctuation, `atFinal`.
void addOnPunct(stream::OperatorOp, unsigned port, ExtraCode atWindow = nullptr);
void addOnPunct(stream::OperatorOp target, stream::OperatorOp logic, unsigned port, bool forward,
                ExtraCode atWindow = nullptr, ExtraCode atFinal = nullptr);

/// Adds on_end, where the caller's code counts what state still holds.
void addOnEnd(stream::OperatorOp, ExtraCode count);

/// The tuple for an output port: its assignments, or the input tuple as it is.
mlir::Value outputTuple(stream::OperatorOp, HandlerBuilder &, unsigned port);

/// The same from the tuples of all input ports. A tuple that no assignment reads may be null.
mlir::Value outputTuple(stream::OperatorOp, HandlerBuilder &, unsigned port,
                        mlir::ValueRange tuples);
/// Where a region of values, as that of a parameter, yields them.
stream::YieldOp yieldOf(mlir::Region &values);
/// The key that a region of values gives for the tuples of all input ports: of one value that
/// value, of several a tuple of them. A tuple that the region does not read may be any.
mlir::Value keyValue(HandlerBuilder &, mlir::Region &key, mlir::ValueRange tuples);
mlir::Type keyType(mlir::Region &key);
/// Does `then` with a key that can be found again, else `otherwise`: a NaN equals no key, not even
/// itself. Without a key (null): `then`.
void whenKeyIsFound(HandlerBuilder &, mlir::Value key, HandlerBuilder::Code then,
                    HandlerBuilder::Code otherwise = nullptr);
/// The value, or the tuple of values, of a parameter for the handler's tuple.
mlir::Value paramValue(stream::OperatorOp, HandlerBuilder &, llvm::StringRef name);
/// A constant parameter of type boolean.
bool flagOf(stream::OperatorOp, llvm::StringRef name, bool otherwise);
/// The word that a literal parameter has, or "".
llvm::StringRef literalOf(stream::OperatorOp, llvm::StringRef name);

/// A state variable that an expansion adds. No name in a program begins with `$`, as these do.
class AddedState {
public:
  /// None.
  AddedState() = default;
  /// It begins as the default value of `type`. `what` says to people what it is: one thing, with an
  /// article (`the watermark`).
  AddedState(stream::OperatorOp, llvm::StringRef name, const llvm::Twine &what, mlir::Type type);
  explicit operator bool() const { return bool(state); }
  mlir::Value place(HandlerBuilder &) const;
  mlir::Type type() const { return state.getType(); }
  mlir::Region &init() { return state.getInit(); }

private:
  mutable stream::StateOp state; // accessors of operations are not const
  unsigned index = 0;            // among the states of the operator
};

/// A parameter that is evaluated once, before any tuple: a constant, or a state variable.
class StartValue {
public:
  /// As a value of `type`. The operator has the parameter.
  StartValue(stream::OperatorOp, llvm::StringRef name, mlir::Type type);
  mlir::Value in(HandlerBuilder &) const;

private:
  mlir::Region &param;
  mlir::Type type;
  std::optional<AddedState> state; // unless it is a constant
};

/// Where control goes on if parameter `name` rejects the tuple, or null if there is no
/// such parameter; behind this call it is accepted.
mlir::Block *branchOnCondition(stream::OperatorOp, HandlerBuilder &, llvm::StringRef name);

/// A Custom that does part of what `op` does, under its name and @catch.
stream::OperatorOp makePart(mlir::OpBuilder &, stream::OperatorOp op, llvm::StringRef part,
                            mlir::ValueRange inputs, llvm::ArrayRef<int32_t> ports,
                            mlir::TypeRange outputs);
/// Moves state and logic of a native operator into a Custom before each input port that has logic.
/// It forwards tuples, with the values of parameters that depend on them, and window punctuation.
/// Fails if logic of several ports has state.
llvm::LogicalResult moveLogic(stream::OperatorOp);
/// Moves what the output clause of a native source computes into a Custom behind it. The source
/// learns by parameters `$out.ATTRIBUTE` which output functions its attributes are.
llvm::LogicalResult moveOutput(stream::OperatorOp);
/// Moves an input port of a native operator, which says what it is to do, into an operator without
/// outputs, of kind `KIND.control` and with the same parameters: it takes tuples while the other
/// waits. That one learns by the parameter `$control` that there is one
/// (stdlib/native/connect/ControlPort.h). The port is the last, and may be missing.
llvm::LogicalResult detachInput(stream::OperatorOp, unsigned port = 0);
/// Leaves a native operator its parameters only. Fails if there are outputs.
llvm::LogicalResult makeNative(stream::OperatorOp);

} // namespace sluice
