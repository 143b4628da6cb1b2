//===- Native.cpp - operators that the runtime has in C++ -----------===//
//
// A native operator has parameters, which are evaluated once at the start, and no
// handlers. Its logic clause becomes a Custom before it, which also evaluates the
// parameters that depend on the tuple: their values are attributes `$NAME` behind
// those of the tuple.
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
  result.setRecoveryAttr(op.getRecoveryAttr());
  return result;
}

static bool hasLogic(OperatorOp op) {
  return llvm::any_of(op.getBody().front(),
                      [](Operation &item) { return isa<OnTupleOp, OnPunctOp>(item); });
}

/// Whether the values of a region depend on the tuple or on state of the operator.
static bool isPerTuple(Region &values) {
  auto isUsed = [](BlockArgument argument) { return !argument.use_empty(); };
  auto readsState = [](Operation *op) {
    return isa<spl::StateOp, HistoryOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return llvm::any_of(values.getArguments(), isUsed) || values.walk(readsState).wasInterrupted();
}

static SmallVector<ParamOp> carriedParams(OperatorOp op) {
  SmallVector<ParamOp> result;
  for (auto param : op.getBody().getOps<ParamOp>())
    if (isPerTuple(param.getBody()))
      result.push_back(param);
  return result;
}

/// The tuple with the values of the parameters behind its attributes.
static spl::TupleType carryingType(spl::TupleType tuple, ArrayRef<ParamOp> params) {
  SmallVector<StringAttr> names(tuple.getNames());
  SmallVector<mlir::Type> types(tuple.getTypes());
  for (ParamOp param : params) {
    names.push_back(StringAttr::get(tuple.getContext(), "$" + param.getName()));
    types.push_back(yieldOf(param.getBody()).getValues()[0].getType());
  }
  return spl::TupleType::get(tuple.getContext(), names, types);
}

/// What the Custom submits for the tuple that it handles.
static Value carryingTuple(HandlerBuilder &code, spl::TupleType type, ArrayRef<ParamOp> params) {
  Value tuple = code.argument(0);
  if (params.empty())
    return tuple;
  SmallVector<Value> values;
  for (size_t i = 0; i < type.getTypes().size() - params.size(); ++i)
    values.push_back(code.field(tuple, i));
  for (ParamOp param : params)
    values.push_back(code.inlineBody(param.getBody(), tuple)[0]);
  return code.tuple(type, values);
}

LogicalResult sluice::moveLogic(OperatorOp op) {
  SmallVector<ParamOp> carried = carriedParams(op);
  if (!hasLogic(op) && carried.empty())
    return success();
  if (op.inputPorts() != 1)
    return op.emitError("internal error: logic of native operator `")
           << op.getKind() << "` with " << op.inputPorts() << " input ports";
  OpBuilder builder(op);
  spl::TupleType type = carryingType(op.inputTuple(0), carried);
  OperatorOp before = makePart(builder, op, "logic", op.getInputs(), op.getPorts(),
                               StreamType::get(op.getContext(), type));
  for (auto state : llvm::make_early_inc_range(op.getBody().getOps<StateOp>()))
    state->moveBefore(&before.getBody().front(), before.getBody().front().end());
  HandlerBuilder code = beginOnTuple(before, op, 0);
  code.submit(0, carryingTuple(code, type, carried));
  code.end();
  for (ParamOp param : carried)
    param.erase();
  addOnPunct(before, op, 0, /*forward=*/true);
  before.setSplitsAttr(op.getSplitsAttr());
  op.removeSplitsAttr();
  before.setThreadedPortsAttr(op.getThreadedPortsAttr());
  op.removeThreadedPortsAttr();
  op.getInputsMutable().assign(before.getOutputs());
  op.setPorts({1});
  return success();
}

LogicalResult sluice::detachInput(OperatorOp op) {
  if (!op.inputPorts())
    return success();
  OpBuilder builder(op);
  OperatorOp control = makePart(builder, op, "control", op.getInputs(), op.getPorts(), {});
  control.setKind((op.getKind() + ".control").str());
  control.setFactsAttr(OperatorFactsAttr::get(op.getContext(), OperatorTrait::native, {}, {}, 0));
  control.setNative(true);
  control.setSplitsAttr(op.getSplitsAttr());
  op.removeSplitsAttr();
  control.setThreadedPortsAttr(op.getThreadedPortsAttr());
  op.removeThreadedPortsAttr();
  builder.setInsertionPointToEnd(&control.getBody().front());
  for (auto param : op.getBody().getOps<ParamOp>())
    builder.clone(*param);
  builder.setInsertionPointToEnd(&op.getBody().front());
  auto learns = ParamOp::create(builder, op.getLoc(), "$control");
  builder.createBlock(&learns.getBody());
  Value yes = spl::ConstOp::create(builder, op.getLoc(), spl::RStringType::get(op.getContext()),
                                   builder.getStringAttr("yes"));
  YieldOp::create(builder, op.getLoc(), yes);
  op.getInputsMutable().clear();
  op.setPorts(ArrayRef<int32_t>{});
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
