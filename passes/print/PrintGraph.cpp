//===- PrintGraph.cpp - the graph for people and programs -----------------===//
#include "passes/print/PrintGraph.h"
#include "passes/Passes.h"
#include "passes/print/Enclosures.h"
#include "passes/print/GraphText.h"
#include "passes/print/drawing/Drawing.h"
#include "llvm/Support/JSON.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMPRINTGRAPH
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;

/// A string of the dot language.
static std::string quoted(ArrayRef<std::string> lines) {
  std::string result;
  for (StringRef line : lines) {
    result += result.empty() ? "" : "\\n";
    for (char c : line) {
      if (c == '"' || c == '\\')
        result += '\\';
      result += c;
    }
  }
  return '"' + result + '"';
}

static auto regionsOf(stream::GraphOp op) {
  return op.getParallelRegions().getAsRange<stream::RegionAttr>();
}

/// The operators directly in an enclosure (-1: in none), and as clusters the enclosures in it.
static void printNodes(const Graph &graph, const Enclosures &enclosures, int within,
                       llvm::raw_ostream &out) {
  for (unsigned i = 0; i < graph.size(); ++i) {
    if (enclosures.around(i) != within)
      continue;
    SmallVector<std::string> label{graph[i].getName().str(), graph[i].sourceKind().str()};
    if (auto part = graph[i].getPart())
      label.push_back("part " + part->str());
    if (SmallVector<int32_t> segments = segmentsOf(graph[i]); !segments.empty()) {
      label.push_back("segment");
      for (int32_t segment : segments)
        label.back() += " " + std::to_string(segment);
    }
    out << "  n" << i << " [label=" << quoted(label) << "];\n";
  }
  for (auto [index, inner] : llvm::enumerate(enclosures.all()))
    if (inner.parent == within) {
      out << "  subgraph cluster_" << index << " {\n  label=" << quoted(enclosures.title(inner))
          << (inner.kind == Enclosure::Kind::Region ? ";\n  style=dashed;\n" : ";\n");
      printNodes(graph, enclosures, index, out);
      out << "  }\n";
    }
}

/// A node that says what the edges mean.
static constexpr StringLiteral kDotLegend =
    "  legend [shape=plaintext, fontsize=10, label=\"call: for each tuple, within a segment\\l"
    "batch: in batches, to a segment of its own\\lback: closes a cycle, through a queue\\l"
    "bold: each tuple is handed on at once\\llink: to another process (PE)\\l\"];\n";

static void printDot(stream::GraphOp op, llvm::raw_ostream &out) {
  Graph graph(op, Graph::Links::Streams);
  out << "digraph " << quoted(op.getSymName().str())
      << " {\n  rankdir=LR;\n  node [shape=box];\n  edge [fontsize=10];\n";
  printNodes(graph, Enclosures(op, graph), -1, out);
  for (unsigned i = 0; i < graph.size(); ++i)
    for (const Connection &edge : graph.out(i)) {
      std::string attributes = attributesOf(graph[i], edge.output);
      std::string name = streamNameOf(graph[i], edge.output).str();
      SmallVector<std::string> label{name, shortened(attributes)};
      if (auto link = edge.link())
        label.push_back("link " + std::to_string(*link));
      else if (auto kind = edgeOf(graph, edge))
        label.push_back(stream::stringifyEdge(*kind).str());
      out << "  n" << i << " -> n" << edge.consumer << " [label=" << quoted(label)
          << ", edgetooltip=" << quoted("stream<" + attributes + "> " + name)
          << (isOrdered(graph[i], edge.output) ? ", style=bold" : "")
          << (edge.link() ? ", color=\"#7c3aed\"" : "") << "];\n";
    }
  out << kDotLegend << "}\n";
}

static void printJson(stream::GraphOp op, llvm::raw_ostream &out) {
  Graph graph(op, Graph::Links::Streams);
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
          if (item.getPe())
            json.attribute("pe", int64_t(*item.getPe()));
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
            json.attribute("kind", region.getKind() ? region.getKind().getValue() : "");
            json.attribute("width", widthOf(op, region));
            json.attribute("parent", region.getParent());
          });
      });
    if (!op.getPes().empty())
      json.attributeArray("pes", [&] {
        for (unsigned pe = 0; pe < op.getPes().size(); ++pe)
          json.object([&] {
            json.attribute("name", peName(op, pe));
            if (op.pe(pe).getRegion() >= 0)
              json.attribute("region", op.pe(pe).getRegion());
          });
      });
    json.attributeArray("streams", [&] {
      for (unsigned i = 0; i < graph.size(); ++i)
        for (const Connection &edge : graph.out(i))
          json.object([&] {
            json.attribute("name", streamNameOf(graph[i], edge.output));
            json.attribute("type", "tuple<" + attributesOf(graph[i], edge.output) + ">");
            json.attribute("from", int64_t(i));
            json.attribute("output", int64_t(edge.output));
            json.attribute("to", int64_t(edge.consumer));
            json.attribute("input", int64_t(edge.input));
            if (auto kind = edgeOf(graph, edge))
              json.attribute("edge", stream::stringifyEdge(*kind));
            if (auto link = edge.link())
              json.attribute("link", int64_t(*link));
            json.attribute("ordered", isOrdered(graph[i], edge.output));
          });
    });
  });
  out << "\n";
}

static void printSvg(stream::GraphOp op, llvm::raw_ostream &out) {
  drawing::Content content = drawing::contentOf(op);
  drawing::printSvg(content, drawing::place(content), out);
}

void sluice::printGraph(ModuleOp module, GraphFormat format, llvm::raw_ostream &out) {
  for (auto op : module.getOps<stream::GraphOp>())
    switch (format) {
    case GraphFormat::Dot:
      printDot(op, out);
      break;
    case GraphFormat::Json:
      printJson(op, out);
      break;
    case GraphFormat::Svg:
      printSvg(op, out);
      break;
    }
}

namespace {
struct PrintGraph : sluice::impl::StreamPrintGraphBase<PrintGraph> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    printGraph(getOperation(), format, llvm::outs());
  }
};
} // namespace
