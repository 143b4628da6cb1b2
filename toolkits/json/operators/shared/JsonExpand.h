//===- JsonExpand.h - tuples and the attributes that are named --*- C++ -*-===//
#pragma once
#include "passes/expand/OperatorExpansion.h"

namespace sluice::json {

/// The index of the attribute that parameter `param`, or else `other`, names; if there is neither,
/// of the only attribute, or `jsonString`.
unsigned textAttribute(stream::OperatorOp, spl::TupleType, llvm::StringRef param,
                       llvm::StringRef other);
/// The index of the attribute that the parameter names, if it is given.
std::optional<unsigned> namedAttribute(stream::OperatorOp, spl::TupleType, llvm::StringRef param);

/// A tuple of type `to`: attributes of `tuple` with the same names and types, the others have their
/// default values.
mlir::Value copied(HandlerBuilder &, mlir::Value tuple, spl::TupleType to);
/// The tuple with another value of an attribute, converted to its type.
mlir::Value with(HandlerBuilder &, mlir::Value tuple, unsigned index, mlir::Value value);

/// A constant parameter as an rstring; "" without it.
mlir::Value textParam(stream::OperatorOp, HandlerBuilder &, llvm::StringRef name);
/// A call of a function of the toolkit. `generic`: as for HandlerBuilder::call.
mlir::Value callJSON(HandlerBuilder &, llvm::StringRef symbol, llvm::ArrayRef<mlir::Type> typeArgs,
                     mlir::ValueRange arguments, llvm::ArrayRef<int32_t> generic, mlir::Type result,
                     spl::Effect effects = spl::Effect::none);

} // namespace sluice::json
