//===- LiftBuilder.cpp - operators applied element by element ----------------===//
//
// Each lifted or dotted operator becomes a private function with a loop that fills a
// variable. It is a function because regions without variables (parameters, output
// assignments) may use such an operator. Dotted operands of different sizes fail at the
// first element that the shorter one lacks.
//
//===----------------------------------------------------------------------===//
#include "frontend/emit/BodyEmitter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace sluice;
using namespace sluice::emission;
using ast::BinaryOp;
using mlir::Block;
using mlir::Location;
using mlir::Value;
using typed::Expr;

namespace {
class LiftBuilder {
public:
  LiftBuilder(Shared &shared, const Expr &at, typed::BinaryOperator op, spl::FuncOp function)
      : op(op), builder(shared.context), loc(shared.location(at.range)), region(function.getBody()),
        result(function.getResultTypes().front()),
        position(builder.getIntegerType(32, /*isSigned=*/false)) {
    if (!at.source.empty())
      source = builder.getStringAttr(at.source);
    region.emplaceBlock();
    for (mlir::Type type : function.getArgumentTypes())
      region.front().addArgument(type, loc);
    builder.setInsertionPointToEnd(&region.front());
  }
  void build();

private:
  /// Builds a loop that runs `body` with the positions 0 to size - 1, of type ui32.
  void loop(Value size, llvm::function_ref<void(Value)> body);
  Value size(Value collection) { return spl::SizeOp::create(builder, loc, collection); }
  Value constant(int64_t value) {
    return spl::ConstOp::create(builder, loc, position, builder.getI64IntegerAttr(value));
  }
  Value compare(BinaryOp op, Value a, Value b) { return buildBinary(builder, loc, {}, op, a, b); }
  /// The element of a list or the value of a key; fails at run time if there is none.
  Value element(Value collection, Value key);
  Value larger(Value a, Value b);
  void lists(Value place);
  void maps(Value place);
  void checkKeys(Value of, Value in);

  typed::BinaryOperator op;
  mlir::OpBuilder builder;
  Location loc;
  mlir::Region &region;
  mlir::Type result, position;
  mlir::StringAttr source;
};
} // namespace

static mlir::Type elementType(mlir::Type collection) {
  if (auto list = mlir::dyn_cast<spl::ListType>(collection))
    return list.getElement();
  return mlir::cast<spl::MapType>(collection).getValue();
}

Value LiftBuilder::element(Value collection, Value key) {
  return spl::IndexOp::create(builder, loc, elementType(collection.getType()), collection, key,
                              source);
}

void LiftBuilder::loop(Value size, llvm::function_ref<void(Value)> body) {
  auto *head = new Block, *inside = new Block, *exit = new Block;
  for (Block *block : {head, inside, exit})
    region.push_back(block);
  Value index = head->addArgument(position, loc);
  mlir::cf::BranchOp::create(builder, loc, head, constant(0));
  builder.setInsertionPointToEnd(head);
  mlir::cf::CondBranchOp::create(builder, loc, compare(BinaryOp::Lt, index, size), inside,
                                 mlir::ValueRange(), exit, mlir::ValueRange());
  builder.setInsertionPointToEnd(inside);
  body(index);
  mlir::cf::BranchOp::create(builder, loc, head,
                             buildBinary(builder, loc, {}, BinaryOp::Add, index, constant(1)));
  builder.setInsertionPointToEnd(exit);
}

Value LiftBuilder::larger(Value a, Value b) {
  auto *done = new Block;
  region.push_back(done);
  Value value = done->addArgument(position, loc);
  mlir::cf::CondBranchOp::create(builder, loc, compare(BinaryOp::Lt, a, b), done, b, done, a);
  builder.setInsertionPointToEnd(done);
  return value;
}

void LiftBuilder::lists(Value place) {
  Value lhs = region.getArgument(0), rhs = region.getArgument(1);
  bool isLeft = op.lift != typed::Lift::Right, isRight = op.lift != typed::Lift::Left;
  Value count = isLeft && isRight ? larger(size(lhs), size(rhs)) : size(isLeft ? lhs : rhs);
  mlir::Type type = elementType(result);
  loop(count, [&](Value index) {
    Value a = isLeft ? element(lhs, index) : lhs, b = isRight ? element(rhs, index) : rhs;
    Value mark =
        type.isIntOrFloat() ? Value() : spl::ArenaCheckpointOp::create(builder, loc).getResult();
    Value value = buildBinary(builder, loc, source, op.op, a, b);
    // appendM(mutable list<T>, T)
    auto facts = spl::CallFactsAttr::get(loc.getContext(), spl::Effect::none,
                                         spl::CallTrait::scratchFree, spl::Intrinsic::append);
    spl::NativeOp::create(builder, loc, mlir::Type(), "sl_appendM_Lgg",
                          mlir::ValueRange{place, value}, builder.getTypeArrayAttr(type),
                          int32_t(1), source, facts);
    if (mark)
      spl::ReleaseOp::create(builder, loc, mark);
  });
}

/// Builds a loop that fails at run time unless every key of `of` is a key of `in`.
void LiftBuilder::checkKeys(Value of, Value in) {
  mlir::Type key = mlir::cast<spl::MapType>(of.getType()).getKey();
  loop(size(of),
       [&](Value index) { element(in, spl::NthOp::create(builder, loc, key, of, index)); });
}

void LiftBuilder::maps(Value place) {
  Value lhs = region.getArgument(0), rhs = region.getArgument(1);
  bool isLeft = op.lift != typed::Lift::Right, isRight = op.lift != typed::Lift::Left;
  Value map = isLeft ? lhs : rhs;
  auto type = mlir::cast<spl::MapType>(map.getType());
  if (isLeft && isRight)
    checkKeys(rhs, lhs);
  loop(size(map), [&](Value index) {
    Value key = spl::NthOp::create(builder, loc, type.getKey(), map, index);
    Value own = spl::MapValueOp::create(builder, loc, type.getValue(), map, index);
    Value a = isLeft ? own : lhs, b = !isRight ? rhs : isLeft ? element(rhs, key) : own;
    Value mark = elementType(result).isIntOrFloat()
                     ? Value()
                     : spl::ArenaCheckpointOp::create(builder, loc).getResult();
    Value value = buildBinary(builder, loc, source, op.op, a, b);
    Value slot = spl::MapSlotOp::create(
        builder, loc, spl::RefType::get(builder.getContext(), value.getType()), place, key);
    spl::StoreOp::create(builder, loc, value, slot);
    if (mark)
      spl::ReleaseOp::create(builder, loc, mark);
  });
}

void LiftBuilder::build() {
  Value place =
      spl::VarOp::create(builder, loc, spl::RefType::get(builder.getContext(), result), "result");
  if (mlir::isa<spl::ListType>(result))
    lists(place);
  else
    maps(place);
  Value value = spl::LoadOp::create(builder, loc, place);
  spl::ReturnOp::create(builder, loc, spl::CopyOp::create(builder, loc, value));
}

spl::FuncOp emission::buildLiftedFunction(Shared &shared, const Expr &at, typed::BinaryOperator op,
                                          mlir::FunctionType type) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(shared.module.getBody());
  std::string name = "spl.lift." + std::to_string(shared.liftCount++);
  auto function = spl::FuncOp::create(builder, shared.location(at.range), name, type);
  LiftBuilder(shared, at, op, function).build();
  return function;
}
