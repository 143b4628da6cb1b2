//===- ExplainRegions.cpp - what @parallel does to streams and state ------===//
#include "passes/analyze/Graph.h"
#include "passes/print/Explain.h"
#include "passes/print/GraphText.h"

using namespace mlir;
using namespace sluice;

namespace {
class RegionExplanation {
public:
  RegionExplanation(stream::GraphOp op, const Graph &graph, const WholeBatches &whole,
                    int32_t index, llvm::raw_ostream &out)
      : op(op), graph(graph), regions(op.getParallelRegions()), whole(whole), index(index),
        region(cast<stream::RegionAttr>(regions[index])), out(out) {}
  void print() {
    out << "parallel region " << region.title() << placeOf(region.getLoc()) << "\n";
    width();
    entries();
    state();
  }

private:
  void width();
  void entries();
  void entry(const Connection &, stream::SplitAttr);
  void dealt(const Connection &) const;
  void state();
  bool isInside(unsigned member) const;
  bool keepsState(unsigned member) const;
  std::string streamOf(const Connection &) const;

  stream::GraphOp op;
  const Graph &graph;
  ArrayAttr regions;
  const WholeBatches &whole;
  int32_t index;
  stream::RegionAttr region;
  llvm::raw_ostream &out;
};
} // namespace

void RegionExplanation::width() {
  llvm::raw_ostream &line = explainLine(out, "width");
  std::string width = widthOf(op, region);
  if (region.getWidth()) {
    line << width << (*region.getWidth() == 1 ? " channel\n" : " channels\n");
    return;
  }
  line << "the submission-time value " << width;
  if (StringAttr value = op.submission(*region.getSubmission()).getDefaultValue())
    line << " (default: " << value.getValue() << ")";
  line << "\n";
}

/// Whether an operator is in the region, or in one inside it.
bool RegionExplanation::isInside(unsigned member) const {
  int32_t at = graph[member].parallelRegion();
  while (at >= 0 && at != index)
    at = cast<stream::RegionAttr>(regions[at]).getParent();
  return at == index;
}

bool RegionExplanation::keepsState(unsigned member) const {
  auto state = graph[member].getState();
  return isInside(member) && state && state->getKind() != stream::StateKind::Stateless;
}

std::string RegionExplanation::streamOf(const Connection &edge) const {
  return graph[edge.producer].label() + " to " + graph[edge.consumer].label();
}

void RegionExplanation::entry(const Connection &edge, stream::SplitAttr split) {
  explainLine(out, "input") << streamOf(edge) << ": " << splitOf(graph, edge, split);
  switch (split.getBy()) {
  case stream::SplitBy::Row:
    out << ", each tuple to the next channel\n";
    return dealt(edge);
  case stream::SplitBy::Key:
    out << ", equal values to the same channel\n";
    return;
  case stream::SplitBy::All:
    out << ", every channel gets all tuples\n";
    return;
  }
}

/// A note where state sees only what happens to come to its channel.
void RegionExplanation::dealt(const Connection &edge) const {
  if (region.getWidth() && *region.getWidth() == 1)
    return;
  if (whole.contains(graph[edge.consumer]) && graph.splitsOf(edge).size() == 1)
    explainLine(out, "") << "while no channel has a queue, each runs a batch in turn for all: "
                            "nobody can tell\n";
  llvm::BitVector reached = graph.reachable(edge.consumer);
  std::string names;
  for (unsigned member : reached.set_bits())
    if (keepsState(member))
      names += (names.empty() ? "" : ", ") + graph[member].label();
  if (!names.empty())
    explainLine(out, "") << "note: the state of " << names << " in a channel comes from the tuples "
                         << "dealt to it, whatever they hold;\n"
                         << "            `partitionBy` sends equal values to the same channel\n";
}

void RegionExplanation::entries() {
  for (unsigned member = 0; member < graph.size(); ++member)
    for (const Connection &edge : graph.in(member))
      for (stream::SplitAttr split : graph.splitsOf(edge))
        if (split.getRegion() == index)
          entry(edge, split);
}

void RegionExplanation::state() {
  bool any = false;
  for (unsigned member = 0; member < graph.size(); ++member)
    if (keepsState(member)) {
      explainLine(out, any ? "" : "state")
          << graph[member].label() << ": each channel has its own\n";
      any = true;
    }
  if (!any)
    explainLine(out, "state") << "none\n";
}

void sluice::explainRegions(stream::GraphOp op, const Graph &graph, const WholeBatches &whole,
                            llvm::raw_ostream &out) {
  for (unsigned index = 0; index < op.getParallelRegions().size(); ++index)
    RegionExplanation(op, graph, whole, int32_t(index), out).print();
}
