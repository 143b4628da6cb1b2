//===- Expand.cpp - the parts of spl.XML::XMLParse ------------------------===//
//
// The C++ class makes what comes from the document and what is an attribute of the input. What
// the program computes becomes a Custom behind each output port that needs one. It gets the
// attributes of the input that it reads as further attributes, `$in.NAME`.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/XMLParse/PlanExpand.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
/// What the C++ class submits at one output port.
class RawPort {
public:
  RawPort(OperatorOp op, unsigned port, xml::Plan &plan)
      : op(op), port(port), plan(plan), output(*op.output(port)), inputType(op.inputTuple(0)) {}

  LogicalResult run() {
    if (!llvm::hasSingleElement(llvm::make_filter_range(
            output, [](Block &block) { return isa<YieldOp>(block.back()); })))
      return op.emitError("internal error: assignments with several ends");
    split();
    if (computes) {
      collectInputs();
      addComputation();
    }
    output.getParentOp()->erase();
    return success();
  }

private:
  unsigned add(StringAttr name, mlir::Type type) {
    names.push_back(name);
    types.push_back(type);
    return names.size() - 1;
  }
  /// The attribute of the input that a value is, or -1.
  int inputOf(Value value) const {
    auto field = value.getDefiningOp<spl::FieldOp>();
    return field && field.getTuple() == output.getArgument(0) ? int(field.getIndex()) : -1;
  }
  StringRef inputName(unsigned index) const { return inputType.getNames()[index].getValue(); }

  void split();
  bool makes(Value value, StringAttr name);
  void hideCalls();
  void removeDead();
  void collectInputs();
  void addComputation();

  OperatorOp op;
  unsigned port;
  xml::Plan &plan;
  Region &output;
  spl::TupleType inputType;
  SmallVector<StringAttr> names;
  SmallVector<mlir::Type> types;
  SmallVector<int> direct;             // by attribute of the output: its position here, or -1
  llvm::MapVector<int, unsigned> read; // attributes of the input, and their positions here
  llvm::StringMap<unsigned> hidden;    // calls in what is computed, by name: their positions here
  bool computes = false;
};
} // namespace

/// Whether the C++ class makes the value; then the plan says how.
bool RawPort::makes(Value value, StringAttr name) {
  xml::Plan::Position at = {uint32_t(names.size())};
  if (value.getDefiningOp<spl::SuppliedOp>())
    plan.supplied(port, at, name.getValue(), value.getType());
  else if (xml::callOf(value))
    plan.assigned(port, at, value);
  else if (inputOf(value) >= 0)
    plan.copied(port, at, inputName(inputOf(value)));
  else
    return false;
  return true;
}

void RawPort::split() {
  YieldOp yield = yieldOf(output);
  OpBuilder builder = OpBuilder::atBlockBegin(&output.front());
  for (auto [index, name] : llvm::enumerate(op.outputTuple(port).getNames())) {
    Value value = yield.getValues()[index];
    bool isDirect = makes(value, name);
    direct.push_back(isDirect ? int(add(name, value.getType())) : -1);
    computes |= !isDirect;
    if (isDirect) // its place, which the computation fills
      yield.setOperand(index, spl::SuppliedOp::create(builder, op.getLoc(), value.getType()));
  }
  removeDead();
  hideCalls();
}

/// Whether a value is for an argument of an output function only.
static bool isArgument(Operation *made) {
  return llvm::any_of(made->getUsers(), [](Operation *user) {
    return isa<spl::OutputFnOp>(user) ||
           (isa<spl::CastOp, spl::MakeTupleOp>(user) && isArgument(user));
  });
}

/// What stands in the values that are computed becomes attributes, which are named for people.
void RawPort::hideCalls() {
  SmallVector<spl::OutputFnOp> calls;
  output.walk([&](spl::OutputFnOp call) {
    if (!isArgument(call))
      calls.push_back(call);
  });
  for (spl::OutputFnOp call : calls) {
    Value value = call;
    if (call->hasOneUse())
      if (auto cast = dyn_cast<spl::CastOp>(*call->user_begin()); cast && xml::callOf(cast))
        value = cast;
    std::string name = call.getName().str() + "(\"" + xml::textOf(call.getArgs()[0]).str() + "\")";
    if (hidden.contains(name))
      name += " " + std::to_string(hidden.size());
    unsigned at = hidden[name] = add(StringAttr::get(op.getContext(), name), value.getType());
    plan.assigned(port, {at}, value);
    OpBuilder builder(value.getDefiningOp());
    value.replaceAllUsesWith(
        spl::OutputFnOp::create(builder, call.getLoc(), value.getType(), name, ValueRange()));
  }
  removeDead();
}

/// Removes the calls of output functions, and what they take.
void RawPort::removeDead() {
  for (Block &block : llvm::reverse(output))
    for (Operation &each : llvm::make_early_inc_range(llvm::reverse(block)))
      if (each.use_empty() && isa<spl::OutputFnOp, spl::CastOp, spl::MakeTupleOp, spl::ConstOp,
                                  spl::FieldOp, spl::SuppliedOp>(each))
        each.erase();
}

void RawPort::collectInputs() {
  auto need = [&](unsigned index) {
    auto [slot, isNew] = read.try_emplace(int(index), 0);
    if (isNew)
      slot->second = add(StringAttr::get(op.getContext(), "$in." + inputName(index)),
                         inputType.getTypes()[index]);
    if (isNew)
      plan.copied(port, {uint32_t(slot->second)}, inputName(index));
  };
  for (Operation *user : output.getArgument(0).getUsers())
    if (auto field = dyn_cast<spl::FieldOp>(user))
      need(field.getIndex());
    else
      for (unsigned index = 0; index < inputType.getNames().size(); ++index)
        need(index);
}

/// Adds the Custom that makes the tuple from the raw one.
void RawPort::addComputation() {
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  Value stream = op.getOutputs()[port];
  OperatorOp behind = makePart(builder, op, "output", stream, {1}, stream.getType());
  stream.replaceAllUsesExcept(behind.getOutputs()[0], behind);
  stream.setType(
      StreamType::get(op.getContext(), spl::TupleType::get(op.getContext(), names, types)));

  HandlerBuilder code = beginOnTuple(behind, behind, 0);
  Value tuple = code.argument(0);
  SmallVector<Value> input;
  for (auto [index, type] : llvm::enumerate(inputType.getTypes())) {
    auto found = read.find(int(index));
    input.push_back(found == read.end() ? code.zero(type) : code.field(tuple, found->second));
  }
  SmallVector<Value> values = code.inlineBody(output, code.tuple(inputType, input));
  for (auto [value, position] : llvm::zip_equal(values, direct))
    if (position >= 0)
      value = code.field(tuple, position);
  code.submit(0, code.tuple(behind.outputTuple(0), values));
  code.end();
  behind.walk([](spl::SuppliedOp supplied) { supplied.erase(); }); // became fields
  behind.walk([&](spl::OutputFnOp fn) {
    OpBuilder at(fn);
    fn.replaceAllUsesWith(
        Value(spl::FieldOp::create(at, fn.getLoc(), tuple, hidden.lookup(fn.getName()))));
    fn.erase();
  });
  addOnPunct(behind, behind, 0, /*forward=*/true);
}

LogicalResult sluice::expandXMLParse(OperatorOp op) {
  xml::Plan plan(op);
  for (unsigned port = 0; port < op.getNumResults(); ++port)
    if (failed(RawPort(op, port, plan).run()))
      return failure();
  plan.emit();
  return success();
}
