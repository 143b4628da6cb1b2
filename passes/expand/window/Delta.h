//===- Delta.h - distances of delta windows ---------------------*- C++ -*-===//
#pragma once
#include "passes/expand/HandlerBuilder.h"

namespace sluice::window {

/// Whether `value` lies more than `most`, which is not below 0, beyond `reference`: never if it has
/// gone back, or one of them is a NaN. All have one type; of timestamps, `most` may be in seconds
/// (f64).
mlir::Value isFurther(HandlerBuilder &, mlir::Value value, mlir::Value reference, mlir::Value most);

} // namespace sluice::window
