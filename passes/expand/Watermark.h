//===- Watermark.h - what passes know of watermarks -------------*- C++ -*-===//
//
// Times are nanoseconds since 1970 (si64). All times of tuples are between -2^62 and 2^62.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"
#include "sluice/enums.h"

namespace sluice {

constexpr int64_t kEarliest = -kMostEventTime;

inline mlir::Type timeType(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 64, mlir::IntegerType::Signed);
}

/// Adds a state variable that begins as the earliest time.
inline AddedState addTime(stream::OperatorOp op, llvm::StringRef name, const llvm::Twine &what) {
  mlir::Type type = timeType(op.getContext());
  AddedState state(op, name, what, type);
  HandlerBuilder code(op.getLoc(), state.init(), {});
  stream::YieldOp::create(code.ops(), code.loc(), code.constant(type, kEarliest));
  return state;
}

/// Whether watermarks of input port `in` go on to output port `out`. What an operator became has
/// one input, or forwards all.
inline bool forwardsWatermarks(stream::OperatorOp op, unsigned in, unsigned out) {
  if (op.getPart())
    return true;
  mlir::ArrayAttr ports = op.getWatermarkPorts();
  return out < ports.size() &&
         llvm::is_contained(llvm::cast<mlir::DenseI32ArrayAttr>(ports[out]).asArrayRef(), in);
}

/// Calls `body` for each stream to which watermarks of a stream go on through one of its consumers.
inline void forEachForwarded(mlir::OpOperand &use, llvm::function_ref<void(mlir::Value)> body) {
  auto op = llvm::cast<stream::OperatorOp>(use.getOwner());
  unsigned in = op.portOf(use.getOperandNumber());
  for (mlir::OpResult out : op.getOutputs())
    if (forwardsWatermarks(op, in, out.getResultNumber()))
      body(out);
}

} // namespace sluice
