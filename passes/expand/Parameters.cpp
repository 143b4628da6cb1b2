//===- Parameters.cpp - what expansions read of parameters ----------------===//
#include "ir/Kinds.h"
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

YieldOp sluice::yieldOf(Region &values) {
  for (Block &block : values)
    if (auto yield = dyn_cast<YieldOp>(block.back()))
      return yield;
  llvm_unreachable("a region without values");
}

mlir::Type sluice::keyType(Region &key) {
  ValueRange values = yieldOf(key).getValues();
  if (values.size() == 1)
    return values.front().getType();
  SmallVector<StringAttr> names;
  for (size_t i = 0; i < values.size(); ++i)
    names.push_back(StringAttr::get(key.getContext(), Twine(i)));
  return spl::TupleType::get(key.getContext(), names, SmallVector<mlir::Type>(values.getTypes()));
}

Value sluice::keyValue(HandlerBuilder &code, Region &key, ValueRange tuples) {
  SmallVector<Value> values = code.inlineBody(key, tuples);
  if (values.size() == 1)
    return values.front();
  return code.tuple(cast<spl::TupleType>(keyType(key)), values);
}

void sluice::whenKeyIsFound(HandlerBuilder &code, Value key, HandlerBuilder::Code then,
                            HandlerBuilder::Code otherwise) {
  if (!key || spl::equalsItself(key.getType()))
    return then();
  code.when(code.compare(spl::CompareKind::eq, key, key), then, otherwise);
}

Value sluice::paramValue(OperatorOp op, HandlerBuilder &code, StringRef name) {
  return keyValue(code, *op.param(name), SmallVector<Value>(op.inputPorts(), code.argument(0)));
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
