//===- Counted.cpp - who asks what its ports did --------------------------===//
#include "passes/analyze/Counted.h"
#include "ir/Spl.h"

using namespace mlir;
using namespace sluice;

static bool asks(Operation *op) {
  auto native = dyn_cast<spl::NativeOp>(op);
  return native && native.is(spl::CallTrait::counted);
}

static bool anyIn(Operation *root, llvm::function_ref<bool(Operation *)> holds) {
  auto look = [&](Operation *op) {
    return holds(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return root->walk(look).wasInterrupted();
}

Counted::Counted(ModuleOp module)
    : functionsAsk(llvm::any_of(module.getOps<spl::FuncOp>(),
                                [](spl::FuncOp function) { return anyIn(function, asks); })) {}

bool Counted::operator()(stream::OperatorOp op) const {
  return anyIn(
      op, [&](Operation *each) { return asks(each) || (functionsAsk && isa<spl::CallOp>(each)); });
}
