//===- Prune.cpp - what nobody can see goes -------------------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Effects.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMPRUNE
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

namespace {
struct Prune : sluice::impl::StreamPruneBase<Prune> {
  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto graph : getOperation().getOps<GraphOp>()) {
      SmallVector<OperatorOp> ops(graph.getBody().getOps<OperatorOp>());
      // Last to first, until nothing changes: removing one may free its producers.
      for (bool changed = true; changed;) {
        changed = false;
        for (OperatorOp &op : llvm::reverse(ops))
          if (op && !op.isSource() && op->use_empty() && effects(op, /*onPunct=*/true).removable) {
            op.erase();
            op = nullptr;
            changed = true;
            ++operators;
          }
      }
      for (OperatorOp op : ops)
        if (op)
          dropSubmits(op);
    }
  }

  void dropSubmits(OperatorOp op) {
    op.walk([&](SubmitOp submit) {
      if (op.getOutputs()[submit.getPort()].use_empty()) {
        submit.erase();
        ++submits;
      }
    });
  }
};
} // namespace
