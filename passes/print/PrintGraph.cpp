//===- PrintGraph.cpp - the graph for people and programs -----------------===//
#include "passes/print/PrintGraph.h"
#include "passes/Passes.h"
#include "passes/analyze/Graph.h"
#include "llvm/Support/JSON.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMPRINTGRAPH
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;

static std::optional<stream::Edge> edgeOf(const Graph &graph, const Connection &edge) {
  stream::OperatorOp consumer = graph[edge.consumer];
  return consumer.getEdges() ? std::optional(consumer.edge(edge.operand)) : std::nullopt;
}

static bool isOrdered(stream::OperatorOp op, unsigned port) {
  return op.getOrders() && op.order(port) == stream::Order::All;
}

/// The segments of an operator: of its process, or of its input ports.
static SmallVector<int32_t> segmentsOf(stream::OperatorOp op) {
  SmallVector<int32_t> result;
  if (op.getSourceSegment())
    result.push_back(*op.getSourceSegment());
  if (op.getSegment())
    llvm::append_range(result, *op.getSegment());
  return result;
}

static std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream out(result);
  out << '"';
  llvm::printEscapedString(text, out);
  out << '"';
  return result;
}

static auto regionsOf(stream::GraphOp op) {
  return op.getParallelRegions().getAsRange<stream::RegionAttr>();
}

/// The width, or the name of the submission-time value that it is.
static std::string widthOf(stream::GraphOp op, stream::RegionAttr region) {
  if (auto width = region.getWidth())
    return std::to_string(*width);
  return op.submission(*region.getSubmission()).getName().str();
}

/// The operators of a region and, as clusters, the regions in it.
static void printNodes(stream::GraphOp op, const Graph &graph, int region, llvm::raw_ostream &out) {
  for (unsigned i = 0; i < graph.size(); ++i) {
    if (graph[i].parallelRegion() != region)
      continue;
    std::string label = (graph[i].getName() + "\\n" + graph[i].sourceKind()).str();
    if (auto part = graph[i].getPart())
      label += ("\\npart " + *part).str();
    if (SmallVector<int32_t> segments = segmentsOf(graph[i]); !segments.empty()) {
      label += "\\nsegment";
      for (int32_t segment : segments)
        label += " " + std::to_string(segment);
    }
    out << "  n" << i << " [label=\"" << label << "\"];\n";
  }
  for (auto [index, inner] : llvm::enumerate(regionsOf(op)))
    if (inner.getParent() == region) {
      out << "  subgraph cluster_" << index
          << " {\n  label=" << quoted("@parallel(width=" + widthOf(op, inner) + ")") << ";\n";
      printNodes(op, graph, index, out);
      out << "  }\n";
    }
}

static void printDot(stream::GraphOp op, llvm::raw_ostream &out) {
  Graph graph(op);
  out << "digraph " << quoted(op.getSymName()) << " {\n  rankdir=LR;\n  node [shape=box];\n";
  printNodes(op, graph, -1, out);
  for (unsigned i = 0; i < graph.size(); ++i)
    for (const Connection &edge : graph.out(i)) {
      std::optional<stream::Edge> kind = edgeOf(graph, edge);
      out << "  n" << i << " -> n" << edge.consumer
          << " [label=" << quoted(kind ? stream::stringifyEdge(*kind) : "")
          << (isOrdered(graph[i], edge.output) ? ", style=bold" : "") << "];\n";
    }
  out << "}\n";
}

static void printJson(stream::GraphOp op, llvm::raw_ostream &out) {
  Graph graph(op);
  llvm::json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("graph", op.getSymName());
    json.attributeArray("operators", [&] {
      for (stream::OperatorOp item : graph.operators())
        json.object([&] {
          json.attribute("name", item.getName());
          json.attribute("kind", item.sourceKind());
          if (item.getPart())
            json.attribute("part", *item.getPart());
          json.attribute("native", bool(item.getNative()));
          if (item.parallelRegion() >= 0)
            json.attribute("region", item.parallelRegion());
          json.attributeArray("segments", [&] {
            for (int32_t segment : segmentsOf(item))
              json.value(segment);
          });
        });
    });
    if (op.parallelRegionCount())
      json.attributeArray("regions", [&] {
        for (stream::RegionAttr region : regionsOf(op))
          json.object([&] {
            json.attribute("path", region.getPath().getValue());
            json.attribute("width", widthOf(op, region));
            json.attribute("parent", region.getParent());
          });
      });
    json.attributeArray("streams", [&] {
      for (unsigned i = 0; i < graph.size(); ++i)
        for (const Connection &edge : graph.out(i))
          json.object([&] {
            json.attribute("from", int64_t(i));
            json.attribute("output", int64_t(edge.output));
            json.attribute("to", int64_t(edge.consumer));
            json.attribute("input", int64_t(edge.input));
            if (auto kind = edgeOf(graph, edge))
              json.attribute("edge", stream::stringifyEdge(*kind));
            json.attribute("ordered", isOrdered(graph[i], edge.output));
          });
    });
  });
  out << "\n";
}

void sluice::printGraphAsDot(ModuleOp module, llvm::raw_ostream &out) {
  for (auto op : module.getOps<stream::GraphOp>())
    printDot(op, out);
}

void sluice::printGraphAsJson(ModuleOp module, llvm::raw_ostream &out) {
  for (auto op : module.getOps<stream::GraphOp>())
    printJson(op, out);
}

namespace {
struct PrintGraph : sluice::impl::StreamPrintGraphBase<PrintGraph> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (format == "dot")
      return printGraphAsDot(getOperation(), llvm::outs());
    if (format == "json")
      return printGraphAsJson(getOperation(), llvm::outs());
    getOperation().emitError("unknown graph format '") << format << "': write dot or json";
    signalPassFailure();
  }
};
} // namespace
