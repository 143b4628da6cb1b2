//===- Delta.h - distances of delta windows ---------------------*- C++ -*-===//
#pragma once
#include "passes/expand/HandlerBuilder.h"

namespace sluice::window {

/// Whether `value` lies more than `most` beyond `reference`. Numbers of one type; of timestamps,
/// `most` is in seconds (f64).
mlir::Value isFurther(HandlerBuilder &, mlir::Value value, mlir::Value reference, mlir::Value most);

} // namespace sluice::window
