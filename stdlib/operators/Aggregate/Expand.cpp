//===- Expand.cpp - spl.relational::Aggregate over its window -------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/summary/Stores.h"
#include "passes/expand/window/Intervals.h"
#include "passes/expand/window/Policy.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

/// A window of event time.
static void expandInterval(stream::OperatorOp op) {
  Intervals intervals(op, 0, op.param("partitionBy"),
                      {.floorDiv = "sl_floorDiv_ll", .timestamp = "sl_createTimestamp_lj"});
  Region *groupBy = op.param("groupBy");
  bool keepsTuples = op.window(0).getPlan()->getStore() == stream::Store::Tuples;
  auto store = keepsTuples ? makeTuples(op, groupBy, intervals.record(), {})
                           : makeRunning(op, groupBy, intervals.record());
  intervals.expand(*store);
}

static std::unique_ptr<Contents> makeStore(stream::OperatorOp op, Policy &policy) {
  stream::WindowPlanAttr plan = *op.window(0).getPlan();
  Region *groupBy = op.param("groupBy");
  switch (plan.getStore()) {
  case stream::Store::Running:
    return makeRunning(op, groupBy, policy.record());
  case stream::Store::Invertible:
    return makeInvertible(op, groupBy, policy.record(), policy.marks());
  case stream::Store::TwoStacks:
    return makeTwoStacks(op, policy.record(), policy.marks(), plan.getPane());
  case stream::Store::Panes:
    if (plan.getPane() == 0)
      return makeValuePanes(op, groupBy, policy.record(), policy.marks());
    return makePanes(op, groupBy, policy.record(), policy.marks(), plan.getPane());
  case stream::Store::Tuples:
    return makeTuples(op, groupBy, policy.record(), policy.marks());
  case stream::Store::Rows:
  case stream::Store::Heap:
  case stream::Store::Scan:
  case stream::Store::Index:
  case stream::Store::Nothing:
    break;
  }
  llvm_unreachable("a store that has no output functions");
}

LogicalResult sluice::expandAggregate(stream::OperatorOp op) {
  if (op.window(0).getWindow().isInterval()) {
    expandInterval(op);
    return success();
  }
  PolicyOptions options;
  options.incomplete = flagOf(op, "aggregateIncompleteWindows", false);
  options.submitEvicted = flagOf(op, "aggregateEvictedPartitions", false);
  Policy policy(op, 0, op.param("partitionBy"), options);
  std::unique_ptr<Contents> store = makeStore(op, policy);
  policy.expand(*store);
  return success();
}
