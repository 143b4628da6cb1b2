//===- Delta.cpp - distances of delta windows -----------------------------===//
#include "passes/expand/window/Delta.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;
using spl::CompareKind;

Value window::isFurther(HandlerBuilder &code, Value value, Value reference, Value most) {
  Value distance = code.sub(value, reference);
  if (isa<spl::TimestampType>(value.getType()))
    distance = code.cast(distance, code.ops().getF64Type());
  Value further = code.compare(CompareKind::gt, distance, most);
  if (!value.getType().isUnsignedInteger())
    return further;
  // Below the reference the difference of unsigned numbers wraps.
  Value beyond = code.compare(CompareKind::gt, value, reference);
  return arith::AndIOp::create(code.ops(), code.loc(), beyond, further);
}
