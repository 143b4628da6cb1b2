//===- Expand.cpp - the window of com.ibm.streamsx.inet.rest::HTTPTupleView -===//
//
// A Custom before the operator keeps the window. Whenever it fires it submits the tuples that are
// in it, and a window marker.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Policy.h"
#include "passes/expand/window/RingStore.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;
using namespace sluice::window;

namespace {
/// Tuples as they came.
class Tuples : public RingStore {
public:
  Tuples(spl::TupleType tuple, Record &window, ArrayRef<mlir::Type> marks)
      : RingStore(window, marks), tupleAt(entry.add("tuple", tuple)) {
    complete();
  }
  void insert(HandlerBuilder &code, Value window, Value tuple, ArrayRef<Value> marks) override {
    code.store(tuple, code.fieldRef(push(code, window, marks), tupleAt));
  }
  void submit(HandlerBuilder &code, Value window) override {
    code.forEach(size(code, window), [&](Value at) {
      code.submit(0, code.load(code.fieldRef(ring->at(code, window, at), tupleAt)));
    });
  }
  void evictOldest(HandlerBuilder &code, Value window) override { ring->pop(code, window); }
  void evictIf(HandlerBuilder &code, Value window, unsigned mark, Leaves leaves) override {
    dropIf(code, window, mark, leaves, [](Value) {});
  }

private:
  unsigned tupleAt;
};
} // namespace

/// The attributes that partitionKey names, as a parameter of the Custom.
static ParamOp makeKey(OperatorOp part, Region &names) {
  OpBuilder builder = OpBuilder::atBlockEnd(&part.getBody().front());
  spl::TupleType tuple = part.inputTuple(0);
  auto key = ParamOp::create(builder, part.getLoc(), builder.getStringAttr("partitionBy"));
  Block &body = key.getBody().emplaceBlock();
  Value argument = body.addArgument(tuple, part.getLoc());
  builder.setInsertionPointToEnd(&body);
  SmallVector<Value> values;
  for (Value text : yieldOf(names).getValues()) {
    StringRef all = cast<StringAttr>(text.getDefiningOp<spl::ConstOp>().getValueAttr()).getValue();
    for (StringRef name : llvm::split(all, ','))
      for (auto [index, attribute] : llvm::enumerate(tuple.getNames()))
        if (attribute.getValue() == name.trim())
          values.push_back(spl::FieldOp::create(builder, part.getLoc(), argument, index));
  }
  YieldOp::create(builder, part.getLoc(), values);
  return key;
}

LogicalResult sluice::expandHTTPTupleView(OperatorOp op) {
  MLIRContext *context = op.getContext();
  OpBuilder builder(op);
  OperatorOp part = makePart(builder, op, "window", op.getInputs(), op.getPorts(),
                             StreamType::get(context, op.inputTuple(0)));
  WindowOp window = op.window(0);
  window->moveBefore(&part.getBody().front(), part.getBody().front().end());
  window.setPlanAttr(WindowPlanAttr::get(
      context, Store::Tuples, StringAttr::get(context, "clients ask for all tuples"), 0));
  ParamOp key;
  if (Region *names = op.param("partitionKey"))
    key = makeKey(part, *names);
  PolicyOptions options;
  options.incomplete = true;
  Policy policy(part, 0, key ? &key.getBody() : nullptr, options);
  Tuples tuples(part.inputTuple(0), policy.record(), policy.marks());
  policy.expand(tuples);
  window.erase();
  if (key)
    key.erase();
  part.setSplitsAttr(op.getSplitsAttr());
  op.removeSplitsAttr();
  part.setThreadedPortsAttr(op.getThreadedPortsAttr());
  op.removeThreadedPortsAttr();
  op.getInputsMutable().assign(part.getOutputs());
  op.setPorts({1});
  return success();
}
