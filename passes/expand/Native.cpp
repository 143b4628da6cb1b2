//===- Native.cpp - operators that the runtime has in C++ -----------===//
//
// A native operator has parameters, which are evaluated once at start, and no
// handlers. Its logic clause becomes a Custom before it; what a FileSource
// computes from what it read becomes a Custom behind it.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// A Custom that does part of what `op` does, under its name and @catch.
static OperatorOp makePart(OpBuilder &builder, OperatorOp op, StringRef part, ValueRange inputs,
                           ArrayRef<int32_t> ports, mlir::TypeRange outputs) {
  auto result = OperatorOp::create(builder, op.getLoc(), outputs, op.getName(),
                                   "spl.utility::Custom", inputs, ports, op.getIsCatch());
  result.getBody().emplaceBlock();
  result.setOriginal(op.getKind());
  result.setPart(part);
  result.setParallelRegionAttr(op.getParallelRegionAttr());
  result.setThreadingAttr(op.getThreadingAttr());
  return result;
}

/// `suppress : a, b` names attributes: their names are its values.
static void nameAttributes(ParamOp param) {
  Block &entry = param.getBody().front();
  auto yield = dyn_cast<YieldOp>(entry.back());
  if (!yield)
    return; // an expression with branches names nothing
  OpBuilder builder(yield);
  for (OpOperand &value : yield->getOpOperands()) {
    auto field = value.get().getDefiningOp<spl::FieldOp>();
    if (!field || !isa<BlockArgument>(field.getTuple()))
      continue;
    StringAttr name = field.getTuple().getType().getNames()[field.getIndex()];
    value.set(spl::ConstOp::create(builder, field.getLoc(),
                                   spl::RStringType::get(param.getContext()), name));
    if (field.use_empty())
      field.erase();
  }
}

