//===- ExplainRegions.cpp - what @parallel does to streams and state ------===//
#include "passes/analyze/Graph.h"
#include "passes/print/Explain.h"

using namespace mlir;
using namespace sluice;

namespace {
class RegionExplanation {
public:
  RegionExplanation(stream::GraphOp op, const Graph &graph, int32_t index, llvm::raw_ostream &out)
      : op(op), graph(graph), regions(op.getParallelRegions()), index(index),
        region(cast<stream::RegionAttr>(regions[index])), out(out) {}
  void print() {
    out << "parallel region " << region.getPath().getValue() << placeOf(region.getLoc()) << "\n";
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
  int32_t index;
  stream::RegionAttr region;
  llvm::raw_ostream &out;
};
} // namespace

void RegionExplanation::width() {
  llvm::raw_ostream &line = explainLine(out, "width");
  if (region.getWidth()) {
    line << *region.getWidth() << (*region.getWidth() == 1 ? " channel\n" : " channels\n");
    return;
  }
  stream::SubmissionAttr value = op.submission(*region.getSubmission());
  line << "the submission-time value " << value.getName().getValue();
  if (value.getDefaultValue())
    line << " (default: " << value.getDefaultValue().getValue() << ")";
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

/// The attributes of a tuple by which it is partitioned.
static std::string keysOf(stream::OperatorOp consumer, unsigned port, ArrayRef<int32_t> keys) {
  spl::TupleType tuple = consumer.inputTuple(port);
  std::string text;
  for (int32_t key : keys)
    text += (text.empty() ? "`" : ", `") +
            cast<StringAttr>(tuple.getNames()[key]).getValue().str() + "`";
  return text;
}

void RegionExplanation::entry(const Connection &edge, stream::SplitAttr split) {
  explainLine(out, "input") << streamOf(edge) << ": ";
  switch (split.getBy()) {
  case stream::SplitBy::Row:
    out << "round robin, each tuple to the next channel\n";
    return dealt(edge);
  case stream::SplitBy::Key:
    out << "by " << keysOf(graph[edge.consumer], edge.input, split.getKeys().asArrayRef())
        << ", equal values to the same channel\n";
    return;
  case stream::SplitBy::All:
    out << "broadcast, each tuple to every channel\n";
    return;
  }
}

/// A note where state sees only what happens to come to its channel.
void RegionExplanation::dealt(const Connection &edge) const {
  if (region.getWidth() && *region.getWidth() == 1)
    return;
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
      for (stream::SplitAttr split : graph[member].splitsOf(edge.operand))
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

void sluice::explainRegions(stream::GraphOp op, const Graph &graph, llvm::raw_ostream &out) {
  for (unsigned index = 0; index < op.getParallelRegions().size(); ++index)
    RegionExplanation(op, graph, int32_t(index), out).print();
}
