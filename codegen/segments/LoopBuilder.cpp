//===- LoopBuilder.cpp - loops, branches and early exits ------------------===//
#include "codegen/segments/LoopBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace sluice;
using arith::CmpIPredicate;

//===--- conditions ---------------------------------------------------------===//

static Value compareWithZero(OpBuilder &b, CmpIPredicate predicate, Value integer) {
  Location loc = integer.getLoc();
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(integer.getType()));
  return arith::CmpIOp::create(b, loc, predicate, integer, zero);
}

Value LoopBuilder::isZero(Value integer) { return compareWithZero(b, CmpIPredicate::eq, integer); }

Value LoopBuilder::isNotZero(Value integer) {
  return compareWithZero(b, CmpIPredicate::ne, integer);
}

Value LoopBuilder::isPositive(Value integer) {
  return compareWithZero(b, CmpIPredicate::sgt, integer);
}

Value LoopBuilder::isBelow(Value a, Value b) {
  return arith::CmpIOp::create(this->b, a.getLoc(), CmpIPredicate::ult, a, b);
}

//===--- blocks -------------------------------------------------------------===//

Block *LoopBuilder::split() {
  Block *here = b.getInsertionBlock();
  Block *rest = here->splitBlock(b.getInsertionPoint());
  b.setInsertionPointToEnd(here);
  return rest;
}

Block *LoopBuilder::blockBefore(Block *next, TypeRange arguments, Location loc) {
  return b.createBlock(next, arguments, SmallVector<Location>(arguments.size(), loc));
}

void LoopBuilder::branch(Location loc, Block *to, ValueRange arguments) {
  cf::BranchOp::create(b, loc, to, arguments);
}

void LoopBuilder::branchIf(Value condition, Block *yes, ValueRange yesArguments, Block *no,
                           ValueRange noArguments, Weights weights) {
  auto op = cf::CondBranchOp::create(b, condition.getLoc(), condition, yes, yesArguments, no,
                                     noArguments);
  if (!weights.empty())
    op.setBranchWeights(weights);
}

//===--- leaving ------------------------------------------------------------===//

void LoopBuilder::ret(Value status) { func::ReturnOp::create(b, status.getLoc(), status); }

void LoopBuilder::returnIf(Value condition, llvm::function_ref<Value()> status) {
  Block *here = b.getInsertionBlock(), *rest = split();
  Block *leaving = blockBefore(rest, {}, condition.getLoc());
  b.setInsertionPointToEnd(here);
  branchIf(condition, leaving, {}, rest, {});
  b.setInsertionPointToStart(leaving);
  ret(status());
  b.setInsertionPointToStart(rest);
}

void LoopBuilder::check(Value status) {
  returnIf(isNotZero(status), [&] { return status; });
}

Block *LoopBuilder::exit(TypeRange arguments, Location loc,
                         llvm::function_ref<void(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(b);
  Region *function = b.getInsertionBlock()->getParent();
  SmallVector<Location> locs(arguments.size(), loc);
  Block *block = b.createBlock(function, function->end(), arguments, locs);
  body(block->getArguments());
  return block;
}

void LoopBuilder::leaveUnless(Value condition, Block *target, ValueRange arguments,
                              Weights weights) {
  Block *rest = split();
  branchIf(condition, rest, {}, target, arguments, weights);
  b.setInsertionPointToStart(rest);
}

//===--- branches -----------------------------------------------------------===//

void LoopBuilder::ifThen(Value condition, llvm::function_ref<void()> then) {
  Location loc = condition.getLoc();
  Block *here = b.getInsertionBlock(), *rest = split();
  Block *body = blockBefore(rest, {}, loc);
  b.setInsertionPointToEnd(here);
  branchIf(condition, body, {}, rest, {});
  b.setInsertionPointToStart(body);
  then();
  branch(loc, rest);
  b.setInsertionPointToStart(rest);
}

Value LoopBuilder::ifThenElse(Value condition, llvm::function_ref<Value()> then,
                              llvm::function_ref<Value()> otherwise, Weights weights) {
  Location loc = condition.getLoc();
  Block *here = b.getInsertionBlock(), *rest = split();
  Block *yes = blockBefore(rest, {}, loc), *no = blockBefore(rest, {}, loc);
  b.setInsertionPointToEnd(here);
  branchIf(condition, yes, {}, no, {}, weights);
  b.setInsertionPointToStart(yes);
  Value value = then();
  branch(loc, rest, value);
  b.setInsertionPointToStart(no);
  branch(loc, rest, otherwise());
  b.setInsertionPointToStart(rest);
  return rest->addArgument(value.getType(), loc);
}

//===--- loops --------------------------------------------------------------===//

void LoopBuilder::loop(ValueRange first, LoopBody body) {
  Location loc = first.front().getLoc();
  Block *here = b.getInsertionBlock(), *rest = split();
  Block *head = blockBefore(rest, first.getTypes(), loc);
  b.setInsertionPointToEnd(here);
  branch(loc, head, first);
  b.setInsertionPointToStart(head);
  branch(loc, head, body(head->getArguments(), rest));
  b.setInsertionPointToStart(rest);
}

void LoopBuilder::doLoop(Value first, Value end, llvm::function_ref<void(Value)> body) {
  Location loc = first.getLoc();
  loop(first, [&](ValueRange values, Block *rest) {
    Value i = values.front();
    body(i);
    Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(i.getType(), 1));
    Value next = arith::AddIOp::create(b, loc, i, one);
    leaveUnless(isBelow(next, end), rest);
    return SmallVector<Value>{next};
  });
}

void LoopBuilder::forLoop(Value first, Value end, llvm::function_ref<void(Value)> body) {
  ifThen(isBelow(first, end), [&] { doLoop(first, end, body); });
}