/// Parameters are evaluated at start: they know neither tuple nor state.
static LogicalResult checkStartParams(OperatorOp op) {
  for (auto param : op.getBody().getOps<ParamOp>()) {
    if (param.getName() == "suppress")
      nameAttributes(param);
    Block &entry = param.getBody().front();
    bool usesTuple =
        !llvm::all_of(entry.getArguments(), [](Value value) { return value.use_empty(); });
    bool usesState =
        param.walk([](spl::StateOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (usesTuple || usesState)
      return param.emitError("not supported yet: parameter `")
             << param.getName() << "` of operator `" << op.getKind() << "` that depends on "
             << (usesTuple ? "the tuple" : "state");
    entry.eraseArguments(0, entry.getNumArguments());
  }
  return success();
}

static bool hasLogic(OperatorOp op) {
  return llvm::any_of(op.getBody().front(),
                      [](Operation &item) { return isa<OnTupleOp, OnPunctOp>(item); });
}

/// Moves state and logic into a Custom before the operator, which passes on
/// tuples and window marks.
static LogicalResult moveLogic(OperatorOp op) {
  if (!hasLogic(op))
    return success();
  if (op.inputPorts() != 1)
    return op.emitError("not supported yet: logic of operator `")
           << op.getKind() << "` with several input ports";
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

static void eraseHandlers(OperatorOp op) {
  for (Operation &item : llvm::make_early_inc_range(op.getBody().front()))
    if (!isa<ParamOp>(item))
      item.erase();
}

LogicalResult sluice::expandNative(OperatorOp op) {
  if (failed(checkStartParams(op)) || failed(moveLogic(op)))
    return failure();
  for (auto output : op.getBody().getOps<OutputOp>())
    return output.emitError("not supported yet: assignments of operator `") << op.getKind() << "`";
  eraseHandlers(op);
  op.setNative(true);
  return success();
}

//===--- FileSource -------------------------------------------------------===//

namespace {
/// How the source's own tuple relates to the one that the program sees.
struct RawTuple {
  SmallVector<StringAttr> names;
  SmallVector<mlir::Type> types;
  /// Per attribute of the output: its position in the raw tuple, or -1 if it
  /// is computed.
  SmallVector<int> direct;
  /// Attributes that only serve computations: function name to position.
  llvm::StringMap<unsigned> hidden;
  bool computes = false;

  unsigned add(StringAttr name, mlir::Type type) {
    names.push_back(name);
    types.push_back(type);
    return names.size() - 1;
  }
};
} // namespace

/// Tells the runtime that an attribute is not read, but `function`'s value.
static void addOutParam(OperatorOp op, StringRef attribute, StringRef function) {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto param = ParamOp::create(builder, op.getLoc(), ("$out." + attribute).str());
  builder.createBlock(&param.getBody());
  Value name = spl::ConstOp::create(builder, op.getLoc(), spl::RStringType::get(op.getContext()),
                                    builder.getStringAttr(function));
  YieldOp::create(builder, op.getLoc(), name);
}

static FailureOr<RawTuple> splitOutput(OperatorOp op, Region &output) {
  SmallVector<YieldOp> yields;
  for (Block &block : output)
    if (auto yield = dyn_cast<YieldOp>(block.back()))
      yields.push_back(yield);
  if (yields.size() != 1)
    return op.emitError("not supported yet: assignments with several ends");
  for (BlockArgument argument : output.getArguments())
    if (!argument.use_empty())
      return op.emitError("not supported yet: assignments of operator `")
             << op.getKind() << "` that use its input";

  RawTuple raw;
  spl::TupleType type = op.outputTuple(0);
  for (auto [name, value] : llvm::zip_equal(type.getNames(), yields[0].getValues())) {
    auto fn = value.getDefiningOp<spl::OutputFnOp>();
    raw.direct.push_back(fn ? int(raw.add(name, value.getType())) : -1);
    raw.computes |= !fn;
    if (fn && fn.getName() != "AsIs")
      addOutParam(op, name, fn.getName());
  }
  output.walk([&](spl::OutputFnOp fn) {
    bool nested = llvm::any_of(fn->getUsers(), [&](Operation *user) { return user != yields[0]; });
    if (!nested || raw.hidden.contains(fn.getName()))
      return;
    std::string name = "$" + fn.getName().str();
    raw.hidden[fn.getName()] = raw.add(StringAttr::get(op.getContext(), name), fn.getType());
    addOutParam(op, name, fn.getName());
  });
  return raw;
}

/// Adds the Custom behind the source that makes the tuple from the raw one.
static void addComputation(OperatorOp op, Region &output, const RawTuple &raw) {
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  auto type = spl::TupleType::get(op.getContext(), raw.names, raw.types);
  mlir::Type result = op.getOutputs()[0].getType();
  OperatorOp behind = makePart(builder, op, "output", op.getOutputs()[0], {1}, result);
  op.getOutputs()[0].replaceAllUsesExcept(behind.getOutputs()[0], behind);
  op.getOutputs()[0].setType(StreamType::get(op.getContext(), type));
  for (auto state : llvm::make_early_inc_range(op.getBody().getOps<StateOp>()))
    state->moveBefore(&behind.getBody().front(), behind.getBody().front().end());

  HandlerBuilder code = beginOnTuple(behind, behind, 0);
  Value tuple = code.argument(0);
  SmallVector<Value> values = code.inlineBody(output, {});
  for (auto [value, position] : llvm::zip_equal(values, raw.direct))
    if (position >= 0)
      value = code.field(tuple, position);
  code.submit(0, code.tuple(behind.outputTuple(0), values));
  code.end();
  behind.walk([&](spl::OutputFnOp fn) {
    if (!fn.use_empty()) {
      OpBuilder at(fn);
      fn.replaceAllUsesWith(
          Value(spl::FieldOp::create(at, fn.getLoc(), tuple, raw.hidden.lookup(fn.getName()))));
    }
    fn.erase();
  });
  addOnPunct(behind, 0, /*forward=*/true);
}

LogicalResult sluice::expandFileSource(OperatorOp op) {
  if (failed(checkStartParams(op)) || failed(moveLogic(op)))
    return failure();
  if (Region *output = op.output(0)) {
    FailureOr<RawTuple> raw = splitOutput(op, *output);
    if (failed(raw))
      return failure();
    if (raw->computes)
      addComputation(op, *output, *raw);
  }
  eraseHandlers(op);
  op.setNative(true);
  return success();
}
