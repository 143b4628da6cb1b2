//===- Expand.cpp - spl.utility::Barrier as handlers ----------------------------===//
#include "passes/expand/hold/TupleSets.h"

using namespace mlir;
using namespace sluice;

LogicalResult sluice::expandBarrier(stream::OperatorOp op) {
  hold::TupleSets sets(op, [op](HandlerBuilder &code, ArrayRef<Value> tuples) {
    code.submit(0, outputTuple(op, code, 0, tuples));
  });
  sets.addHandlers();
  return success();
}
