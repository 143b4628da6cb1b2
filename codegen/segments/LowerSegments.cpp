//===- LowerSegments.cpp - the graph becomes functions --------------------===//
#include "codegen/segments/LowerSegments.h"
#include "codegen/Layout.h"
#include "codegen/Passes.h"
#include "codegen/RuntimeABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"
#include "passes/analyze/Counted.h"

using namespace mlir;
using namespace sluice;

namespace sluice {
#define GEN_PASS_DEF_LOWERSEGMENTS
#include "codegen/Passes.h.inc"
} // namespace sluice

SegmentLowering::SegmentLowering(ModuleOp module, stream::GraphOp graph)
    : module(module), graph(graph), info(graph), allocation(&info), b(module.getContext()), flow(b),
      ptr(LLVM::LLVMPointerType::get(module.getContext())), i32Type(b.getI32Type()) {}

func::FuncOp SegmentLowering::function(StringRef name, TypeRange args, Location loc) {
  SmallVector<mlir::Type> inputs{ptr};
  llvm::append_range(inputs, args);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto f = func::FuncOp::create(b, loc, name, b.getFunctionType(inputs, i32Type));
  f.setPrivate();
  return f;
}

mlir::Block *SegmentLowering::begin(func::FuncOp f) {
  Block *entry = f.addEntryBlock();
  b.setInsertionPointToStart(entry);
  return entry;
}

Value SegmentLowering::i32(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 32);
}

Value SegmentLowering::i64(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, 64);
}

Value SegmentLowering::toI64(Value value) {
  return arith::ExtUIOp::create(b, value.getLoc(), b.getI64Type(), value);
}

void SegmentLowering::endOk(Location loc) { flow.ret(i32(loc, 0)); }

Value SegmentLowering::call(Location loc, StringRef function, ValueRange args) {
  return func::CallOp::create(b, loc, function, TypeRange{i32Type}, args).getResult(0);
}

Value SegmentLowering::runtime(Location loc, StringRef name, ValueRange args) {
  LLVM::LLVMFuncOp f = declareRuntime(module, name);
  return callNoUnwind(b, loc, f, args);
}

void SegmentLowering::inputFunctions(OpInfo &op, unsigned port) {
  tupleFunction(op, port);
  punctFunction(op, port);
  if (!op.op.isHead(port))
    return;
  if (op.op.takesBatches())
    return batchFunction(op, port);
  if (auto plan = moves.find(op.firstIn + port); plan != moves.end()) {
    rowsInPlace(op, port, *plan->second);
    segmentInPlace(op, port, *plan->second);
    return;
  }
  segmentFunction(op, port);
  if (keyColumn(op))
    rowsByKey(op, port);
}

/// Native operators, sources and handlers of punctuation do.
bool SegmentLowering::submitsOutsideRowLoops(OpInfo &op) {
  if (op.native >= 0 || op.op.isSource())
    return true;
  for (unsigned in = 0; in < op.op.inputPorts(); ++in)
    for (Region *handler : op.op.onMarks(in))
      if (handler->walk([](stream::SubmitOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return true;
  return false;
}

void SegmentLowering::operatorFunctions(OpInfo &op) {
  for (unsigned port = 0; port < op.op.inputPorts(); ++port)
    inputFunctions(op, port);
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port) {
    if (strip(op, port) == op.symbol("strip", port))
      stripFunction(op, port);
    if (submitsOutsideRowLoops(op))
      outFunction(op, port);
    if (outPunct(op, port) == op.symbol("outpunct", port))
      outPunctFunction(op, port);
    if (op.native >= 0)
      emitFunctions(op, port);
  }
  if (!op.op.getOutputs().empty() && hasFinalFunction(op))
    finalFunction(op);
  if (op.native >= 0)
    paramsFunction(op);
  else if (op.hasProcess())
    processFunction(op);
  if (Region *body = op.op.onEnd())
    handler(op, *body, op.symbol("end", 0), {});
}

void SegmentLowering::run() {
  for (const Cost &one : segmentCosts(info, module)) {
    costs.push_back(one.nanos);
    waits.push_back(one.waits);
  }
  Counted counted(module);
  for (auto &op : info.operators())
    op->counted = counted(op->op);
  planMoves();
  // Callees need not exist before their callers: calls are by name.
  for (auto &op : info.operators())
    operatorFunctions(*op);
  for (int region = -1; region < int(info.regions().size()); ++region) {
    initFunction(region);
    destroyFunction(region);
  }
  module->setAttr(stream::TableAttr::kModuleAttr, table());
}

namespace {
struct LowerSegments : sluice::impl::LowerSegmentsBase<LowerSegments> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto graphs = llvm::to_vector(module.getOps<stream::GraphOp>());
    for (stream::GraphOp graph : graphs) {
      SegmentLowering(module, graph).run();
      graph.erase();
    }
  }
};
} // namespace
