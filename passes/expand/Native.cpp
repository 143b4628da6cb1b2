//===- Native.cpp - operators that the runtime has in C++ -----------===//
//
// A native operator has parameters, which are evaluated once at the start, and no
// handlers. Its logic clause becomes a Custom before it, which also evaluates the
// parameters that depend on the tuple: their values are attributes `$NAME` behind
// those of the tuple.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"
#include <numeric>

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

/// An attribute without elements is none.
static ArrayAttr listOf(OperatorOp op, ArrayRef<Attribute> items) {
  bool isEmpty = llvm::all_of(items, [](Attribute item) {
    auto list = dyn_cast<ArrayAttr>(item);
    return list && list.empty();
  });
  return isEmpty ? ArrayAttr() : ArrayAttr::get(op.getContext(), items);
}

/// Divides config threadedPort between `op` and `to`, whose only port was `port` of `op`.
static void divideThreads(OperatorOp op, unsigned port, OperatorOp to) {
  SmallVector<Attribute> here, there;
  for (auto item : op.getThreadedPorts().getAsRange<ThreadedPortAttr>())
    if (item.getPort() != int32_t(port))
      here.push_back(item);
    else
      there.push_back(
          ThreadedPortAttr::get(op.getContext(), 0, item.getCongestion(), item.getSize()));
  op.setThreadedPortsAttr(listOf(op, here));
  to.setThreadedPortsAttr(listOf(op, there));
}

/// Hands the streams of an input port to `to`, whose only port they enter, with all that `op` says
/// of them. `instead` enters `op` there; if there is nothing, `op` loses the port, its last one.
static void handOver(OperatorOp op, unsigned port, OperatorOp to, ValueRange instead) {
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<int32_t> ports(op.getPorts());
  SmallVector<Attribute> splits(op.getSplits().begin(), op.getSplits().end());
  auto first = std::accumulate(ports.begin(), ports.begin() + port, 0), end = first + ports[port];
  auto replace = [&](auto &list, auto &&with) {
    list.erase(list.begin() + first, list.begin() + end);
    list.insert(list.begin() + first, with.begin(), with.end());
  };
  if (!splits.empty()) {
    to.setSplitsAttr(listOf(op, ArrayRef(splits).slice(first, ports[port])));
    ArrayAttr none = ArrayAttr::get(op.getContext(), {});
    replace(splits, SmallVector<Attribute>(instead.size(), none));
    op.setSplitsAttr(listOf(op, splits));
  }
  divideThreads(op, port, to);
  if (RecoveryAttr recovery = op.getRecoveryAttr()) {
    auto with = [&](uint32_t inputs) {
      return RecoveryAttr::get(op.getContext(), recovery.getRegion(), recovery.getRoles(), inputs);
    };
    to.setRecoveryAttr(with(recovery.getInputs() >> port & 1));
    if (instead.empty())
      op.setRecoveryAttr(with(recovery.getInputs() & ~(1u << port)));
  }
  replace(inputs, instead);
  ports[port] = int32_t(instead.size());
  if (instead.empty())
    ports.pop_back();
  op.getInputsMutable().assign(inputs);
  op.setPorts(ports);
}

static bool hasLogic(OperatorOp op, unsigned port) {
  return op.onTuple(port) || !op.onMarks(port).empty();
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

/// Moves the logic of one port, with the state.
static void moveLogicOf(OperatorOp op, unsigned port, ArrayRef<ParamOp> carried) {
  OpBuilder builder(op);
  spl::TupleType type = carryingType(op.inputTuple(port), carried);
  OperatorOp before = makePart(builder, op, "logic", op.streamsOf(port), op.getPorts()[port],
                               StreamType::get(op.getContext(), type));
  for (auto state : llvm::make_early_inc_range(op.getBody().getOps<StateOp>()))
    state->moveBefore(&before.getBody().front(), before.getBody().front().end());
  HandlerBuilder code = beginOnTuple(before, op, port);
  code.submit(0, carryingTuple(code, type, carried));
  code.end();
  for (ParamOp param : carried)
    param.erase();
  addOnPunct(before, op, port, /*forward=*/true);
  for (Operation &item : before.getBody().front())
    if (auto handler = dyn_cast<OnTupleOp>(item))
      handler.setPort(0);
    else if (auto handler = dyn_cast<OnPunctOp>(item))
      handler.setPort(0);
  handOver(op, port, before, before.getOutputs());
}

LogicalResult sluice::moveLogic(OperatorOp op) {
  SmallVector<ParamOp> carried = carriedParams(op);
  SmallVector<unsigned> ports;
  for (unsigned port = 0; port < op.inputPorts(); ++port)
    if (hasLogic(op, port) || !carried.empty())
      ports.push_back(port);
  if (!carried.empty() && op.inputPorts() != 1)
    return op.emitError("internal error: values that native operator `")
           << op.getKind() << "` with " << op.inputPorts() << " input ports takes by the tuple";
  if (ports.size() > 1 && !op.getBody().getOps<StateOp>().empty())
    return op.emitError("logic of several input ports of `")
           << op.getKind() << "` with state is not in this release";
  for (unsigned port : ports)
    moveLogicOf(op, port, carried);
  return success();
}

LogicalResult sluice::detachInput(OperatorOp op, unsigned port) {
  if (op.inputPorts() <= port)
    return success();
  OpBuilder builder(op);
  OperatorOp control =
      makePart(builder, op, "control", op.streamsOf(port), op.getPorts()[port], {});
  control.setKind((op.getKind() + ".control").str());
  control.setFactsAttr(OperatorFactsAttr::get(op.getContext(), OperatorTrait::native, {}, {}, 0));
  control.setNative(true);
  handOver(op, port, control, {});
  builder.setInsertionPointToEnd(&control.getBody().front());
  for (auto param : op.getBody().getOps<ParamOp>())
    builder.clone(*param);
  builder.setInsertionPointToEnd(&op.getBody().front());
  auto learns = ParamOp::create(builder, op.getLoc(), "$control");
  builder.createBlock(&learns.getBody());
  Value yes = spl::ConstOp::create(builder, op.getLoc(), spl::RStringType::get(op.getContext()),
                                   builder.getStringAttr("yes"));
  YieldOp::create(builder, op.getLoc(), yes);
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
