//===- LowerSegments.cpp - the graph becomes functions --------------------===//
#include "codegen/segments/LowerSegments.h"
#include "codegen/Layout.h"
#include "codegen/Passes.h"
#include "codegen/RuntimeABI.h"
#include "codegen/segments/Parts.h"
#include "codegen/segments/WholeBatches.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"
#include "passes/analyze/Counted.h"

using namespace mlir;
using namespace sluice;

namespace sluice {
#define GEN_PASS_DEF_LOWERSEGMENTS
#include "codegen/Passes.h.inc"
} // namespace sluice

void SegmentLowering::inputFunctions(OpInfo &op, unsigned port) {
  Handlers(c).tupleFunction(op, port);
  Handlers(c).punctFunction(op, port);
  if (!op.op.isHead(port))
    return;
  if (op.op.takesBatches())
    return SegmentFunctions(c).batchFunction(op, port);
  if (auto plan = moves.find(op.firstIn + port); plan != moves.end()) {
    SegmentFunctions(c).rowsInPlace(op, port, *plan->second);
    SegmentFunctions(c).segmentInPlace(op, port, *plan->second);
    return;
  }
  SegmentFunctions(c).segmentFunction(op, port);
  if (keyColumn(op))
    SegmentFunctions(c).rowsByKey(op, port);
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
    bool leaves = PortFunctions(c).exit(op, port);
    if (leaves)
      PortFunctions(c).leaveFunction(op, port);
    if (leaves ? info.hasBatch(op, port)
               : PortFunctions(c).strip(op, port) == op.symbol("strip", port))
      PortFunctions(c).stripFunction(op, port);
    if (submitsOutsideRowLoops(op))
      PortFunctions(c).outFunction(op, port);
    if (PortFunctions(c).outPunct(op, port) == op.symbol("outpunct", port))
      PortFunctions(c).outPunctFunction(op, port);
    if (op.native >= 0)
      PortFunctions(c).emitFunctions(op, port);
  }
  if (!op.op.getOutputs().empty() && Handlers::hasFinalFunction(op))
    Handlers(c).finalFunction(op);
  if (op.native >= 0)
    LifeFunctions(c).paramsFunction(op);
  else if (op.hasProcess())
    LifeFunctions(c).processFunction(op);
  if (Region *body = op.op.onEnd())
    Handlers(c).handler(op, *body, op.symbol("end", 0), {});
}

void SegmentLowering::planSteps(ArrayRef<Cost> estimates) {
  for (auto &op : info.operators()) {
    if (moves.contains(op->firstIn))
      continue;
    std::optional<Selections> plan = planSelections(info, *op, estimates, module).plan;
    if (!plan)
      continue;
    auto &made = selections[op->firstIn] = std::make_unique<Selections>(std::move(*plan));
    for (auto [member, step] : made->stepOf)
      if (made->isEarly(*member))
        c.early[member->index] = made.get();
  }
}

void SegmentLowering::run() {
  SmallVector<Cost> estimates = segmentCosts(info, module);
  for (const Cost &one : estimates) {
    costs.push_back(one.nanos);
    waits.push_back(one.waits);
  }
  Counted counted(module);
  for (auto &op : info.operators())
    op->counted = counted(op->op);
  planMoves();
  planSteps(estimates);
  c.wholeBatches = findWholeBatches(info, module, costs);
  // Callees need not exist before their callers: calls are by name.
  for (auto &op : info.operators())
    operatorFunctions(*op);
  for (int region = -1; region < int(info.regions().size()); ++region) {
    LifeFunctions(c).initFunction(region);
    LifeFunctions(c).destroyFunction(region);
  }
  module->setAttr(stream::TableAttr::kModuleAttr, TableMaker(c).table());
}

namespace {
struct LowerSegments : sluice::impl::LowerSegmentsBase<LowerSegments> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto graphs = llvm::to_vector(module.getOps<stream::GraphOp>());
    for (stream::GraphOp graph : graphs) {
      SegmentContext context(module, graph);
      SegmentLowering(context).run();
      graph.erase();
    }
  }
};
} // namespace
