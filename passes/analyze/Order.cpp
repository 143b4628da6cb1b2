//===- Order.cpp - which streams are forwarded at each submit --------------===//
#include "passes/Passes.h"
#include "passes/analyze/OrderAnalysis.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMANALYZEORDER
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;

namespace {
struct AnalyzeOrder : sluice::impl::StreamAnalyzeOrderBase<AnalyzeOrder> {
  using Base::Base;

  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      for (auto [target, orders] :
           llvm::zip_equal(graph.operators(), analyzeOrder(graph, effects, mergeOrder))) {
        stream::OperatorOp(target).setOrders(orders);
        orderedPorts += llvm::count(orders, stream::Order::All);
        orderedPuncts += llvm::count(orders, stream::Order::Puncts);
      }
    }
  }
};
} // namespace
