//===- Expand.cpp - spl.utility::Gate as handlers -------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/expand/hold/Valve.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;
using spl::CompareKind;

/// How many tuples the tuple of the control port acknowledges; none if it says less than 0.
static Value acknowledged(OperatorOp op, HandlerBuilder &code, mlir::Type count) {
  if (!op.param("numTuplesToAck"))
    return code.constant(count, 1);
  Value said = code.cast(paramValue(op, code, "numTuplesToAck"), count);
  Value none = code.constant(count, 0);
  return arith::SelectOp::create(code.ops(), code.loc(), code.compare(CompareKind::lt, said, none),
                                 none, said);
}

LogicalResult sluice::expandGate(OperatorOp op) {
  mlir::Type count = window::si64(op.getContext());
  StartValue most(op, "maxUnackedTupleCount", count);
  AddedState unacked(op, "unacked", "the number of tuples without an acknowledgement", count);
  hold::Valve valve(
      op,
      [&](HandlerBuilder &code) {
        return code.compare(CompareKind::lt, code.load(unacked.place(code)), most.in(code));
      },
      [&](HandlerBuilder &code) { code.increment(unacked.place(code)); });
  valve.addHandlers([&](HandlerBuilder &code) {
    Value left = code.sub(code.load(unacked.place(code)), acknowledged(op, code, count));
    Value none = code.constant(count, 0);
    Value tooMany = code.compare(CompareKind::lt, left, none);
    code.store(arith::SelectOp::create(code.ops(), code.loc(), tooMany, none, left),
               unacked.place(code));
  });
  return success();
}
