//===- AnalyzeOrder.cpp - where batching could be seen --------------------===//
#include "passes/Effects.h"
#include "passes/Graph.h"
#include "passes/Passes.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMANALYZEORDER
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using llvm::BitVector;

namespace {
/// Decides for one graph; the rules (a), (b), (c) are those of Passes.td.
class OrderAnalysis {
public:
  /// marks: with what stream.on_punct does.
  OrderAnalysis(const Graph &graph, EffectAnalysis &analysis, bool marks) : graph(graph) {
    for (stream::OperatorOp op : graph.operators())
      effects.push_back(analysis(op, marks));
    for (unsigned op = 0; op < graph.size(); ++op) {
      reach.push_back(graph.reachable(op));
      ordered.emplace_back(graph[op].getNumResults());
    }
  }

  void markSharedWithProducer(); // (a)
  void markForks();              // (b)
  void markCycles();             // (c)

  SmallVector<BitVector> ordered; // by operator, by output port

private:
  const Graph &graph;
  SmallVector<Effects> effects;
  SmallVector<BitVector> reach; // by operator, itself included
};

void OrderAnalysis::markSharedWithProducer() {
  for (unsigned op = 0; op < graph.size(); ++op)
    if (effects[op].any())
      for (const Connection &edge : graph.out(op))
        for (unsigned other : reach[edge.consumer].set_bits())
          if (conflict(effects[op], effects[other]))
            ordered[op].set(edge.output);
}

void OrderAnalysis::markForks() {
  for (unsigned op = 0; op < graph.size(); ++op) {
    ArrayRef<Connection> branches = graph.out(op);
    for (size_t i = 0; i < branches.size(); ++i)
      for (size_t j = i + 1; j < branches.size(); ++j) {
        const BitVector &left = reach[branches[i].consumer], &right = reach[branches[j].consumer];
        bool visible = llvm::any_of(left.set_bits(), [&](unsigned a) {
          if (right.test(a) && (effects[a].state || effects[a].any()))
            return true; // they meet at a
          return effects[a].any() && llvm::any_of(right.set_bits(), [&](unsigned b) { return conflict(effects[a], effects[b]); });
        });
        if (visible)
          ordered[op].set(branches[i].output), ordered[op].set(branches[j].output);
      }
  }
}

void OrderAnalysis::markCycles() {
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.out(op)) {
      // The consumer is on a cycle if one of its own consumers leads back to it.
      bool onCycle = llvm::any_of(graph.out(edge.consumer),
                                  [&](const Connection &next) { return reach[next.consumer].test(edge.consumer); });
      if (onCycle)
        ordered[op].set(edge.output);
    }
}

struct AnalyzeOrder : sluice::impl::StreamAnalyzeOrderBase<AnalyzeOrder> {
  using Base::Base;

  void runOnOperation() override {
    if (mergeOrder != "exact" && mergeOrder != "any") {
      getOperation().emitError("unknown merge order '") << mergeOrder << "': write exact or any";
      return signalPassFailure();
    }
    EffectAnalysis effects(getOperation());
    for (auto op : getOperation().getOps<stream::GraphOp>())
      run(Graph(op), effects);
  }

  void run(const Graph &graph, EffectAnalysis &effects) {
    SmallVector<BitVector> tuples = decide(graph, effects, /*marks=*/false);
    SmallVector<BitVector> all = decide(graph, effects, /*marks=*/true);
    for (unsigned op = 0; op < graph.size(); ++op) {
      SmallVector<bool> ordered, marks;
      for (unsigned port = 0; port < graph[op].getNumResults(); ++port) {
        ordered.push_back(tuples[op].test(port));
        marks.push_back(all[op].test(port) && !ordered.back());
      }
      stream::OperatorOp target = graph[op];
      target.setOrdered(ordered);
      target.setOrderedMarks(marks);
      orderedPorts += llvm::count(ordered, true);
      orderedMarks += llvm::count(marks, true);
    }
  }

  SmallVector<BitVector> decide(const Graph &graph, EffectAnalysis &effects, bool marks) {
    OrderAnalysis analysis(graph, effects, marks);
    analysis.markSharedWithProducer();
    if (mergeOrder == "exact")
      analysis.markForks();
    analysis.markCycles();
    return std::move(analysis.ordered);
  }
};
} // namespace
