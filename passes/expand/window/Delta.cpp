//===- Delta.cpp - distances of delta windows -----------------------------===//
#include "passes/expand/window/Delta.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using spl::CompareKind;

Value window::isFurther(HandlerBuilder &code, Value value, Value reference, Value most) {
  Value beyond = code.compare(CompareKind::gt, value, reference);
  Value distance = code.sub(value, reference);
  mlir::Type type = most.getType();
  // The distance of two signed numbers may be out of their range, but not if it is unsigned.
  if (type.isSignedInteger())
    type = IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(), IntegerType::Unsigned);
  Value further = code.compare(CompareKind::gt, code.cast(distance, type), code.cast(most, type));
  return arith::AndIOp::create(code.ops(), code.loc(), beyond, further);
}
