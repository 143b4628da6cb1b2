//===- GraphText.cpp - how graphs are put to people -----------------------===//
#include "passes/print/GraphText.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;

std::optional<stream::Edge> sluice::edgeOf(const Graph &graph, const Connection &edge) {
  stream::OperatorOp consumer = graph[edge.consumer];
  return consumer.getEdges() ? std::optional(consumer.edge(edge.operand)) : std::nullopt;
}

bool sluice::isOrdered(stream::OperatorOp op, unsigned port) {
  return op.getOrders() && op.order(port) == stream::Order::All;
}

SmallVector<int32_t> sluice::segmentsOf(stream::OperatorOp op) {
  SmallVector<int32_t> result;
  if (op.getSourceSegment())
    result.push_back(*op.getSourceSegment());
  if (op.getSegment())
    llvm::append_range(result, *op.getSegment());
  return result;
}

StringRef sluice::streamNameOf(stream::OperatorOp op, unsigned port) {
  return op.getKind() == stream::OperatorOp::kTicker ? "ticks" : op.streamName(port);
}

std::string sluice::attributesOf(stream::OperatorOp op, unsigned port) {
  spl::TupleType tuple = op.outputTuple(port);
  std::string text;
  for (auto [name, type] : llvm::zip_equal(tuple.getNames(), tuple.getTypes()))
    if (!name.getValue().starts_with("$"))
      text += (text.empty() ? "" : ", ") + spl::sourceText(type) + " " + name.str();
  return text;
}

std::string sluice::shortened(StringRef text, size_t most) {
  size_t count = 0, end = 0;
  for (size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80 && ++count == most) // a character begins here
      end = i;
  return count <= most ? text.str() : (text.take_front(end).rtrim(", ") + "…").str();
}

std::string sluice::widthOf(stream::GraphOp op, stream::RegionAttr region) {
  if (auto width = region.getWidth())
    return std::to_string(*width);
  return op.submission(*region.getSubmission()).getName().str();
}

std::string sluice::splitOf(const Graph &graph, const Connection &edge, stream::SplitAttr split) {
  switch (split.getBy()) {
  case stream::SplitBy::Row:
    return "by turns";
  case stream::SplitBy::All:
    return "to each";
  case stream::SplitBy::Key:
    break;
  }
  std::string result = "by key";
  for (int32_t key : split.getKeys().asArrayRef())
    result += " " + graph[edge.consumer].inputTuple(edge.input).getNames()[key].str();
  return result;
}

std::string sluice::splitOf(const Graph &graph, const Connection &edge) {
  std::string result;
  for (stream::SplitAttr split : graph.splitsOf(edge))
    result += (result.empty() ? "" : ", then ") + splitOf(graph, edge, split);
  return result;
}
