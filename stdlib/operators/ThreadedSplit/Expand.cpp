//===- Expand.cpp - the queues of spl.utility::ThreadedSplit ------------------===//
//
// The C++ class chooses an output port. Behind each of them is a Custom that passes all on, and
// whose input port is a threadedPort.
//
//===----------------------------------------------------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// The constant, as a size that a queue may have.
static FailureOr<int32_t> sizeOf(OperatorOp op) {
  Region *param = op.param("bufferSize");
  auto constant = param ? yieldOf(*param).getValues()[0].getDefiningOp<spl::ConstOp>() : nullptr;
  auto number = constant ? dyn_cast_if_present<IntegerAttr>(constant.getValueAttr()) : nullptr;
  if (!number)
    return op.emitError("internal error: `bufferSize` is no constant");
  return int32_t(number.getValue().getLimitedValue(std::numeric_limits<int32_t>::max()));
}

LogicalResult sluice::expandThreadedSplit(OperatorOp op) {
  FailureOr<int32_t> size = sizeOf(op);
  if (failed(size))
    return failure();
  auto queue = ThreadedPortAttr::get(op.getContext(), 0, Congestion::Wait, *size);
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfter(op);
  for (auto [port, stream] : llvm::enumerate(op.getOutputs())) {
    std::string part = ("output " + llvm::Twine(port)).str();
    OperatorOp behind = makePart(builder, op, part, stream, {1}, stream.getType());
    stream.replaceAllUsesExcept(behind.getOutputs()[0], behind);
    behind.setThreadedPortsAttr(builder.getArrayAttr({queue}));
    HandlerBuilder code = beginOnTuple(behind, behind, 0);
    code.submit(0, code.argument(0));
    code.end();
    addOnPunct(behind, behind, 0, /*forward=*/true);
  }
  return success();
}
