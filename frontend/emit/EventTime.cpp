//===- EventTime.cpp - the event time of tuples ---------------------------===//
#include "frontend/emit/BodyEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Value;
using typed::EventTime;
using typed::ExprPtr;

/// Makes nanoseconds of an attribute, at most 2**62 before and after the beginning of 1970.
static constexpr llvm::StringRef kNanos = "eventNanos";

/// What library function `function` makes of the event time of the tuple of `port`: of type
/// `result`. A timestamp of which a timestamp is wanted is that already.
Value BodyEmitter::emitEventTime(const EventTime &time, const typed::TupleExpr &tuple,
                                 llvm::StringRef function, mlir::Type result) {
  mlir::Location at = loc(tuple);
  ExprPtr attribute = std::make_unique<typed::TupleExpr>(tuple.type, tuple.range, tuple.port);
  for (const std::string &name : time.path) {
    unsigned index = 0;
    attribute->type->attribute(name, &index);
    attribute = std::make_unique<typed::FieldExpr>(tuple.range, std::move(attribute), index);
  }
  llvm::SmallVector<Value> args = {emit(*attribute)};
  if (args[0].getType() == result && time.type->kind == SplType::Timestamp)
    return args[0];
  std::string symbol = ("sl_" + function + "_" + time.type->info().code).str();
  if (time.type->kind != SplType::Timestamp) {
    args.push_back(
        constant(at, builder.getIntegerType(64, /*isSigned=*/true), time.nanosPerTick()));
    symbol += "l";
  }
  auto traits = spl::CallTrait::scratchFree | spl::CallTrait::instruction;
  return spl::NativeOp::create(builder, at, result, symbol, args, builder.getTypeArrayAttr({}),
                               llvm::ArrayRef<int32_t>(), mlir::StringAttr(),
                               spl::CallFactsAttr::get(shared.context, spl::Effect::none, traits,
                                                       spl::Intrinsic::none))
      .getResult();
}

void BodyEmitter::emitNanos(const EventTime &time, Type tuple, Range range) {
  mlir::Location at = shared.location(range);
  addTuple(0, tuple, at);
  mlir::Type nanos = builder.getIntegerType(64, /*isSigned=*/true);
  Value value = emitEventTime(time, typed::TupleExpr(tuple, range, 0), kNanos, nanos);
  stream::YieldOp::create(builder, at, value);
}
