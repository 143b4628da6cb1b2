//===- Composites.cpp - composites are macros -----------------------===//
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMEXPANDCOMPOSITES
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {

/// The streams behind `stream`, looking through merges.
void collectStreams(Value stream, SmallVectorImpl<Value> &result,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  auto merge = stream.getDefiningOp<MergeOp>();
  if (!merge) {
    result.push_back(stream);
    return;
  }
  if (seen.insert(merge).second)
    for (Value part : merge.getStreams())
      collectStreams(part, result, seen);
}

struct ExpandComposites : sluice::impl::StreamExpandCompositesBase<ExpandComposites> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      // Innermost first: what an outer instance moves is flat already.
      SmallVector<CompositeOp> instances;
      graph.walk<WalkOrder::PostOrder>([&](CompositeOp op) { instances.push_back(op); });
      for (CompositeOp op : instances)
        if (failed(expand(op)))
          return signalPassFailure();
      foldMerges(graph);
    }
  }

  LogicalResult expand(CompositeOp op) {
    Block &body = op.getBody().front();
    for (auto [argument, input] : llvm::zip_equal(body.getArguments(), op.getInputs()))
      argument.replaceAllUsesWith(input);
    auto exported = cast<ExportOp>(body.getTerminator());
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      // Looked up one by one: replacing a result may change later exports.
      Value stream = exported.getStreams()[i];
      if (stream == op.getResult(i))
        return op.emitError("output stream ")
               << i << " of composite '" << op.getDefinition() << "' has no source";
      op.getResult(i).replaceAllUsesWith(stream);
    }
    exported.erase();
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations());
    op.erase();
    ++composites;
    return success();
  }

  void foldMerges(GraphOp graph) {
    SmallVector<MergeOp> mergeOps(graph.getBody().getOps<MergeOp>());
    if (mergeOps.empty())
      return;
    for (auto op : graph.getBody().getOps<OperatorOp>()) {
      SmallVector<Value> inputs;
      SmallVector<int32_t> ports;
      for (unsigned port = 0; port < op.inputPorts(); ++port) {
        size_t before = inputs.size();
        for (Value stream : op.streamsOf(port)) {
          llvm::SmallPtrSet<Operation *, 8> seen;
          collectStreams(stream, inputs, seen);
        }
        ports.push_back(inputs.size() - before);
      }
      op.getInputsMutable().assign(inputs);
      op.setPorts(ports);
    }
    for (MergeOp op : mergeOps) {
      op->dropAllUses();
      op.erase();
      ++merges;
    }
  }
};

} // namespace
