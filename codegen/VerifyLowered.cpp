//===- VerifyLowered.cpp - what holds from phase lowered on ---------------===//
#include "codegen/Passes.h"
#include "ir/Stream.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMVERIFYLOWERED
#include "codegen/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;

/// The graph is gone, and what is left convert-spl-to-llvm knows.
static LogicalResult verifyBelongs(Operation *op) {
  if (isa_and_nonnull<stream::StreamDialect>(op->getDialect()) || isa<spl::OutputFnOp>(op))
    return op->emitError("phase lowered: '") << op->getName() << "' should be gone";
  if (!isa<ModuleOp>(op) &&
      !isa_and_nonnull<spl::SplDialect, func::FuncDialect, cf::ControlFlowDialect,
                       arith::ArithDialect, LLVM::LLVMDialect>(op->getDialect()))
    return op->emitError("phase lowered: '")
           << op->getName() << "' is of a dialect without a place here";
  return success();
}

/// Generated functions take the Ctx first and return a status.
static LogicalResult verifyFunction(func::FuncOp f) {
  FunctionType type = f.getFunctionType();
  if (type.getNumInputs() == 0 || !isa<LLVM::LLVMPointerType>(type.getInput(0)))
    return f.emitError("phase lowered: the first argument is not the Ctx");
  if (type.getNumResults() != 1 || !type.getResult(0).isSignlessInteger(32))
    return f.emitError("phase lowered: does not return a status");
  if (f.isExternal())
    return f.emitError("phase lowered: has no body");
  return success();
}

/// A function runs what it calls with its own Ctx.
static LogicalResult verifyCall(func::CallOp call) {
  auto f = call->getParentOfType<func::FuncOp>();
  if (f && call.getOperand(0) != f.getArgument(0))
    return call.emitError("phase lowered: does not pass on the Ctx of the function");
  return success();
}

/// Functions that use state know where it lies.
static LogicalResult verifyState(spl::StateOp op) {
  auto f = op->getParentOfType<func::FuncOp>();
  auto offsets =
      f ? spl::SplDialect::StateOffsetsAttrHelper(op.getContext()).getAttr(f) : DenseI64ArrayAttr();
  if (!offsets || op.getIndex() >= uint64_t(offsets.size()))
    return op.emitError("phase lowered: has no offset in the function's `spl.state_offsets`");
  return success();
}

static LogicalResult verify(Operation *op) {
  if (failed(verifyBelongs(op)))
    return failure();
  if (auto f = dyn_cast<func::FuncOp>(op))
    return verifyFunction(f);
  if (auto call = dyn_cast<func::CallOp>(op))
    return verifyCall(call);
  if (auto state = dyn_cast<spl::StateOp>(op))
    return verifyState(state);
  return success();
}

namespace {
struct VerifyLowered : sluice::impl::StreamVerifyLoweredBase<VerifyLowered> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    auto result = getOperation().walk<WalkOrder::PreOrder>([](Operation *op) {
      return succeeded(verify(op)) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
