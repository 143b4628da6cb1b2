//===- Segments.cpp - edges and segments -------------------------------===//
//
// A stream is called where it can be: its consumer then belongs to the
// producer's segment. What ends a segment: see README.md.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Graph.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMFORMSEGMENTS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;
using stream::Order;

namespace {
class SegmentBuilder {
public:
  explicit SegmentBuilder(const Graph &graph)
      : graph(graph), edges(graph.size()), segments(graph.size()) {}

  void chooseEdges();
  void spreadOrder();
  unsigned number();

private:
  bool canCall(const Connection &) const;
  void join(unsigned op, unsigned output, int32_t segment);

  const Graph &graph;
  SmallVector<SmallVector<Edge>> edges;       // by operator, by operand
  SmallVector<SmallVector<int32_t>> segments; // by operator, by input port
};

/// A consumer is called if nothing else reaches it, so that it needs no head of
/// its own, and if its producer is in one segment only. Native operators forward
/// batches.
bool SegmentBuilder::canCall(const Connection &edge) const {
  stream::OperatorOp producer = graph[edge.producer], consumer = graph[edge.consumer];
  bool direct = consumer.boundary(edge.input) == stream::Boundary::Direct;
  return direct && !consumer.takesBatches() && consumer.getInputs().size() == 1 &&
         producer.inputPorts() <= 1 && !producer.getNative() &&
         !submitsSeveral(producer, edge.output);
}

void SegmentBuilder::chooseEdges() {
  for (unsigned op = 0; op < graph.size(); ++op)
    edges[op].assign(graph[op].getInputs().size(), Edge::Batch);
  for (unsigned op = 0; op < graph.size(); ++op)
    for (unsigned port = 0; port < graph[op].getNumResults(); ++port) {
      auto isBack = [&](const Connection &edge) {
        return graph[edge.consumer].edge(edge.operand) == Edge::Back;
      };
      SmallVector<Connection> consumers = graph.consumers(op, port);
      // All alike: consumers run in graph order, and calls come before batches.
      bool call = llvm::all_of(
          consumers, [&](const Connection &edge) { return !isBack(edge) && canCall(edge); });
      for (const Connection &edge : consumers)
        edges[edge.consumer][edge.operand] = isBack(edge) ? Edge::Back
                                             : call       ? Edge::Call
                                                          : Edge::Batch;
    }
}

/// A call on an ordered stream is a batch of one tuple (or punctuation), and operators
/// keep nothing back at the end of a batch: what is called must forward at once,
/// too.
void SegmentBuilder::spreadOrder() {
  SmallVector<unsigned> work;
  for (unsigned op = 0; op < graph.size(); ++op)
    work.push_back(op);
  while (!work.empty()) {
    unsigned op = work.pop_back_val();
    for (const Connection &edge : graph.out(op)) {
      stream::OperatorOp consumer = graph[edge.consumer];
      Order order = graph[op].order(edge.output);
      if (edges[edge.consumer][edge.operand] != Edge::Call || order == Order::None)
        continue;
      SmallVector<Order> orders(*consumer.getOrders());
      for (Order &own : orders)
        own = own == Order::All ? own : order;
      if (ArrayRef(orders) == *consumer.getOrders())
        continue;
      consumer.setOrders(orders);
      work.push_back(edge.consumer);
    }
  }
}

/// What calls reach from an output port belongs to the same segment.
void SegmentBuilder::join(unsigned op, unsigned output, int32_t segment) {
  SmallVector<Connection> work = graph.consumers(op, output);
  while (!work.empty()) {
    Connection edge = work.pop_back_val();
    if (edges[edge.consumer][edge.operand] != Edge::Call)
      continue;
    segments[edge.consumer] = {segment};
    llvm::append_range(work, graph.out(edge.consumer));
  }
}

unsigned SegmentBuilder::number() {
  int32_t next = 0;
  for (unsigned op = 0; op < graph.size(); ++op) {
    segments[op].resize(graph[op].inputPorts(), -1);
    for (Connection edge : graph.in(op))
      if (edges[op][edge.operand] != Edge::Call && segments[op][edge.input] < 0)
        segments[op][edge.input] = next++;
    if (graph[op].isSource())
      graph[op].setSourceSegment(next++);
  }
  // From here on all heads have a number.
  for (unsigned op = 0; op < graph.size(); ++op) {
    auto spread = [&](int32_t segment) {
      for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
        join(op, port, segment);
    };
    if (graph[op].isSource())
      spread(*graph[op].getSourceSegment());
    else if (llvm::any_of(edges[op], [](Edge e) { return e != Edge::Call; }))
      spread(segments[op][0]);
  }
  for (unsigned op = 0; op < graph.size(); ++op) {
    stream::OperatorOp target = graph[op];
    target.setEdges(edges[op]);
    target.setSegment(segments[op]);
  }
  return next;
}

struct FormSegments : sluice::impl::StreamFormSegmentsBase<FormSegments> {
  using Base::Base;

  void runOnOperation() override {
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      SegmentBuilder builder(graph);
      builder.chooseEdges();
      builder.spreadOrder();
      segments += builder.number();
    }
  }
};
} // namespace
