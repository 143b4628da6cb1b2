//===- RelaxOrder.cpp - orders of the streams between segments ------------===//
#include "passes/Passes.h"
#include "passes/analyze/OrderAnalysis.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMRELAXORDER
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;
using stream::Order;

/// By operator: the head of its segment. An operator with several segments stands for itself.
static SmallVector<unsigned> headsOf(const Graph &graph) {
  llvm::DenseMap<int32_t, unsigned> heads; // by segment
  for (unsigned op = 0; op < graph.size(); ++op) {
    stream::OperatorOp item = graph[op];
    if (item.isSource())
      heads[*item.getSourceSegment()] = op;
    for (unsigned port = 0; port < item.inputPorts(); ++port)
      if (item.isHead(port))
        heads[(*item.getSegment())[port]] = op;
  }
  SmallVector<unsigned> found;
  for (unsigned op = 0; op < graph.size(); ++op) {
    stream::OperatorOp item = graph[op];
    bool called = !item.isSource() && llvm::is_contained(*item.getEdges(), Edge::Call);
    found.push_back(called ? heads.lookup(item.getSegment()->front()) : op);
  }
  return found;
}

/// What both allow: less forwarded at once.
static Order weaker(Order a, Order b) {
  for (Order order : {Order::None, Order::Puncts})
    if (a == order || b == order)
      return order;
  return Order::All;
}

namespace {
struct RelaxOrder : sluice::impl::StreamRelaxOrderBase<RelaxOrder> {
  using Base::Base;

  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      PortOrders between = analyzeOrder(graph, headsOf(graph), effects, mergeOrder);
      for (auto [item, orders] : llvm::zip_equal(graph.operators(), between)) {
        stream::OperatorOp target = item;
        for (auto [order, before] : llvm::zip_equal(orders, *target.getOrders())) {
          order = weaker(order, before);
          relaxed += order != before;
        }
        target.setOrders(orders);
      }
    }
  }
};
} // namespace
