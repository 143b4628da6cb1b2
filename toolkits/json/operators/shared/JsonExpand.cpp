//===- JsonExpand.cpp - tuples and the attributes that are named ----------===//
#include "toolkits/json/operators/shared/JsonExpand.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace sluice::json {

static unsigned indexOf(spl::TupleType tuple, StringRef name) {
  auto names = tuple.getNames();
  for (unsigned index = 0; index < names.size(); ++index)
    if (names[index].getValue() == name)
      return index;
  llvm_unreachable("the rules have found the attribute");
}

std::optional<unsigned> namedAttribute(OperatorOp op, spl::TupleType tuple, StringRef param) {
  if (!op.param(param))
    return std::nullopt;
  return indexOf(tuple, literalOf(op, param));
}

unsigned textAttribute(OperatorOp op, spl::TupleType tuple, StringRef param, StringRef other) {
  if (auto named = namedAttribute(op, tuple, param))
    return *named;
  if (auto named = namedAttribute(op, tuple, other))
    return *named;
  return tuple.getNames().size() == 1 ? 0 : indexOf(tuple, "jsonString");
}

Value copied(HandlerBuilder &code, Value tuple, spl::TupleType to) {
  auto from = cast<spl::TupleType>(tuple.getType());
  SmallVector<Value> values;
  for (auto [name, type] : llvm::zip_equal(to.getNames(), to.getTypes())) {
    Value value;
    for (unsigned index = 0; index < from.getNames().size(); ++index)
      if (from.getNames()[index] == name && from.getTypes()[index] == type)
        value = code.field(tuple, index);
    values.push_back(value ? value : code.zero(type));
  }
  return code.tuple(to, values);
}

Value with(HandlerBuilder &code, Value tuple, unsigned index, Value value) {
  auto type = cast<spl::TupleType>(tuple.getType());
  SmallVector<Value> values;
  for (unsigned each = 0; each < type.getTypes().size(); ++each)
    values.push_back(each == index ? code.cast(value, type.getTypes()[each])
                                   : code.field(tuple, each));
  return code.tuple(type, values);
}

Value textParam(OperatorOp op, HandlerBuilder &code, StringRef name) {
  mlir::Type type = spl::RStringType::get(op.getContext());
  return spl::ConstOp::create(code.ops(), code.loc(), type,
                              code.ops().getStringAttr(literalOf(op, name)));
}

Value callJSON(HandlerBuilder &code, StringRef symbol, ArrayRef<mlir::Type> typeArgs,
               ValueRange arguments, ArrayRef<int32_t> generic, mlir::Type result,
               spl::Effect effects) {
  OpBuilder &builder = code.ops();
  auto facts = spl::CallFactsAttr::get(builder.getContext(), effects, spl::CallTrait::none,
                                       spl::Intrinsic::none);
  return spl::NativeOp::create(builder, code.loc(), result, symbol, arguments,
                               builder.getTypeArrayAttr(typeArgs), generic, StringAttr(), facts)
      .getResult();
}

} // namespace sluice::json
