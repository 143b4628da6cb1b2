//===- Expand.cpp - spl.utility::Switch as handlers ----------------------------===//
#include "passes/expand/hold/Valve.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// The state variable `$on`, which begins as the parameter says.
static AddedState makeStatus(OperatorOp op) {
  mlir::Type boolean = IntegerType::get(op.getContext(), 1);
  AddedState on(op, "on", "the position of the switch", boolean);
  if (Region *initial = op.param("initialStatus")) {
    HandlerBuilder code(initial->getLoc(), on.init(), {});
    YieldOp::create(code.ops(), code.loc(), code.inlineBody(*initial, {}));
  }
  return on;
}

LogicalResult sluice::expandSwitch(OperatorOp op) {
  AddedState on = makeStatus(op);
  hold::Valve valve(
      op, [&](HandlerBuilder &code) { return code.load(on.place(code)); }, [](HandlerBuilder &) {});
  valve.addHandlers(
      [&](HandlerBuilder &code) { code.store(paramValue(op, code, "status"), on.place(code)); });
  return success();
}
