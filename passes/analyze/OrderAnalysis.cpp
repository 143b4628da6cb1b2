//===- OrderAnalysis.cpp - where batching could be seen -------------------===//
#include "passes/analyze/OrderAnalysis.h"

using namespace mlir;
using namespace sluice;
using llvm::BitVector;

namespace {
/// A stream from one group to another.
struct Arc {
  unsigned from, to;   // groups
  unsigned op, output; // the operator of `from`, its output port
};

/// Decides for one graph. Groups are numbered as the operators that stand for them.
class OrderAnalysis {
public:
  /// onPunct: with what stream.on_punct does.
  OrderAnalysis(const Graph &graph, ArrayRef<unsigned> groups, EffectAnalysis &analysis,
                bool onPunct);

  void markSharedWithProducer(); // (a)
  void markForks();              // (b)
  void markCycles();             // (c)
  void spread();                 // (d)

  SmallVector<BitVector> ordered; // by operator, by output port

private:
  BitVector reachable(unsigned from) const;
  /// What `arc` carries is seen at `target` in its place among other things.
  void order(const Arc &arc, unsigned target) {
    ordered[arc.op].set(arc.output);
    targets[arc.to].set(target);
  }
  void orderForks(const Arc &left, const Arc &right);

  SmallVector<SmallVector<Arc>> out; // by group
  SmallVector<Effects> effects;      // by group
  BitVector outside;                 // groups with effects
  BitVector meetings;                // those, and groups with state
  SmallVector<BitVector> reach;      // by group, itself included
  SmallVector<BitVector> targets;    // by group: where what reaches it in order is seen
};
} // namespace

OrderAnalysis::OrderAnalysis(const Graph &graph, ArrayRef<unsigned> groups,
                             EffectAnalysis &analysis, bool onPunct)
    : out(graph.size()), effects(graph.size()), outside(graph.size()), meetings(graph.size()),
      targets(graph.size(), BitVector(graph.size())) {
  for (unsigned op = 0; op < graph.size(); ++op) {
    ordered.emplace_back(graph[op].getNumResults());
    effects[groups[op]].add(analysis(graph[op], onPunct));
    for (const Connection &edge : graph.out(op))
      if (unsigned from = groups[op], to = groups[edge.consumer];
          from != to || graph[edge.consumer].edge(edge.operand) == stream::Edge::Back)
        out[from].push_back({from, to, op, edge.output});
  }
  for (unsigned group = 0; group < graph.size(); ++group) {
    reach.push_back(reachable(group));
    outside[group] = effects[group].any();
    meetings[group] = effects[group].any() || effects[group].state;
  }
}

BitVector OrderAnalysis::reachable(unsigned from) const {
  BitVector seen(out.size());
  SmallVector<unsigned> work{from};
  seen.set(from);
  while (!work.empty())
    for (const Arc &arc : out[work.pop_back_val()])
      if (!seen.test(arc.to)) {
        seen.set(arc.to);
        work.push_back(arc.to);
      }
  return seen;
}

/// What both sets have.
static BitVector common(BitVector a, const BitVector &b) { return a &= b; }

void OrderAnalysis::markSharedWithProducer() {
  for (unsigned group : outside.set_bits())
    for (const Arc &arc : out[group]) {
      BitVector behind = common(reach[arc.to], outside);
      for (unsigned other : behind.set_bits())
        if (conflict(effects[group], effects[other]) || mayWriteFor(effects[group], effects[other]))
          order(arc, other); // who is told of a file reads it before it is written again
    }
}

void OrderAnalysis::orderForks(const Arc &left, const Arc &right) {
  const BitVector &toLeft = reach[left.to], &toRight = reach[right.to];
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
  for (ArrayRef<Arc> branches : out)
    for (size_t i = 0; i < branches.size(); ++i)
      for (size_t j = i + 1; j < branches.size(); ++j)
        orderForks(branches[i], branches[j]);
}

/// What arrives one at a time goes on so, as far as its order matters.
void OrderAnalysis::spread() {
  for (unsigned from = 0; from < out.size(); ++from)
    if (targets[from].any())
      for (unsigned group : reach[from].set_bits())
        for (const Arc &arc : out[group])
          if (reach[arc.to].anyCommon(targets[from]))
            ordered[arc.op].set(arc.output);
}

void OrderAnalysis::markCycles() {
  for (ArrayRef<Arc> arcs : out)
    for (const Arc &arc : arcs) {
      // The consumer is on a cycle if one of its own consumers leads back to it.
      bool onCycle =
          llvm::any_of(out[arc.to], [&](const Arc &next) { return reach[next.to].test(arc.to); });
      if (onCycle)
        ordered[arc.op].set(arc.output);
    }
}

static SmallVector<BitVector> decide(const Graph &graph, ArrayRef<unsigned> groups,
                                     EffectAnalysis &effects, MergeOrder mergeOrder, bool onPunct) {
  OrderAnalysis analysis(graph, groups, effects, onPunct);
  analysis.markSharedWithProducer();
  if (mergeOrder == MergeOrder::Exact)
    analysis.markForks();
  analysis.markCycles();
  analysis.spread();
  return std::move(analysis.ordered);
}

PortOrders sluice::analyzeOrder(const Graph &graph, ArrayRef<unsigned> groups,
                                EffectAnalysis &effects, MergeOrder mergeOrder) {
  SmallVector<BitVector> tuples = decide(graph, groups, effects, mergeOrder, /*onPunct=*/false);
  SmallVector<BitVector> all = decide(graph, groups, effects, mergeOrder, /*onPunct=*/true);
  PortOrders orders(graph.size());
  for (unsigned op = 0; op < graph.size(); ++op)
    for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
      orders[op].push_back(tuples[op].test(port) ? stream::Order::All
                           : all[op].test(port)  ? stream::Order::Puncts
                                                 : stream::Order::None);
  return orders;
}

PortOrders sluice::analyzeOrder(const Graph &graph, EffectAnalysis &effects,
                                MergeOrder mergeOrder) {
  return analyzeOrder(graph, llvm::to_vector(llvm::seq(graph.size())), effects, mergeOrder);
}
