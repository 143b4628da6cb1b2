//===- Optional.cpp - optional values ---------------------------------------===//
//
// An optional is a record: whether there is a value, and the value.
//
//===----------------------------------------------------------------------===//
#include "frontend/emit/EmitterParts.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Block;
using mlir::Location;
using mlir::Value;

static constexpr unsigned kFlag = 0, kValue = 1;

Value OptionalEmitter::emitPresent(const typed::PresentExpr &e) {
  return spl::FieldOp::create(builder, emitter.loc(e), emitter.emit(*e.operand), kFlag);
}

Value OptionalEmitter::emitUnwrap(const typed::UnwrapExpr &e) {
  Value optional = emitter.emit(*e.operand);
  Value flag = spl::FieldOp::create(builder, emitter.loc(e), optional, kFlag);
  spl::CheckPresentOp::create(builder, emitter.loc(e), flag, emitter.source(e));
  return spl::FieldOp::create(builder, emitter.loc(e), optional, kValue);
}

Value PlaceEmitter::emitUnwrapPlace(const typed::UnwrapExpr &e) {
  Value optional = emitPlace(*e.operand);
  Value place = spl::FieldRefOp::create(builder, emitter.loc(e), optional, kFlag);
  Value flag = spl::LoadOp::create(builder, emitter.loc(e), place);
  spl::CheckPresentOp::create(builder, emitter.loc(e), flag, emitter.source(e));
  return spl::FieldRefOp::create(builder, emitter.loc(e), optional, kValue);
}

Value OptionalEmitter::emitOrElse(const typed::OrElseExpr &e) {
  Value optional = emitter.emit(*e.lhs);
  Value flag = spl::FieldOp::create(builder, emitter.loc(e), optional, kFlag);
  Block *yes = emitter.newBlock({}, emitter.loc(e)), *no = emitter.newBlock({}, emitter.loc(e)),
        *done = emitter.newBlock(shared.type(e.type), emitter.loc(e));
  emitter.branchIf(emitter.loc(e), flag, yes, no);
  emitter.enter(yes);
  emitter.branch(emitter.loc(e), done,
                 spl::FieldOp::create(builder, emitter.loc(e), optional, kValue).getResult());
  emitter.enter(no);
  emitter.branch(emitter.loc(*e.otherwise), done, emitter.emit(*e.otherwise));
  emitter.enter(done);
  return done->getArgument(0);
}

/// A value of the type that the optional holds, converted to it first.
Value OptionalEmitter::emitLifted(const typed::CastExpr &e, Value value, spl::OptionalType type) {
  if (value.getType() != type.getElement())
    value =
        spl::CastOp::create(builder, emitter.loc(e), type.getElement(), value, emitter.source(e));
  Value flag = emitter.constant(emitter.loc(e), builder.getI1Type(), 1);
  return spl::MakeTupleOp::create(builder, emitter.loc(e), type, mlir::ValueRange{flag, value});
}
