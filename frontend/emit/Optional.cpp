//===- Optional.cpp - optional values ---------------------------------------===//
//
// An optional is a record: whether there is a value, and the value.
//
//===----------------------------------------------------------------------===//
#include "frontend/emit/BodyEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Block;
using mlir::Location;
using mlir::Value;

static constexpr unsigned kFlag = 0, kValue = 1;

Value BodyEmitter::emitPresent(const typed::PresentExpr &e) {
  return spl::FieldOp::create(builder, loc(e), emit(*e.operand), kFlag);
}

Value BodyEmitter::emitUnwrap(const typed::UnwrapExpr &e) {
  Value optional = emit(*e.operand);
  Value flag = spl::FieldOp::create(builder, loc(e), optional, kFlag);
  spl::CheckPresentOp::create(builder, loc(e), flag, source(e));
  return spl::FieldOp::create(builder, loc(e), optional, kValue);
}

Value BodyEmitter::emitUnwrapPlace(const typed::UnwrapExpr &e) {
  Value optional = emitPlace(*e.operand);
  Value place = spl::FieldRefOp::create(builder, loc(e), optional, kFlag);
  Value flag = spl::LoadOp::create(builder, loc(e), place);
  spl::CheckPresentOp::create(builder, loc(e), flag, source(e));
  return spl::FieldRefOp::create(builder, loc(e), optional, kValue);
}

Value BodyEmitter::emitOrElse(const typed::OrElseExpr &e) {
  Value optional = emit(*e.lhs);
  Value flag = spl::FieldOp::create(builder, loc(e), optional, kFlag);
  Block *yes = newBlock({}, loc(e)), *no = newBlock({}, loc(e)),
        *done = newBlock(shared.type(e.type), loc(e));
  branchIf(loc(e), flag, yes, no);
  enter(yes);
  branch(loc(e), done, spl::FieldOp::create(builder, loc(e), optional, kValue).getResult());
  enter(no);
  branch(loc(*e.otherwise), done, emit(*e.otherwise));
  enter(done);
  return done->getArgument(0);
}

/// A value of the type that the optional holds, converted to it first.
Value BodyEmitter::emitLifted(const typed::CastExpr &e, Value value, spl::OptionalType type) {
  if (value.getType() != type.getElement())
    value = spl::CastOp::create(builder, loc(e), type.getElement(), value, source(e));
  Value flag = constant(loc(e), builder.getI1Type(), 1);
  return spl::MakeTupleOp::create(builder, loc(e), type, mlir::ValueRange{flag, value});
}
