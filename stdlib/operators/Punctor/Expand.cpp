//===- Expand.cpp - spl.relational::Punctor as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Submits a window marker if the condition holds.
static void mark(OperatorOp op, HandlerBuilder &code) {
  Block *other = branchOnCondition(op, code, "punctuate"), *behind = code.newBlock();
  code.submitWindow(0);
  code.branch(behind);
  code.enter(other);
  code.branch(behind);
  code.enter(behind);
}

LogicalResult sluice::expandPunctor(OperatorOp op) {
  bool before = literalOf(op, "position") == "before";
  HandlerBuilder code = beginOnTuple(op, 0);
  if (before)
    mark(op, code);
  code.submit(0, outputTuple(op, code, 0));
  if (!before)
    mark(op, code);
  code.end();
  addOnPunct(op, 0);
  return success();
}
