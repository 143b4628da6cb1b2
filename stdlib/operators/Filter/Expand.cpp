//===- Expand.cpp - spl.relational::Filter as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

LogicalResult sluice::expandFilter(OperatorOp op) {
  HandlerBuilder code = beginOnTuple(op, 0);
  Block *rejected = branchOnCondition(op, code, "filter");
  code.submit(0, outputTuple(op, code, 0));
  code.end();
  if (rejected) {
    code.enter(rejected);
    if (op.getNumResults() > 1)
      code.submit(1, outputTuple(op, code, 1));
    code.end();
  }
  addOnPunct(op, 0);
  return success();
}
