//===- Native.cpp - operators that the runtime has in C++ -----------===//
//
// A native operator has parameters, which are evaluated once at the start, and no
// handlers. Its logic clause becomes a Custom before it.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

OperatorOp sluice::makePart(OpBuilder &builder, OperatorOp op, StringRef part, ValueRange inputs,
                            ArrayRef<int32_t> ports, mlir::TypeRange outputs) {
  auto result = OperatorOp::create(builder, op.getLoc(), outputs, op.getName(), OperatorOp::kCustom,
                                   inputs, ports, op.getIsCatch());
  result.getBody().emplaceBlock();
  result.setOriginal(op.sourceKind());
  result.setPart(part);
  if (auto producer = inputs[0].getDefiningOp<OperatorOp>()) { // the stream goes on under its name
    StringRef name = producer.streamName(cast<OpResult>(inputs[0]).getResultNumber());
    if (name != op.getName())
      result.setStreamsAttr(builder.getStrArrayAttr(SmallVector<StringRef>(outputs.size(), name)));
  }
  result.setParallelRegionAttr(op.getParallelRegionAttr());
  result.setThreadingAttr(op.getThreadingAttr());
  return result;
}

static bool hasLogic(OperatorOp op) {
  return llvm::any_of(op.getBody().front(),
                      [](Operation &item) { return isa<OnTupleOp, OnPunctOp>(item); });
}

LogicalResult sluice::moveLogic(OperatorOp op) {
  if (!hasLogic(op))
    return success();
  if (op.inputPorts() != 1)
    return op.emitError("internal error: logic of native operator `")
           << op.getKind() << "` with " << op.inputPorts() << " input ports";
  OpBuilder builder(op);
  OperatorOp before =
      makePart(builder, op, "logic", op.getInputs(), op.getPorts(), op.getInputs()[0].getType());
  for (auto state : llvm::make_early_inc_range(op.getBody().getOps<StateOp>()))
    state->moveBefore(&before.getBody().front(), before.getBody().front().end());
  HandlerBuilder code = beginOnTuple(before, op, 0);
  code.submit(0, code.argument(0));
  code.end();
  addOnPunct(before, op, 0, /*forward=*/true);
  before.setSplitsAttr(op.getSplitsAttr());
  op.removeSplitsAttr();
  before.setThreadedPortsAttr(op.getThreadedPortsAttr());
  op.removeThreadedPortsAttr();
  op.getInputsMutable().assign(before.getOutputs());
  op.setPorts({1});
  return success();
}

LogicalResult sluice::makeNative(OperatorOp op) {
  for (Operation &item : llvm::make_early_inc_range(op.getBody().front())) {
    if (isa<OutputOp>(item))
      return item.emitError("internal error: operator `")
             << op.getKind() << "` has assignments and no expansion";
    if (!isa<ParamOp>(item))
      item.erase();
  }
  op.setNative(true);
  return success();
}
