//===- Explain.cpp - why the program is placed as it is -------------------===//
#include "passes/Explain.h"
#include "passes/Graph.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace sluice;

namespace {
class Explanation {
public:
  Explanation(const Graph &graph, llvm::raw_ostream &out) : graph(graph), out(out) {}
  void print() {
    for (unsigned op = 0; op < graph.size(); ++op) {
      title(op);
      state(op);
      inputs(op);
      outputs(op);
    }
  }

private:
  llvm::raw_ostream &line(const std::string &what) { return out << llvm::formatv("  {0,-10}", what); }
  void title(unsigned op);
  void state(unsigned op);
  void inputs(unsigned op);
  void outputs(unsigned op);
  std::string producers(unsigned op, unsigned port, stream::Edge kind) const;

  const Graph &graph;
  llvm::raw_ostream &out;
};
} // namespace

void Explanation::title(unsigned op) {
  stream::OperatorOp item = graph[op];
  out << item.getName() << "  (" << item.getKind();
  item.getLoc()->walk([&](Location at) {
    auto file = dyn_cast<FileLineColRange>(at);
    if (!file)
      return WalkResult::advance();
    out << ", " << llvm::sys::path::filename(file.getFilename()) << ":" << file.getStartLine();
    return WalkResult::interrupt();
  });
  out << ")\n";
}

void Explanation::state(unsigned op) {
  if (auto state = graph[op]->getAttrOfType<DictionaryAttr>("state"))
    line("state") << state.getAs<StringAttr>("kind").getValue() << ": " << state.getAs<StringAttr>("why").getValue() << "\n";
}

/// Who reaches an input port by edges of a kind.
std::string Explanation::producers(unsigned op, unsigned port, stream::Edge kind) const {
  std::string names;
  for (const Connection &edge : graph.in(op))
    if (edge.input == port && graph[op].edge(edge.operand) == kind)
      names += (names.empty() ? "" : ", ") + graph[edge.producer].getName().str();
  return names;
}

void Explanation::inputs(unsigned op) {
  stream::OperatorOp item = graph[op];
  auto reasons = item->getAttrOfType<ArrayAttr>("reasons");
  for (unsigned port = 0; port < item.inputPorts(); ++port) {
    auto boundary = stream::Boundary((*item.getBoundaries())[port]);
    StringRef why = reasons ? cast<StringAttr>(reasons[port]).getValue() : "";
    std::string called = producers(op, port, stream::Edge::call);
    line("input " + std::to_string(port));
    if (!called.empty())
      out << "fused: called by " << called << " for each tuple";
    else if (boundary == stream::Boundary::direct)
      out << "direct: called by " << producers(op, port, stream::Edge::batch) << " for each batch";
    else
      out << stream::stringifyBoundary(boundary);
    out << " (" << why << ")\n";
  }
}

void Explanation::outputs(unsigned op) {
  stream::OperatorOp item = graph[op];
  for (unsigned port = 0; port < item.getNumResults(); ++port)
    if ((*item.getOrdered())[port])
      line("output " + std::to_string(port)) << "ordered: handed on at each submit, as its order could be seen\n";
    else if ((*item.getOrderedMarks())[port])
      line("output " + std::to_string(port)) << "in batches; punctuation is handed on at once, as its order could be seen\n";
}

void sluice::explainPlacement(ModuleOp module, llvm::raw_ostream &out) {
  for (auto op : module.getOps<stream::GraphOp>()) {
    Graph graph(op);
    Explanation(graph, out).print();
  }
}
