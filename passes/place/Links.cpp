//===- Links.cpp - senders and receivers in streams between PEs ----------===//
#include "passes/Passes.h"
#include "passes/analyze/Graph.h"
#include "llvm/ADT/MapVector.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMINSERTLINKS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::OperatorOp;

namespace {
/// A stream to consumers in one PE and region.
struct Link {
  OperatorOp producer;
  unsigned output;
  int32_t pe;
  ArrayAttr splits; // how it enters regions, the outermost first; may be empty
  SmallVector<std::pair<OperatorOp, unsigned>> consumers; // and operands
};
} // namespace

static SmallVector<Link> findLinks(const Graph &graph) {
  SmallVector<Link> links;
  for (unsigned op = 0; op < graph.size(); ++op) {
    size_t first = links.size();
    for (const Connection &edge : graph.out(op)) {
      OperatorOp producer = graph[op], consumer = graph[edge.consumer];
      int32_t pe = *consumer.getPe();
      if (pe == int32_t(*producer.getPe()))
        continue;
      ArrayAttr all = consumer.getSplits();
      auto splits = all.empty() ? Builder(consumer.getContext()).getArrayAttr({})
                                : cast<ArrayAttr>(all[edge.operand]);
      // What enters a region has a link in it; else the link is in the producer's region.
      auto same = llvm::find_if(MutableArrayRef(links).drop_front(first), [&](Link &link) {
        return link.output == edge.output && link.pe == pe && link.splits == splits &&
               (splits.empty() ||
                link.consumers.front().first.parallelRegion() == consumer.parallelRegion());
      });
      if (same == links.end())
        same = &links.emplace_back(Link{producer, edge.output, pe, splits, {}});
      same->consumers.push_back({consumer, edge.operand});
    }
  }
  return links;
}

static OperatorOp makeEnd(OpBuilder &builder, const Link &link, int32_t number, bool sends) {
  OperatorOp producer = link.producer;
  Value stream = producer.getOutputs()[link.output];
  SmallVector<Type> outputs(sends ? 0 : 1, stream.getType());
  OperatorOp end = OperatorOp::create(
      builder, producer.getLoc(), outputs, producer.streamName(link.output),
      sends ? OperatorOp::kSend : OperatorOp::kReceive, sends ? ValueRange(stream) : ValueRange(),
      sends ? ArrayRef<int32_t>{1} : ArrayRef<int32_t>(),
      /*isCatch=*/false);
  end.getBody().emplaceBlock();
  end.setNative(true);
  end.setPart(sends ? "send" : "receive");
  end.setLink(number);
  end.setPe(sends ? int32_t(*producer.getPe()) : link.pe);
  OperatorOp inside = link.splits.empty() ? producer : link.consumers.front().first;
  end.setParallelRegionAttr(inside.getParallelRegionAttr());
  if (sends && !link.splits.empty())
    end.setSplitsAttr(builder.getArrayAttr({link.splits}));
  end.setEdges(sends ? ArrayRef{stream::Edge::Call} : ArrayRef<stream::Edge>());
  end.setOrders(sends ? ArrayRef<stream::Order>() : ArrayRef{producer.order(link.output)});
  return end;
}

/// The consumers take the stream from the receiver, which is in their region.
static void redirect(const Link &link, OperatorOp receiver) {
  for (auto [consumer, operand] : link.consumers) {
    consumer->setOperand(operand, receiver.getOutputs()[0]);
    if (link.splits.empty())
      continue;
    SmallVector<Attribute> splits(consumer.getSplits().getValue());
    splits[operand] = ArrayAttr::get(consumer.getContext(), {});
    consumer.setSplitsAttr(ArrayAttr::get(consumer.getContext(), splits));
  }
}

namespace {
struct InsertLinks : sluice::impl::StreamInsertLinksBase<InsertLinks> {
  void runOnOperation() override {
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      if (op.getPes().empty())
        continue;
      for (auto [number, link] : llvm::enumerate(findLinks(Graph(op)))) {
        OpBuilder builder(op.getContext());
        if (link.splits.empty())
          builder.setInsertionPointAfter(link.producer);
        else
          builder.setInsertionPoint(link.consumers.front().first);
        makeEnd(builder, link, number, /*sends=*/true);
        redirect(link, makeEnd(builder, link, number, /*sends=*/false));
        ++links;
      }
    }
  }
};
} // namespace
