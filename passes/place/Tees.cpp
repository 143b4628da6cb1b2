//===- Tees.cpp - one consumer where a stream has several of an order ------===//
#include "passes/Passes.h"
#include "passes/analyze/OrderAnalysis.h"
#include "passes/expand/HandlerBuilder.h"
#include "sluice/enums.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMINSERTTEES
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;
using stream::OperatorOp;
using stream::Order;

/// Only an operator with one segment calls its consumers.
static bool callsNobody(OperatorOp producer) {
  return producer.getNative() || producer.inputPorts() > 1;
}

static bool wantsTee(const Graph &graph, OperatorOp producer, unsigned output) {
  if (!callsNobody(producer) || producer.order(output) != Order::All)
    return false;
  SmallVector<Connection> consumers = graph.consumers(graph.indexOf(producer), output);
  return consumers.size() > 1 && llvm::none_of(consumers, [&](const Connection &edge) {
           return graph[edge.consumer].edge(edge.operand) == Edge::Back ||
                  graph.crossesRegion(edge);
         });
}

/// Hands on what comes, as it is; the runtime hands on Final.
static void addHandlers(OperatorOp tee, bool watermarks) {
  Location loc = tee.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(&tee.getBody().front());
  auto onTuple = stream::OnTupleOp::create(builder, loc, 0);
  HandlerBuilder tuple(loc, onTuple.getBody(), tee.inputTuple(0));
  tuple.submit(0, tuple.argument(0));
  tuple.end();

  mlir::Type marker = spl::markerType(tee.getContext());
  auto onPunct = stream::OnPunctOp::create(builder, loc, 0);
  HandlerBuilder punct(loc, onPunct.getBody(), marker);
  Value window = punct.constant(marker, int64_t(PunctuationKind::Window));
  Value isWindow = punct.compare(spl::CompareKind::eq, punct.argument(0), window);
  punct.when(isWindow, [&] { punct.submitWindow(0); });
  punct.end();

  if (!watermarks)
    return;
  auto onWatermark = stream::OnWatermarkOp::create(builder, loc, 0);
  HandlerBuilder mark(loc, onWatermark.getBody(), builder.getIntegerType(64, /*isSigned=*/true));
  mark.submitWatermark(0, mark.argument(0));
  mark.end();
}

static void insertTee(const Graph &graph, OperatorOp producer, unsigned output) {
  Value stream = producer.getOutputs()[output];
  bool watermarks = false;
  for (const Connection &edge : graph.consumers(graph.indexOf(producer), output)) {
    OperatorOp consumer = graph[edge.consumer];
    watermarks |= consumer.onWatermark(edge.input) != nullptr;
  }
  OpBuilder builder(producer.getContext());
  builder.setInsertionPointAfter(producer);
  OperatorOp tee =
      OperatorOp::create(builder, producer.getLoc(), stream.getType(), producer.getName(),
                         OperatorOp::kCustom, stream, ArrayRef<int32_t>{1}, /*isCatch=*/false);
  tee.getBody().emplaceBlock();
  tee.setOriginal(producer.sourceKind());
  tee.setPart("tee");
  if (StringRef name = producer.streamName(output); name != producer.getName())
    tee.setStreamsAttr(builder.getStrArrayAttr(name));
  tee.setParallelRegionAttr(producer.getParallelRegionAttr());
  addHandlers(tee, watermarks);
  tee.setEdges({Edge::Call});
  stream.replaceAllUsesExcept(tee.getOutputs()[0], tee);
}

namespace {
struct InsertTees : sluice::impl::StreamInsertTeesBase<InsertTees> {
  using Base::Base;

  void runOnOperation() override {
    EffectAnalysis effects(getOperation());
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph before(op);
      bool any = false;
      for (OperatorOp producer : before.operators())
        for (unsigned output = 0; output < producer.getNumResults(); ++output)
          if (wantsTee(before, producer, output)) {
            insertTee(before, producer, output);
            any = true;
            ++tees;
          }
      if (any)
        setOrders(Graph(op), effects);
    }
  }

  void setOrders(const Graph &graph, EffectAnalysis &effects) {
    for (auto [item, orders] :
         llvm::zip_equal(graph.operators(), analyzeOrder(graph, effects, mergeOrder)))
      OperatorOp(item).setOrders(orders);
  }
};
} // namespace
