//===- Expand.cpp - spl.utility::Pair as handlers -------------------------------===//
#include "passes/expand/hold/TupleSets.h"

using namespace mlir;
using namespace sluice;

LogicalResult sluice::expandPair(stream::OperatorOp op) {
  hold::TupleSets sets(op, [](HandlerBuilder &code, ArrayRef<Value> tuples) {
    for (Value tuple : tuples)
      code.submit(0, tuple);
    code.submitWindow(0);
  });
  sets.addHandlers();
  return success();
}
