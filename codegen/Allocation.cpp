//===- Allocation.cpp - what may take scratch memory ----------------------===//
#include "codegen/Allocation.h"

using namespace mlir;
using namespace sluice;

static bool isScalar(mlir::Type type) { return isa<IntegerType, FloatType, spl::EnumType>(type); }

bool Allocation::mayAllocate(Operation *op) {
  if (isa<spl::MakeListOp, spl::MakeSetOp, spl::MakeMapOp, spl::SliceOp>(op))
    return true;
  if (isa<spl::BinaryOp, spl::CastOp, spl::CopyOp, spl::NativeOp>(op))
    return !llvm::all_of(op->getOperandTypes(), isScalar) || !llvm::all_of(op->getResultTypes(), isScalar);
  if (auto call = dyn_cast<spl::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<spl::FuncOp>(op, call.getCalleeAttr());
    auto [slot, isNew] = functions.try_emplace(callee, true); // true while it is open: recursion
    if (isNew)
      functions[callee] = mayAllocate(callee.getBody());
    return functions[callee];
  }
  return false;
}

bool Allocation::mayAllocate(Region &region) {
  return region.walk([&](Operation *op) { return mayAllocate(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool Allocation::tupleMayAllocate(OpInfo &op, unsigned inPort) {
  if (op.native >= 0)
    return true;
  auto key = std::make_pair(op.index, inPort);
  auto [slot, isNew] = tuples.try_emplace(key, true); // a loop would not be direct
  if (!isNew)
    return slot->second;
  Region *body = op.op.onTuple(inPort);
  bool may = body && mayAllocate(*body);
  for (unsigned port = 0; body && !may && port < op.op.getOutputs().size(); ++port)
    may = consumersMayAllocate(op, port);
  return tuples[key] = may;
}

bool Allocation::consumersMayAllocate(OpInfo &op, unsigned outPort) {
  return llvm::any_of(info.consumers(op, outPort), [&](const Consumer &c) {
    return c.edge == Edge::Direct && tupleMayAllocate(*c.op, c.port);
  });
}
