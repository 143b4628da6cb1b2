//===- Watermark.h - what passes know of watermarks -------------*- C++ -*-===//
//
// Times are nanoseconds since 1970 (si64). All times of tuples are between -2^62 and 2^62.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "passes/expand/OperatorExpansion.h"

namespace sluice {

constexpr int64_t kEarliest = -(int64_t(1) << 62);

inline mlir::Type timeType(mlir::MLIRContext *context) {
  return mlir::IntegerType::get(context, 64, mlir::IntegerType::Signed);
}

/// Adds a state variable that begins as the earliest time.
inline AddedState addTime(stream::OperatorOp op, llvm::StringRef name) {
  mlir::Type type = timeType(op.getContext());
  AddedState state(op, name, type);
  HandlerBuilder code(op.getLoc(), state.init(), {});
  stream::YieldOp::create(code.ops(), code.loc(), code.constant(type, kEarliest));
  return state;
}

} // namespace sluice
