//===- Explain.cpp - why the program is placed as it is -------------------===//
#include "passes/print/Explain.h"
#include "ir/Kinds.h"
#include "passes/analyze/Cost.h"
#include "passes/print/Stages.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace sluice;

namespace {
class Explanation {
public:
  Explanation(const Graph &graph, const InPlaceHeads &inPlace, const SegmentNotes &notes,
              llvm::raw_ostream &out)
      : graph(graph), inPlace(inPlace), notes(notes), out(out) {}
  void print() {
    for (unsigned op = 0; op < graph.size(); ++op) {
      if (graph[op].getLink())
        continue; // a link is not what people call an operator
      title(op);
      segment(op);
      windows(op);
      state(op);
      inputs(op);
      outputs(op);
    }
  }

private:
  llvm::raw_ostream &line(const std::string &what) { return explainLine(out, what); }
  void title(unsigned op);
  void segment(unsigned op);
  void windows(unsigned op);
  void state(unsigned op);
  void inputs(unsigned op);
  void outputs(unsigned op);
  std::string producers(unsigned op, unsigned port, stream::Edge kind) const;

  const Graph &graph;
  const InPlaceHeads &inPlace;
  const SegmentNotes &notes;
  llvm::raw_ostream &out;
};
} // namespace

llvm::raw_ostream &sluice::explainLine(llvm::raw_ostream &out, StringRef what) {
  return out << llvm::formatv("  {0,-9} ", what);
}

std::string sluice::placeOf(Location loc) {
  auto file = loc->findInstanceOf<FileLineColRange>();
  if (!file)
    return "";
  return (", " + llvm::sys::path::filename(file.getFilename()) + ":" +
          llvm::Twine(file.getStartLine()))
      .str();
}

void Explanation::title(unsigned op) {
  stream::OperatorOp item = graph[op];
  out << item.label() << "  (" << item.sourceKind() << placeOf(item.getLoc()) << ")\n";
}

/// The operators that are fused into the segments of the operator, which heads them.
void Explanation::segment(unsigned op) {
  stream::OperatorOp head = graph[op];
  auto isHead = [&](unsigned port) { return head.isHead(port); };
  if (!head.isSource() && llvm::none_of(llvm::seq(head.inputPorts()), isHead))
    return;
  llvm::SmallSetVector<unsigned, 8> members;
  members.insert(op);
  for (unsigned i = 0; i < members.size(); ++i)
    for (const Connection &edge : graph.out(members[i]))
      if (graph[edge.consumer].edge(edge.operand) == stream::Edge::Call)
        members.insert(edge.consumer);
  if (members.size() == 1)
    return;
  line("segment") << "with ";
  llvm::interleaveComma(ArrayRef(members.getArrayRef()).drop_front(), out,
                        [&](unsigned member) { out << graph[member].label(); });
  out << "\n";
  if (std::string note = notes.lookup(graph[op]); !note.empty())
    line("") << note << "\n";
}

/// What each window keeps, why, and how large that is.
void Explanation::windows(unsigned op) {
  for (auto window : graph[op].getWindows().getAsRange<stream::KeptWindowAttr>()) {
    stream::WindowAttr kind = window.getWindow();
    line("window " + std::to_string(window.getPort())) << stringifyWindowKind(kind.getKind());
    if (kind.getEvict())
      out << " by " << stringifyWindowPolicy(kind.getEvict().getPolicy());
    if (kind.getTrigger())
      out << ", triggered by " << stringifyWindowPolicy(kind.getTrigger().getPolicy());
    if (kind.getPartitioned())
      out << ", partitioned";
    if (kind.getLimit())
      out << ", limited by " << stringifyPartitionLimit(*kind.getLimit());
    out << "\n";
    stream::Store store = window.getPlan().getStore();
    line("") << "keeps " << stringifyStore(store) << ": " << window.getPlan().getWhy().getValue()
             << "\n";
    line("");
    int64_t pane = window.getPlan().getPane();
    uint64_t bytes = window.getElement() ? spl::bytesOf(window.getElement()) : 0;
    if (bytes)
      out << bytes << (bytes == 1 ? " byte" : " bytes") << " for each "
          << (pane == 0   ? "group of a pane"
              : pane == 1 ? "tuple"
                          : llvm::formatv("pane of {0} tuples", pane).str())
          << " that it holds\n";
    else
      out << "nothing of each tuple\n";
  }
}

void Explanation::state(unsigned op) {
  if (auto state = graph[op].getState())
    line("state") << stream::stringifyStateKind(state->getKind()) << ": "
                  << state->getWhy().getValue() << "\n";
}

/// Who reaches an input port by edges of a kind.
std::string Explanation::producers(unsigned op, unsigned port, stream::Edge kind) const {
  std::string names;
  for (const Connection &edge : graph.in(op))
    if (edge.input == port && graph[op].edge(edge.operand) == kind)
      names += (names.empty() ? "" : ", ") + graph[edge.producer].label();
  return names;
}

void Explanation::inputs(unsigned op) {
  stream::OperatorOp item = graph[op];
  for (unsigned port = 0; port < item.inputPorts(); ++port) {
    stream::Boundary boundary = item.boundary(port);
    StringRef why =
        item.getReasons() ? cast<StringAttr>((*item.getReasons())[port]).getValue() : "";
    std::string called = producers(op, port, stream::Edge::Call);
    line("input " + std::to_string(port));
    if (!called.empty())
      out << "fused: called by " << called << " for each tuple";
    else if (boundary == stream::Boundary::Direct)
      out << "direct: called by " << producers(op, port, stream::Edge::Batch) << " for each batch";
    else
      out << stream::stringifyBoundary(boundary);
    out << " (" << why << ")\n";
    if (boundary == stream::Boundary::Direct || !called.empty())
      continue;
    std::string alone = whyAlone(graph, op, inPlace);
    bool key = item.sharing() == stream::Sharing::ByKey;
    if (alone.empty())
      line("") << "several workers may run it at once, in order"
               << (key ? " and by `" + item.getState()->getKey().str() + "`" : "")
               << " (it takes --width)\n";
    else
      line("") << "one worker at a time (it takes no --width): " << alone << "\n";
  }
}

void Explanation::outputs(unsigned op) {
  stream::OperatorOp item = graph[op];
  for (unsigned port = 0; port < item.getNumResults(); ++port)
    if (item.order(port) == stream::Order::All)
      line("output " + std::to_string(port))
          << "ordered: handed on at each submit, as its order could be seen\n";
    else if (item.order(port) == stream::Order::Puncts)
      line("output " + std::to_string(port))
          << "in batches; punctuation is handed on at once, as its order could be seen\n";
}

void sluice::explainPlacement(ModuleOp module, const InPlaceHeads &inPlace,
                              const SegmentNotes &notes, const WholeBatches &whole,
                              llvm::raw_ostream &out) {
  for (auto op : module.getOps<stream::GraphOp>()) {
    Graph graph(op);
    explainPes(op, out);
    Explanation(graph, inPlace, notes, out).print();
    explainRegions(op, Graph(op, Graph::Links::Streams), whole, out);
    if (op.getPes().empty())
      explainPipeline(graph, CostEstimate(module), inPlace, out);
  }
}
