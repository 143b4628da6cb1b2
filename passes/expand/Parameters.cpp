//===- Parameters.cpp - what expansions read of parameters ----------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

SmallVector<Value> sluice::paramValues(OperatorOp op, HandlerBuilder &code, StringRef name,
                                       unsigned port, Value tuple) {
  SmallVector<Value> tuples(op.inputPorts());
  tuples[port] = tuple;
  return code.inlineBody(*op.param(name), tuples);
}

/// Where the body of a parameter yields its values.
static YieldOp yieldOf(Region &param) {
  for (Block &block : param)
    if (auto yield = dyn_cast<YieldOp>(block.back()))
      return yield;
  llvm_unreachable("a parameter without values");
}

/// A tuple of several values; its attributes are numbered.
static mlir::Type keyType(MLIRContext *context, ValueRange values) {
  if (values.size() == 1)
    return values.front().getType();
  SmallVector<StringAttr> names;
  for (size_t i = 0; i < values.size(); ++i)
    names.push_back(StringAttr::get(context, Twine(i)));
  return spl::TupleType::get(context, names, SmallVector<mlir::Type>(values.getTypes()));
}

mlir::Type sluice::keyType(OperatorOp op, StringRef name) {
  return ::keyType(op.getContext(), yieldOf(*op.param(name)).getValues());
}

Value sluice::keyOf(OperatorOp op, HandlerBuilder &code, StringRef name, unsigned port,
                    Value tuple) {
  SmallVector<Value> values = paramValues(op, code, name, port, tuple);
  if (values.size() == 1)
    return values.front();
  return code.tuple(cast<spl::TupleType>(::keyType(op.getContext(), values)), values);
}

/// The value of a constant parameter.
static Attribute constantOf(OperatorOp op, StringRef name) {
  YieldOp yield = yieldOf(*op.param(name));
  return cast<spl::ConstOp>(yield.getValues()[0].getDefiningOp()).getValueAttr();
}

bool sluice::flagOf(OperatorOp op, StringRef name, bool otherwise) {
  if (!op.param(name))
    return otherwise;
  auto value = dyn_cast_or_null<IntegerAttr>(constantOf(op, name));
  return value && !value.getValue().isZero();
}

StringRef sluice::literalOf(OperatorOp op, StringRef name) {
  return op.param(name) ? cast<StringAttr>(constantOf(op, name)).getValue() : "";
}
