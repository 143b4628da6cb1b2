//===- Loop.cpp - while and for ----------------------------------------===//
//
// A loop that makes temporaries takes a checkpoint of the scratch arena before its
// head and releases it at the back edge; a loop of scalars does neither.
//
//===----------------------------------------------------------------------===//
#include "frontend/emit/EmitterParts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace sluice;
using namespace sluice::emission;
using ast::BinaryOp;
using mlir::Block;
using mlir::Location;
using mlir::Value;
using typed::ForStmt;

Value LoopEmitter::checkpointIf(bool allocates, Location loc) {
  return allocates ? spl::ArenaCheckpointOp::create(builder, loc).getResult() : Value();
}

void LoopEmitter::emitLoopBody(const typed::LoopStmt &s, Loop loop, Value checkpoint) {
  emitter.loops.push_back(loop);
  emitter.emit(*s.body);
  emitter.loops.pop_back();
  Location loc = shared.location(s.range);
  if (emitter.isLive())
    emitter.branch(loc, loop.next);
  emitter.enter(loop.next);
  if (emitter.isLive() && checkpoint)
    spl::ReleaseOp::create(builder, loc, checkpoint);
}

void LoopEmitter::emitWhile(const typed::WhileStmt &s) {
  Location loc = shared.location(s.range);
  Block *head = emitter.newBlock({}, loc), *body = emitter.newBlock({}, loc),
        *next = emitter.newBlock({}, loc), *exit = emitter.newBlock({}, loc);
  Value checkpoint =
      checkpointIf(emitter.analysis.allocates(*s.expr) || emitter.analysis.allocates(*s.body), loc);
  emitter.branch(loc, head);
  emitter.enter(head);
  Value condition = emitter.emit(*s.expr);
  emitter.branchIf(loc, condition, body, exit);
  emitter.enter(body);
  emitLoopBody(s, {next, exit}, checkpoint);
  if (emitter.isLive())
    emitter.branch(loc, head);
  emitter.enter(exit);
}

void LoopEmitter::emitFor(const ForStmt &s) {
  if (isCountedRange(*s.expr))
    emitRangeLoop(s);
  else
    emitCollectionLoop(s);
}

/// for (T x in c): positions 0 to size - 1; of a map, its keys.
void LoopEmitter::emitCollectionLoop(const ForStmt &s) {
  Location loc = shared.location(s.range);
  mlir::Type position = builder.getIntegerType(32, /*isSigned=*/false);
  Value collection = emitter.emit(*s.expr);
  Value size = spl::SizeOp::create(builder, loc, collection);
  Value zero = emitter.constant(loc, position, 0), one = emitter.constant(loc, position, 1);
  Block *head = emitter.newBlock(position, loc), *body = emitter.newBlock({}, loc),
        *next = emitter.newBlock({}, loc), *exit = emitter.newBlock({}, loc);
  Value checkpoint = checkpointIf(emitter.analysis.allocates(*s.body), loc);
  emitter.branch(loc, head, zero);
  emitter.enter(head);
  Value at = head->getArgument(0);
  emitter.branchIf(loc, buildBinary(builder, loc, {}, BinaryOp::Lt, at, size), body, exit);
  emitter.enter(body);
  emitter.values[s.var] = spl::NthOp::create(builder, shared.location(s.var->range),
                                             shared.type(s.var->type), collection, at);
  emitLoopBody(s, {next, exit}, checkpoint);
  if (emitter.isLive())
    emitter.branch(loc, head, buildBinary(builder, loc, {}, BinaryOp::Add, at, one));
  emitter.enter(exit);
}

/// for (T i in range(...)): counts without a list. The step is a constant, so its sign is known.
/// The test is at the end of the loop, so that a step of one cannot wrap.
void LoopEmitter::emitRangeLoop(const ForStmt &s) {
  Location loc = shared.location(s.range);
  llvm::ArrayRef<typed::ExprPtr> args = llvm::cast<typed::NativeCallExpr>(*s.expr).args;
  auto type = mlir::cast<mlir::IntegerType>(shared.type(s.var->type));
  int64_t step = args.size() == 3 ? llvm::cast<typed::ConstExpr>(*args[2]).integer() : 1;
  bool isUp = step > 0 || !type.isSigned();
  Value first = args.size() > 1 ? emitter.emit(*args[0]) : emitter.constant(loc, type, 0);
  Value limit = emitter.emit(*args[args.size() > 1]);
  if (args[0]->type->kind == SplType::List)
    limit = spl::CastOp::create(builder, loc, type, spl::SizeOp::create(builder, loc, limit),
                                mlir::StringAttr());
  Block *body = emitter.newBlock(type, loc), *next = emitter.newBlock({}, loc),
        *exit = emitter.newBlock({}, loc);
  Value checkpoint = checkpointIf(emitter.analysis.allocates(*s.body), loc);
  Value some = buildBinary(builder, loc, {}, isUp ? BinaryOp::Lt : BinaryOp::Gt, first, limit);
  mlir::cf::CondBranchOp::create(builder, loc, some, body, first, exit, mlir::ValueRange());
  emitter.enter(body);
  Value at = body->getArgument(0);
  emitter.values[s.var] = at;
  emitLoopBody(s, {next, exit}, checkpoint);
  if (emitter.isLive()) {
    Value after =
        buildBinary(builder, loc, {}, BinaryOp::Add, at, emitter.constant(loc, type, step));
    Value more = emitRangeTest(loc, {at, after, limit}, step, isUp);
    mlir::cf::CondBranchOp::create(builder, loc, more, body, after, exit, mlir::ValueRange());
  }
  emitter.enter(exit);
}

/// Whether the loop goes on after `at`. If the step is not one, at + step may wrap past the limit,
/// so the distance that is left is compared with the step.
Value LoopEmitter::emitRangeTest(Location loc, RangeLoop loop, int64_t step, bool isUp) {
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
                     emitter.constant(loc, width, isUp ? step : -step));
}
