//===- VerifyPlaced.cpp - what holds from phase placed on -----------------===//
#include "passes/Passes.h"
#include "passes/analyze/Graph.h"
#include <map>

namespace sluice {
#define GEN_PASS_DEF_STREAMVERIFYPLACED
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;

/// Every operator says how it is reached; lengths are the op's own invariant.
static LogicalResult verifyPresent(stream::OperatorOp op) {
  if (!op.getBoundaries() || !op.getOrders() || !op.getEdges() || !op.getSegment())
    return op.emitError("phase placed: lacks boundaries, orders, edges or segment");
  if (op.isSource() && !op.getSourceSegment())
    return op.emitError("phase placed: a source without a segment");
  return success();
}

/// Consumers are called before others get a batch.
static LogicalResult verifyCallsFirst(const Graph &graph, unsigned op, unsigned port) {
  bool behind = false;
  for (const Connection &edge : graph.consumers(op, port)) {
    bool call = graph[edge.consumer].edge(edge.operand) == Edge::Call;
    if (behind && call)
      return graph[op].emitError("phase placed: output port ")
             << port << " calls behind a consumer that takes batches";
    behind |= !call;
  }
  return success();
}

/// A call stays in the producer's segment.
static LogicalResult verifyEdges(const Graph &graph, unsigned op) {
  for (const Connection &edge : graph.out(op)) {
    stream::OperatorOp producer = graph[op], consumer = graph[edge.consumer];
    if (consumer.edge(edge.operand) != Edge::Call)
      continue;
    if (producer.getNative())
      return consumer.emitError("phase placed: is called by an operator that calls nobody");
    for (const Connection &other : graph.in(edge.consumer))
      if (consumer.edge(other.operand) != Edge::Call)
        return consumer.emitError("phase placed: is called, and batches reach it, too");
    // An operator with several segments calls nobody: they differ from that of the consumer.
    int32_t segment =
        producer.isSource() ? int32_t(*producer.getSourceSegment()) : (*producer.getSegment())[0];
    if (llvm::any_of(*consumer.getSegment(), [&](int32_t own) { return own != segment; }))
      return consumer.emitError("phase placed: is called, but is not in its producer's segment");
  }
  for (unsigned port = 0; port < graph[op].getNumResults(); ++port)
    if (failed(verifyCallsFirst(graph, op, port)))
      return failure();
  return success();
}

/// Segments are numbered densely, and each has one head.
static LogicalResult verifySegments(stream::GraphOp op, const Graph &graph) {
  SmallVector<stream::OperatorOp> heads;
  auto addHead = [&](stream::OperatorOp head, int32_t segment) -> LogicalResult {
    if (segment < 0)
      return head.emitError("phase placed: an input port without a segment");
    if (size_t(segment) >= heads.size())
      heads.resize(segment + 1);
    if (heads[segment])
      return head.emitError("phase placed: segment ") << segment << " has two heads";
    heads[segment] = head;
    return success();
  };
  for (unsigned i = 0; i < graph.size(); ++i) {
    if (graph[i].isSource() && failed(addHead(graph[i], *graph[i].getSourceSegment())))
      return failure();
    for (unsigned port = 0; port < graph[i].inputPorts(); ++port) {
      if (graph[i].isHead(port) && failed(addHead(graph[i], (*graph[i].getSegment())[port])))
        return failure();
    }
  }
  for (auto [number, head] : llvm::enumerate(heads))
    if (!head)
      return op.emitError("phase placed: segment ") << number << " has no head";
  return success();
}

/// Every operator is in a PE, and each link has a sender and a receiver in different ones.
static LogicalResult verifyPes(stream::GraphOp op, const Graph &graph) {
  std::map<uint32_t, std::pair<stream::OperatorOp, stream::OperatorOp>> ends; // by link
  for (stream::OperatorOp item : graph.operators()) {
    if (item.getPe().has_value() != !op.getPes().empty() ||
        item.getPe().value_or(0) >= std::max<size_t>(op.getPes().size(), 1))
      return item.emitError("phase placed: is in no PE of the graph");
    if (!item.getLink())
      continue;
    auto &[sender, receiver] = ends[*item.getLink()];
    stream::OperatorOp &end = item.isSource() ? receiver : sender;
    if (end)
      return item.emitError("phase placed: the second such end of link ") << *item.getLink();
    end = item;
  }
  for (auto &[number, pair] : ends) {
    auto [sender, receiver] = pair;
    if (!sender || !receiver)
      return (sender ? sender : receiver).emitError("phase placed: the only end of link ")
             << number;
    if (sender.getPe() == receiver.getPe())
      return receiver.emitError("phase placed: link ") << number << " leads to its own PE";
  }
  return success();
}

namespace {
struct VerifyPlaced : sluice::impl::StreamVerifyPlacedBase<VerifyPlaced> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    for (auto op : getOperation().getOps<stream::GraphOp>())
      if (failed(verify(op)))
        return signalPassFailure();
  }

  LogicalResult verify(stream::GraphOp op) {
    Graph graph(op);
    for (stream::OperatorOp item : graph.operators())
      if (failed(verifyPresent(item)))
        return failure();
    for (unsigned i = 0; i < graph.size(); ++i)
      if (failed(verifyEdges(graph, i)))
        return failure();
    if (failed(verifyPes(op, graph)))
      return failure();
    return verifySegments(op, graph);
  }
};
} // namespace
