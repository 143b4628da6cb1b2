//===- Graph.cpp - the flat graph as operators and edges ------------------===//
#include "passes/analyze/Graph.h"

using namespace mlir;
using namespace sluice;

Graph::Graph(stream::GraphOp graph, Links links) {
  llvm::DenseMap<int32_t, stream::OperatorOp> senders; // by link
  for (auto op : graph.getBody().getOps<stream::OperatorOp>()) {
    if (links == Links::Streams && op.getLink()) {
      if (!op.isSource())
        senders[*op.getLink()] = op;
      continue;
    }
    indices[op] = ops.size();
    ops.push_back(op);
  }
  outEdges.resize(ops.size());
  inEdges.resize(ops.size());
  for (auto [consumer, op] : llvm::enumerate(ops))
    for (OpOperand &operand : op->getOpOperands()) {
      auto result = dyn_cast<OpResult>(operand.get());
      auto producer =
          result ? dyn_cast<stream::OperatorOp>(result.getOwner()) : stream::OperatorOp();
      if (!producer)
        continue; // phase graph: a composite or merge
      stream::OperatorOp sender;
      if (!indices.contains(producer)) {
        sender = senders.lookup(*producer.getLink());
        if (!sender)
          continue; // stream-verify-placed reports it
        result = cast<OpResult>(sender.getInputs()[0]);
        producer = cast<stream::OperatorOp>(result.getOwner());
      }
      unsigned number = operand.getOperandNumber();
      Connection edge{indices[producer],  result.getResultNumber(),
                      unsigned(consumer), number,
                      op.portOf(number),  sender};
      outEdges[edge.producer].push_back(edge);
      inEdges[consumer].push_back(edge);
    }
  for (auto &edges : outEdges)
    llvm::sort(edges, [](const Connection &a, const Connection &b) {
      return std::tie(a.output, a.consumer, a.operand) < std::tie(b.output, b.consumer, b.operand);
    });
}

SmallVector<stream::SplitAttr> Graph::splitsOf(const Connection &edge) const {
  stream::OperatorOp sender = edge.sender, consumer = ops[edge.consumer];
  return sender ? sender.splitsOf(0) : consumer.splitsOf(edge.operand);
}

bool Graph::crossesRegion(const Connection &edge) const {
  stream::OperatorOp producer = ops[edge.producer], consumer = ops[edge.consumer];
  return producer.parallelRegion() != consumer.parallelRegion() || !splitsOf(edge).empty();
}

SmallVector<Connection> Graph::consumers(unsigned op, unsigned output) const {
  SmallVector<Connection> result;
  llvm::copy_if(out(op), std::back_inserter(result),
                [&](const Connection &edge) { return edge.output == output; });
  return result;
}

SmallVector<unsigned> Graph::producersFirst() const {
  auto isBack = [&](const Connection &edge) {
    stream::OperatorOp consumer = ops[edge.consumer];
    return consumer.edge(edge.operand) == stream::Edge::Back;
  };
  SmallVector<unsigned> order, waiting;
  for (unsigned op = 0; op < size(); ++op) {
    waiting.push_back(llvm::count_if(in(op), [&](auto &edge) { return !isBack(edge); }));
    if (!waiting.back())
      order.push_back(op);
  }
  for (unsigned i = 0; i < order.size(); ++i)
    for (const Connection &edge : out(order[i]))
      if (!isBack(edge) && --waiting[edge.consumer] == 0)
        order.push_back(edge.consumer);
  return order;
}

llvm::BitVector Graph::reachable(unsigned from) const {
  llvm::BitVector seen(size());
  SmallVector<unsigned> work{from};
  seen.set(from);
  while (!work.empty())
    for (const Connection &edge : out(work.pop_back_val()))
      if (!seen.test(edge.consumer)) {
        seen.set(edge.consumer);
        work.push_back(edge.consumer);
      }
  return seen;
}

bool sluice::mayFollow(Operation *from, Operation *to) {
  if (from->getBlock() == to->getBlock() && from != to && from->isBeforeInBlock(to))
    return true;
  llvm::SmallPtrSet<Block *, 8> seen;
  SmallVector<Block *> work(from->getBlock()->getSuccessors());
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    if (block == to->getBlock())
      return true;
    if (seen.insert(block).second)
      llvm::append_range(work, block->getSuccessors());
  }
  return false;
}

/// Whether one tuple may become several on output port `port`.
bool sluice::submitsSeveral(stream::OperatorOp op, unsigned port) {
  for (auto handler : op.getBody().getOps<stream::OnTupleOp>()) {
    SmallVector<stream::SubmitOp> submits;
    handler.walk([&](stream::SubmitOp submit) {
      if (submit.getPort() == port)
        submits.push_back(submit);
    });
    for (auto first : submits)
      for (auto second : submits)
        if (mayFollow(first, second))
          return true;
  }
  return false;
}

bool sluice::submitsInLoop(stream::OperatorOp op) {
  return llvm::any_of(op.getBody().getOps<stream::OnTupleOp>(), [](stream::OnTupleOp handler) {
    return handler
        .walk([](Operation *each) {
          bool repeats =
              isa<stream::SubmitOp, stream::SubmitPunctOp>(each) && mayFollow(each, each);
          return repeats ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  });
}
