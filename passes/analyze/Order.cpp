//===- Order.cpp - where batching could be seen --------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"

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
  /// onPunct: with what stream.on_punct does.
  OrderAnalysis(const Graph &graph, EffectAnalysis &analysis, bool onPunct)
      : graph(graph), outside(graph.size()), meetings(graph.size()) {
    for (stream::OperatorOp op : graph.operators())
      effects.push_back(analysis(op, onPunct));
    for (unsigned op = 0; op < graph.size(); ++op) {
      reach.push_back(graph.reachable(op));
      ordered.emplace_back(graph[op].getNumResults());
      targets.emplace_back(graph.size());
      outside[op] = effects[op].any();
      meetings[op] = effects[op].any() || effects[op].state;
    }
  }

  void markSharedWithProducer(); // (a)
  void markForks();              // (b)
  void markCycles();             // (c)
  void spread();

  SmallVector<BitVector> ordered; // by operator, by output port

private:
  /// What `edge` carries is seen at `target` in its place among other things.
  void order(const Connection &edge, unsigned target) {
    ordered[edge.producer].set(edge.output);
    targets[edge.consumer].set(target);
  }
  void orderForks(const Connection &left, const Connection &right);

  const Graph &graph;
  SmallVector<Effects> effects;
  BitVector outside;              // operators with effects
  BitVector meetings;             // those, and operators with state
  SmallVector<BitVector> reach;   // by operator, itself included
  SmallVector<BitVector> targets; // by operator: where what reaches it in order is seen
};

/// What both sets have.
static BitVector common(BitVector a, const BitVector &b) { return a &= b; }

void OrderAnalysis::markSharedWithProducer() {
  for (unsigned op : outside.set_bits())
    for (const Connection &edge : graph.out(op)) {
      BitVector behind = common(reach[edge.consumer], outside);
      for (unsigned other : behind.set_bits())
        if (conflict(effects[op], effects[other]) || mayWriteFor(effects[op], effects[other]))
          order(edge, other); // who is told of a file reads it before it is written again
    }
}

void OrderAnalysis::orderForks(const Connection &left, const Connection &right) {
  const BitVector &toLeft = reach[left.consumer], &toRight = reach[right.consumer];
  BitVector both = common(common(toLeft, toRight), meetings);
  for (unsigned meeting : both.set_bits())
    order(left, meeting), order(right, meeting);
  BitVector outsideLeft = common(toLeft, outside), outsideRight = common(toRight, outside);
  for (unsigned a : outsideLeft.set_bits())
    for (unsigned b : outsideRight.set_bits())
      if (conflict(effects[a], effects[b]))
        order(left, a), order(right, b);
}

void OrderAnalysis::markForks() {
  for (unsigned op = 0; op < graph.size(); ++op) {
    ArrayRef<Connection> branches = graph.out(op);
    for (size_t i = 0; i < branches.size(); ++i)
      for (size_t j = i + 1; j < branches.size(); ++j)
        orderForks(branches[i], branches[j]);
  }
}

/// What arrives one at a time goes on so, as far as its order matters.
void OrderAnalysis::spread() {
  for (unsigned from = 0; from < graph.size(); ++from)
    if (targets[from].any())
      for (unsigned op : reach[from].set_bits())
        for (const Connection &edge : graph.out(op))
          if (reach[edge.consumer].anyCommon(targets[from]))
            ordered[op].set(edge.output);
}

void OrderAnalysis::markCycles() {
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.out(op)) {
      // The consumer is on a cycle if one of its own consumers leads back to it.
      bool onCycle = llvm::any_of(graph.out(edge.consumer), [&](const Connection &next) {
        return reach[next.consumer].test(edge.consumer);
      });
      if (onCycle)
        ordered[op].set(edge.output);
    }
}

struct AnalyzeOrder : sluice::impl::StreamAnalyzeOrderBase<AnalyzeOrder> {
  using Base::Base;

  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto op : getOperation().getOps<stream::GraphOp>())
      run(Graph(op), effects);
  }

  void run(const Graph &graph, EffectAnalysis &effects) {
    SmallVector<BitVector> tuples = decide(graph, effects, /*onPunct=*/false);
    SmallVector<BitVector> all = decide(graph, effects, /*onPunct=*/true);
    for (unsigned op = 0; op < graph.size(); ++op) {
      SmallVector<stream::Order> orders;
      for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
        orders.push_back(tuples[op].test(port) ? stream::Order::All
                         : all[op].test(port)  ? stream::Order::Puncts
                                               : stream::Order::None);
      stream::OperatorOp target = graph[op];
      target.setOrders(orders);
      orderedPorts += llvm::count(orders, stream::Order::All);
      orderedPuncts += llvm::count(orders, stream::Order::Puncts);
    }
  }

  SmallVector<BitVector> decide(const Graph &graph, EffectAnalysis &effects, bool onPunct) {
    OrderAnalysis analysis(graph, effects, onPunct);
    analysis.markSharedWithProducer();
    if (mergeOrder == MergeOrder::Exact)
      analysis.markForks();
    analysis.markCycles();
    analysis.spread();
    return std::move(analysis.ordered);
  }
};
} // namespace
