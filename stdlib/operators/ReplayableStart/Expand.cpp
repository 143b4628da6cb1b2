//===- Expand.cpp - spl.utility::ReplayableStart as handlers --------------------===//
//
// The logs are the runtime's: those of the sources that lead here (runtime/exec/spool).
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

LogicalResult sluice::expandReplayableStart(OperatorOp op) {
  HandlerBuilder code = beginOnTuple(op, 0);
  code.submit(0, outputTuple(op, code, 0));
  code.end();
  addOnPunct(op, 0, [&](HandlerBuilder &code) {
    if (op.is(stream::RecoveryRole::Triggers))
      SavePointOp::create(code.ops(), code.loc(), stream::SaveStep::Ask);
  });
  return success();
}
