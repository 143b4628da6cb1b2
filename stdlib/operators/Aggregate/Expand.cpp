//===- Expand.cpp - spl.relational::Aggregate over its window -------------===//
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/summary/Stores.h"
#include "passes/expand/window/Policy.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::window;

/// Whether a parameter is the constant true.
static bool isSet(stream::OperatorOp op, StringRef name) {
  Region *param = op.param(name);
  if (!param)
    return false;
  auto yield = cast<stream::YieldOp>(param->back().back());
  auto constant = yield.getValues()[0].getDefiningOp<spl::ConstOp>();
  auto value = constant ? dyn_cast_or_null<IntegerAttr>(constant.getValueAttr()) : IntegerAttr();
  return value && !value.getValue().isZero();
}

static std::unique_ptr<Contents> makeStore(stream::OperatorOp op, stream::Store store,
                                           Policy &policy) {
  Region *groupBy = op.param("groupBy");
  switch (store) {
  case stream::Store::Running:
    return makeRunning(op, groupBy, policy.record());
  case stream::Store::Invertible:
    return makeInvertible(op, groupBy, policy.record(), policy.marks());
  case stream::Store::TwoStacks:
    return makeTwoStacks(op, policy.record(), policy.marks());
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
  PolicyOptions options;
  options.incomplete = isSet(op, "aggregateIncompleteWindows");
  options.submitEvicted = isSet(op, "aggregateEvictedPartitions");
  Policy policy(op, 0, op.param("partitionBy"), options);
  std::unique_ptr<Contents> store = makeStore(op, op.window(0).getPlan()->getStore(), policy);
  policy.expand(*store);
  return success();
}
