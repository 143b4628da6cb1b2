//===- Loop.cpp - while and for ----------------------------------------===//
//
// A loop that makes temporaries takes a checkpoint of the scratch arena before its
// head and releases it at the back edge; a loop of scalars does neither.
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
using typed::ForStmt;

Value BodyEmitter::checkpointIf(bool allocates, Location loc) {
  return allocates ? spl::ArenaCheckpointOp::create(builder, loc).getResult() : Value();
}

void BodyEmitter::emitLoopBody(const typed::LoopStmt &s, Loop loop, Value checkpoint) {
  loops.push_back(loop);
  emit(*s.body);
  loops.pop_back();
  Location loc = shared.location(s.range);
  if (isLive())
    branch(loc, loop.next);
  enter(loop.next);
  if (isLive() && checkpoint)
    spl::ReleaseOp::create(builder, loc, checkpoint);
}

void BodyEmitter::emitWhile(const typed::WhileStmt &s) {
  Location loc = shared.location(s.range);
  Block *head = newBlock({}, loc), *body = newBlock({}, loc), *next = newBlock({}, loc),
        *exit = newBlock({}, loc);
  Value checkpoint = checkpointIf(analysis.allocates(*s.expr) || analysis.allocates(*s.body), loc);
  branch(loc, head);
  enter(head);
  Value condition = emit(*s.expr);
  branchIf(loc, condition, body, exit);
  enter(body);
  emitLoopBody(s, {next, exit}, checkpoint);
  if (isLive())
    branch(loc, head);
  enter(exit);
}

void BodyEmitter::emitFor(const ForStmt &s) {
  if (isCountedRange(*s.expr))
    emitRangeLoop(s);
  else
    emitCollectionLoop(s);
}

/// for (T x in c): positions 0 to size - 1; of a map, its keys.
void BodyEmitter::emitCollectionLoop(const ForStmt &s) {
  Location loc = shared.location(s.range);
  mlir::Type position = builder.getIntegerType(32, /*isSigned=*/false);
  Value collection = emit(*s.expr);
  Value size = spl::SizeOp::create(builder, loc, collection);
  Value zero = constant(loc, position, 0), one = constant(loc, position, 1);
  Block *head = newBlock(position, loc), *body = newBlock({}, loc), *next = newBlock({}, loc),
        *exit = newBlock({}, loc);
  Value checkpoint = checkpointIf(analysis.allocates(*s.body), loc);
  branch(loc, head, zero);
  enter(head);
  Value at = head->getArgument(0);
  branchIf(loc, buildBinary(builder, loc, {}, BinaryOp::Lt, at, size), body, exit);
  enter(body);
  values[s.var] = spl::NthOp::create(builder, shared.location(s.var->range),
                                     shared.type(s.var->type), collection, at);
  emitLoopBody(s, {next, exit}, checkpoint);
  if (isLive())
    branch(loc, head, buildBinary(builder, loc, {}, BinaryOp::Add, at, one));
  enter(exit);
}

/// for (T i in range(...)): counts without a list. The step is a constant, so its sign is known.
/// The test is at the end of the loop, so that a step of one cannot wrap.
void BodyEmitter::emitRangeLoop(const ForStmt &s) {
  Location loc = shared.location(s.range);
  llvm::ArrayRef<typed::ExprPtr> args = llvm::cast<typed::NativeCallExpr>(*s.expr).args;
  auto type = mlir::cast<mlir::IntegerType>(shared.type(s.var->type));
  int64_t step = args.size() == 3 ? llvm::cast<typed::ConstExpr>(*args[2]).integer() : 1;
  bool isUp = step > 0 || !type.isSigned();
  Value first = args.size() > 1 ? emit(*args[0]) : constant(loc, type, 0);
  Value limit = emit(*args[args.size() > 1]);
  if (args[0]->type->kind == SplType::List)
    limit = spl::CastOp::create(builder, loc, type, spl::SizeOp::create(builder, loc, limit),
                                mlir::StringAttr());
  Block *body = newBlock(type, loc), *next = newBlock({}, loc), *exit = newBlock({}, loc);
  Value checkpoint = checkpointIf(analysis.allocates(*s.body), loc);
  Value some = buildBinary(builder, loc, {}, isUp ? BinaryOp::Lt : BinaryOp::Gt, first, limit);
  mlir::cf::CondBranchOp::create(builder, loc, some, body, first, exit, mlir::ValueRange());
  enter(body);
  Value at = body->getArgument(0);
  values[s.var] = at;
  emitLoopBody(s, {next, exit}, checkpoint);
  if (isLive()) {
    Value after = buildBinary(builder, loc, {}, BinaryOp::Add, at, constant(loc, type, step));
    Value more = emitRangeTest(loc, {at, after, limit}, step, isUp);
    mlir::cf::CondBranchOp::create(builder, loc, more, body, after, exit, mlir::ValueRange());
  }
  enter(exit);
}

/// Whether the loop goes on after `at`. If the step is not one, at + step may wrap past the limit,
/// so the distance that is left is compared with the step.
Value BodyEmitter::emitRangeTest(Location loc, RangeLoop loop, int64_t step, bool isUp) {
  auto type = mlir::cast<mlir::IntegerType>(loop.at.getType());
  if (step == 1 || (!isUp && step == -1))
    return buildBinary(builder, loc, {}, isUp ? BinaryOp::Lt : BinaryOp::Gt, loop.after,
                       loop.limit);
  Value left = buildBinary(builder, loc, {}, BinaryOp::Sub, isUp ? loop.limit : loop.at,
                           isUp ? loop.at : loop.limit);
  auto width = builder.getIntegerType(type.getWidth(), /*isSigned=*/false);
  if (type.isSigned())
    left = spl::CastOp::create(builder, loc, width, left, mlir::StringAttr());
  return buildBinary(builder, loc, {}, BinaryOp::Gt, left,
                     constant(loc, width, isUp ? step : -step));
}
