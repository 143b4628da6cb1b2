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
  SmallVector<SmallVector<int32_t>> edges;    // by operator, by operand
  SmallVector<SmallVector<int32_t>> segments; // by operator, by input port
};

/// A consumer is called if nothing else reaches it, so that it needs no head of
/// its own, and if its producer is in one segment only. Native operators forward
/// batches.
bool SegmentBuilder::canCall(const Connection &edge) const {
  stream::OperatorOp producer = graph[edge.producer], consumer = graph[edge.consumer];
  bool direct = (*consumer.getBoundaries())[edge.input] == int32_t(stream::Boundary::direct);
  return direct && consumer.getInputs().size() == 1 && producer.inputPorts() <= 1 &&
         !producer.getNative() && !submitsSeveral(producer, edge.output);
}

void SegmentBuilder::chooseEdges() {
  for (unsigned op = 0; op < graph.size(); ++op)
    edges[op].assign(graph[op].getInputs().size(), int32_t(Edge::batch));
  for (unsigned op = 0; op < graph.size(); ++op)
    for (unsigned port = 0; port < graph[op].getNumResults(); ++port) {
      auto isBack = [&](const Connection &edge) {
        return graph[edge.consumer].edge(edge.operand) == Edge::back;
      };
      SmallVector<Connection> consumers = graph.consumers(op, port);
      // All alike: consumers run in graph order, and calls come before batches.
      bool call = llvm::all_of(
          consumers, [&](const Connection &edge) { return !isBack(edge) && canCall(edge); });
      for (const Connection &edge : consumers)
        edges[edge.consumer][edge.operand] = int32_t(isBack(edge) ? Edge::back
                                                     : call       ? Edge::call
                                                                  : Edge::batch);
    }
}

/// A call on an ordered stream is a batch of one tuple (or mark), and operators
/// keep nothing back at the end of a batch: what is called must forward at once,
/// too.
void SegmentBuilder::spreadOrder() {
  SmallVector<unsigned> work;
  for (unsigned op = 0; op < graph.size(); ++op)
    work.push_back(op);
  auto all = [](ArrayRef<bool> flags) {
    return llvm::all_of(flags, [](bool flag) { return flag; });
  };
  while (!work.empty()) {
    unsigned op = work.pop_back_val();
    for (const Connection &edge : graph.out(op)) {
      stream::OperatorOp producer = graph[op], consumer = graph[edge.consumer];
      if (edges[edge.consumer][edge.operand] != int32_t(Edge::call))
        continue;
      size_t ports = consumer.getNumResults();
      SmallVector<bool> ordered(*consumer.getOrdered()), marks(*consumer.getOrderedPuncts());
      if ((*producer.getOrdered())[edge.output] && !all(ordered)) {
        consumer.setOrdered(SmallVector<bool>(ports, true));
        consumer.setOrderedPuncts(SmallVector<bool>(ports, false));
      } else if ((*producer.getOrderedPuncts())[edge.output]) {
        SmallVector<bool> wanted;
        for (bool flag : ordered)
          wanted.push_back(!flag);
        if (wanted == marks)
          continue;
        consumer.setOrderedPuncts(wanted);
      } else {
        continue;
      }
      work.push_back(edge.consumer);
    }
  }
}

/// What calls reach from an output port belongs to the same segment.
void SegmentBuilder::join(unsigned op, unsigned output, int32_t segment) {
  SmallVector<Connection> work = graph.consumers(op, output);
  while (!work.empty()) {
    Connection edge = work.pop_back_val();
    if (edges[edge.consumer][edge.operand] != int32_t(Edge::call))
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
      if (edges[op][edge.operand] != int32_t(Edge::call) && segments[op][edge.input] < 0)
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
    else if (llvm::any_of(edges[op], [](int32_t e) { return e != int32_t(Edge::call); }))
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
