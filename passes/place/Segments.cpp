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
      : graph(graph), order(graph.producersFirst()), edges(graph.size()), segments(graph.size()) {}

  void chooseEdges();
  unsigned number();

private:
  /// The segment of an operator, by the operator whose head it begins with.
  static constexpr int kOpen = -1;    // not known: only a cycle leads to it
  static constexpr int kSeveral = -2; // it has one for each input port

  bool canCall(const Connection &) const;
  SmallVector<int> segmentOfEach() const;
  int segmentOf(unsigned op, ArrayRef<int> found) const;
  bool isCalledWhole(unsigned op, ArrayRef<int> found) const;
  bool dropCallsInto(unsigned op, ArrayRef<int> found);
  bool dropCallsFrom(unsigned op);
  bool drop(const Connection &);
  bool isCall(const Connection &edge) const {
    return edges[edge.consumer][edge.operand] == Edge::Call;
  }
  void join(unsigned op, unsigned output, int32_t segment);

  const Graph &graph;
  SmallVector<unsigned> order;                // producers first
  SmallVector<SmallVector<Edge>> edges;       // by operator, by operand
  SmallVector<SmallVector<int32_t>> segments; // by operator, by input port
};

/// Whether a stream may be called, as far as its two ends say so. Where streams meet and where one
/// tuple becomes several, batches are better, unless the order leaves one tuple in each.
bool SegmentBuilder::canCall(const Connection &edge) const {
  stream::OperatorOp producer = graph[edge.producer], consumer = graph[edge.consumer];
  bool direct = consumer.boundary(edge.input) == stream::Boundary::Direct;
  bool ordered = producer.order(edge.output) == Order::All;
  return direct && !consumer.takesBatches() && !producer.getNative() &&
         (ordered || (consumer.getInputs().size() == 1 && !submitsSeveral(producer, edge.output)));
}

/// The segments as the edges are now. One pass: producers come first.
SmallVector<int> SegmentBuilder::segmentOfEach() const {
  SmallVector<int> found(graph.size(), kOpen);
  for (unsigned op : order)
    found[op] = segmentOf(op, found);
  return found;
}

int SegmentBuilder::segmentOf(unsigned op, ArrayRef<int> found) const {
  if (isCalledWhole(op, found))
    return found[graph.in(op).front().producer];
  return graph[op].inputPorts() > 1 ? kSeveral : int(op);
}

/// An operator is called by one segment for all that it gets, or not at all.
bool SegmentBuilder::isCalledWhole(unsigned op, ArrayRef<int> found) const {
  ArrayRef<Connection> in = graph.in(op);
  return !in.empty() && llvm::all_of(in, [&](const Connection &edge) {
    return isCall(edge) && found[edge.producer] >= 0 &&
           found[edge.producer] == found[in.front().producer];
  });
}

bool SegmentBuilder::drop(const Connection &edge) {
  Edge &own = edges[edge.consumer][edge.operand];
  return own == Edge::Call ? own = Edge::Batch, true : false;
}

bool SegmentBuilder::dropCallsInto(unsigned op, ArrayRef<int> found) {
  bool stays = isCalledWhole(op, found), dropped = false;
  for (const Connection &edge : graph.in(op))
    dropped |= !stays && drop(edge);
  return dropped;
}

/// Consumers run in graph order, and a submit calls before it appends to the batch of the others.
/// So none is called that stands behind one that takes batches.
bool SegmentBuilder::dropCallsFrom(unsigned op) {
  bool dropped = false;
  for (unsigned port = 0; port < graph[op].getNumResults(); ++port) {
    bool behind = false;
    for (const Connection &edge : graph.consumers(op, port)) {
      behind |= !isCall(edge);
      dropped |= behind && drop(edge);
    }
  }
  return dropped;
}

/// As many calls as there can be: all that may be, without those that do not fit the others.
void SegmentBuilder::chooseEdges() {
  for (unsigned op = 0; op < graph.size(); ++op) {
    edges[op].assign(graph[op].getInputs().size(), Edge::Batch);
    for (const Connection &edge : graph.in(op)) {
      bool back = graph[op].edge(edge.operand) == Edge::Back;
      edges[op][edge.operand] = back ? Edge::Back : canCall(edge) ? Edge::Call : Edge::Batch;
    }
  }
  for (bool dropped = true; dropped;) {
    SmallVector<int> found = segmentOfEach();
    dropped = false;
    for (unsigned op = 0; op < graph.size(); ++op) {
      dropped |= dropCallsInto(op, found);
      dropped |= dropCallsFrom(op);
    }
  }
}

/// What calls reach from an output port belongs to the same segment.
void SegmentBuilder::join(unsigned op, unsigned output, int32_t segment) {
  SmallVector<Connection> work = graph.consumers(op, output);
  while (!work.empty()) {
    Connection edge = work.pop_back_val();
    if (!isCall(edge) || segments[edge.consumer].front() == segment)
      continue;
    segments[edge.consumer].assign(graph[edge.consumer].inputPorts(), segment);
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
      segments += builder.number();
    }
  }
};
} // namespace
