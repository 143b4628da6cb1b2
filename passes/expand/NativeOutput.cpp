//===- NativeOutput.cpp - the output clause of a native source ------------===//
//
// The C++ class makes attributes without an assignment, and knows the values of output
// functions, which it learns by parameters `$out.ATTRIBUTE`. What the program computes
// from these becomes a Custom behind it, which takes the raw tuple apart.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

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

/// Tells the C++ class that an attribute is `function`'s value.
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
    return op.emitError("internal error: assignments with several ends");
  for (BlockArgument argument : output.getArguments())
    if (!argument.use_empty())
      return op.emitError("internal error: assignments that use the input");

  RawTuple raw;
  spl::TupleType type = op.outputTuple(0);
  for (auto [name, value] : llvm::zip_equal(type.getNames(), yields[0].getValues())) {
    auto fn = value.getDefiningOp<spl::OutputFnOp>();
    bool isDirect = fn || value.getDefiningOp<spl::SuppliedOp>();
    raw.direct.push_back(isDirect ? int(raw.add(name, value.getType())) : -1);
    raw.computes |= !isDirect;
    if (fn)
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

/// Takes the values that the raw tuple has out of those that the region yields.
static void leaveComputed(Region &output, const RawTuple &raw) {
  for (Block &block : output)
    if (auto yield = dyn_cast<YieldOp>(block.back())) {
      SmallVector<Value> computed;
      for (auto [value, position] : llvm::zip_equal(yield.getValues(), raw.direct))
        if (position < 0)
          computed.push_back(value);
      yield->setOperands(computed);
    }
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

  leaveComputed(output, raw);
  HandlerBuilder code = beginOnTuple(behind, behind, 0);
  Value tuple = code.argument(0);
  SmallVector<Value> values, computed = code.inlineBody(output, {});
  for (auto *next = computed.begin(); int position : raw.direct)
    values.push_back(position >= 0 ? code.field(tuple, position) : *next++);
  code.submit(0, code.tuple(behind.outputTuple(0), values));
  code.end();
  behind.walk([](spl::SuppliedOp supplied) { supplied.erase(); }); // are fields
  behind.walk([&](spl::OutputFnOp fn) {
    if (!fn.use_empty()) {
      OpBuilder at(fn);
      fn.replaceAllUsesWith(
          Value(spl::FieldOp::create(at, fn.getLoc(), tuple, raw.hidden.lookup(fn.getName()))));
    }
    fn.erase();
  });
  addOnPunct(behind, behind, 0, /*forward=*/true);
}

LogicalResult sluice::moveOutput(OperatorOp op) {
  Region *output = op.output(0);
  if (!output)
    return success();
  FailureOr<RawTuple> raw = splitOutput(op, *output);
  if (failed(raw))
    return failure();
  if (raw->computes)
    addComputation(op, *output, *raw);
  output->getParentOp()->erase();
  return success();
}
