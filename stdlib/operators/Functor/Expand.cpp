//===- Expand.cpp - spl.relational::Functor as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

LogicalResult sluice::expandFunctor(OperatorOp op) {
  HandlerBuilder code = beginOnTuple(op, 0);
  Block *rejected = branchOnCondition(op, code, "filter");
  for (unsigned port = 0; port < op.getNumResults(); ++port)
    code.submit(port, outputTuple(op, code, port));
  code.end();
  if (rejected) {
    code.enter(rejected);
    code.end();
  }
  addOnPunct(op, 0);
  return success();
}
