//===- Expand.cpp - spl.adapter::MetricsSink as handlers ------------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/window/Record.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// A value of a parameter that is evaluated once, or `otherwise`.
static Value startValue(OperatorOp op, HandlerBuilder &code, StringRef name, unsigned index,
                        Value otherwise) {
  Region *param = op.param(name);
  return param ? code.inlineBody(*param, {})[index] : otherwise;
}

/// The name of metric `index`, which is made where this state begins.
static AddedState addMetric(OperatorOp op, unsigned index) {
  MLIRContext *context = op.getContext();
  mlir::Type text = spl::RStringType::get(context), number = window::si64(context);
  SmallVector<StringAttr> members;
  for (const char *member : {"Gauge", "Counter", "Time"})
    members.push_back(StringAttr::get(context, member));
  auto kinds = spl::EnumType::get(context, members);
  AddedState name(op, "metric" + std::to_string(index), "the name of a metric", text);
  HandlerBuilder code(op.getLoc(), name.init(), {});
  Value empty = spl::ConstOp::create(code.ops(), code.loc(), text, Attribute());
  Value called = startValue(op, code, "names", index, empty);
  Value description = startValue(op, code, "descriptions", index, empty);
  Value begin = startValue(op, code, "initialValues", index, code.constant(number, 0));
  code.call("sl_createCustomMetric_rrUl", {}, {called, description, code.constant(kinds, 0), begin},
            {}, {}, spl::Effect::metrics);
  YieldOp::create(code.ops(), code.loc(), called);
  return name;
}

LogicalResult sluice::expandMetricsSink(OperatorOp op) {
  Region &metrics = *op.param("metrics");
  SmallVector<AddedState> names;
  for (unsigned i = 0; i < yieldOf(metrics).getValues().size(); ++i)
    names.push_back(addMetric(op, i));
  HandlerBuilder code = beginOnTuple(op, 0);
  SmallVector<Value> values = code.inlineBody(metrics, code.argument(0));
  for (auto [name, value] : llvm::zip_equal(names, values))
    code.call("sl_setCustomMetricValue_rl", {}, {code.load(name.place(code)), value}, {}, {},
              spl::Effect::metrics);
  code.end();
  addOnPunct(op, 0);
  return success();
}
