//===- Prune.cpp - what nobody can see goes -------------------------------===//
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Passes.h"
#include "passes/analyze/Effects.h"
#include "sluice/enums.h"

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
      // Last to first: an operator that need not forward does not hear its producers.
      for (OperatorOp op : llvm::reverse(ops))
        if (op)
          dropMarkers(op);
    }
  }

  /// Punctuation on streams of which no consumer hears it; then handlers that do nothing.
  void dropMarkers(OperatorOp op) {
    op.walk([&](SubmitPunctOp submit) {
      auto kind = submit.constantKind();
      if (kind && *kind != PunctuationKind::Final &&
          !isHeard(op.getOutputs()[submit.getPort()], *kind)) {
        submit.erase();
        ++markers;
      }
    });
    for (Operation &item : llvm::make_early_inc_range(op.getBody().front()))
      if (isa<OnPunctOp, OnWatermarkOp>(item) && doesNothing(item))
        item.erase();
  }

  /// Whether a consumer does something for such punctuation, which is not final.
  static bool isHeard(Value stream, PunctuationKind kind) {
    return llvm::any_of(stream.getUses(), [&](OpOperand &use) {
      auto consumer = cast<OperatorOp>(use.getOwner());
      unsigned port = consumer.portOf(use.getOperandNumber());
      if (kind == PunctuationKind::Watermark)
        return consumer.getNative() ? consumer.getNumResults() != 0
                                    : consumer.onWatermark(port) != nullptr;
      return consumer.getNative() || consumer.onPunct(port);
    });
  }

  /// Whether it has no effect and ends.
  static bool doesNothing(Operation &handler) {
    DominanceInfo dominance(&handler);
    for (Block &block : handler.getRegion(0)) {
      for (Operation &op : block)
        if (!op.hasTrait<OpTrait::IsTerminator>() && !isPure(&op))
          return false;
      for (Block *next : block.getSuccessors())
        if (dominance.dominates(next, &block)) // a loop
          return false;
    }
    return true;
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
