//===- Prune.cpp - what nobody can see goes -------------------------------===//
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Passes.h"
#include "passes/analyze/Counted.h"
#include "passes/analyze/Effects.h"
#include "sluice/enums.h"
#include "llvm/ADT/SetVector.h"

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
      // What is counted stays.
      Counted counted(getOperation());
      for (OperatorOp op : ops)
        if (op && !counted(op))
          dropSubmits(op);
      // Last to first: an operator that need not forward does not hear its producers.
      for (OperatorOp op : llvm::reverse(ops))
        if (op && !counted(op))
          dropMarkers(op, counted);
    }
  }

  /// Punctuation on streams of which no consumer hears it; then handlers that do nothing.
  void dropMarkers(OperatorOp op, const Counted &counted) {
    op.walk([&](SubmitPunctOp submit) {
      auto kind = submit.constantKind();
      if (kind && *kind != PunctuationKind::Final &&
          !isHeard(op.getOutputs()[submit.getPort()], *kind, counted)) {
        submit.erase();
        ++markers;
      }
    });
    for (Operation &item : llvm::make_early_inc_range(op.getBody().front()))
      if (isa<OnPunctOp, OnWatermarkOp>(item) && doesNothing(item))
        item.erase();
  }

  /// Whether a consumer does something for such punctuation, which is not final.
  static bool isHeard(Value stream, PunctuationKind kind, const Counted &counted) {
    return llvm::any_of(stream.getUses(), [&](OpOperand &use) {
      auto consumer = cast<OperatorOp>(use.getOwner());
      unsigned port = consumer.portOf(use.getOperandNumber());
      if (kind == PunctuationKind::Watermark)
        return consumer.getNative() ? consumer.getNumResults() != 0
                                    : consumer.onWatermark(port) != nullptr;
      if (counted(consumer))
        return true;
      Region *handler = consumer.onPunct(port);
      return consumer.getNative() || (handler && !ignores(*handler, kind));
    });
  }

  /// Whether it has no effect and ends.
  static bool doesNothing(Operation &handler) {
    DominanceInfo dominance(&handler);
    return llvm::all_of(handler.getRegion(0),
                        [&](Block &block) { return hasNoEffect(block, dominance); });
  }

  /// Whether it has no effect for punctuation of this kind, and ends. Of a branch whose condition
  /// follows from the kind only one way is looked at.
  static bool ignores(Region &handler, PunctuationKind kind) {
    Block &entry = handler.front();
    llvm::DenseMap<Value, Attribute> known;
    known[entry.getArgument(0)] = Builder(handler.getContext()).getI64IntegerAttr(int64_t(kind));
    DominanceInfo dominance(handler.getParentOp());
    llvm::SetVector<Block *> reached;
    reached.insert(&entry);
    for (size_t i = 0; i < reached.size(); ++i) {
      Block &block = *reached[i];
      if (!hasNoEffect(block, dominance))
        return false;
      for (Operation &op : block)
        foldInto(known, op);
      auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator());
      auto taken = branch ? dyn_cast_or_null<IntegerAttr>(known.lookup(branch.getCondition()))
                          : IntegerAttr();
      if (taken)
        reached.insert(taken.getValue().isZero() ? branch.getFalseDest() : branch.getTrueDest());
      else
        reached.insert_range(block.getSuccessors());
    }
    return true;
  }

  /// Whether nothing comes of running the block, and it does not end a loop.
  static bool hasNoEffect(Block &block, DominanceInfo &dominance) {
    return llvm::all_of(block.without_terminator(), [](Operation &op) { return isPure(&op); }) &&
           llvm::none_of(block.getSuccessors(),
                         [&](Block *next) { return dominance.dominates(next, &block); });
  }

  /// The operation's result, if it follows from what is known.
  static void foldInto(llvm::DenseMap<Value, Attribute> &known, Operation &op) {
    if (op.getNumResults() != 1 || !isa<spl::SplDialect>(op.getDialect()))
      return;
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    SmallVector<OpFoldResult> results;
    if (succeeded(op.fold(operands, results)) && results.size() == 1)
      if (auto value = dyn_cast<Attribute>(results[0]))
        known[op.getResult(0)] = value;
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
