//===- ExplainPes.cpp - which operators are in which process, and why -----===//
#include "passes/analyze/Cost.h"
#include "passes/print/Enclosures.h"
#include "passes/print/Explain.h"
#include "passes/print/GraphText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace sluice;
using stream::Together;

namespace {
class PeExplanation {
public:
  PeExplanation(stream::GraphOp op, stream::PartitionAttr partition, llvm::raw_ostream &out)
      : op(op), graph(op, Graph::Links::Streams), partition(partition), out(out) {}

  void print() {
    unsigned count = std::max<size_t>(op.getPes().size(), 1);
    out << "processes\n";
    for (unsigned pe = 0; pe < count; ++pe) {
      operators(pe);
      reasons(pe);
    }
    links();
    number(count);
  }

private:
  unsigned peOf(unsigned member) const { return OperatorOp(graph[member]).getPe().value_or(0); }
  std::string name(unsigned pe) { return op.getPes().empty() ? "PE 0" : peName(op, pe); }
  void operators(unsigned pe);
  void reasons(unsigned pe);
  void links();
  void link(const Connection &, StringRef consumers);
  void number(unsigned count);

  using OperatorOp = stream::OperatorOp;
  stream::GraphOp op;
  Graph graph;
  stream::PartitionAttr partition;
  llvm::raw_ostream &out;
};
} // namespace

void PeExplanation::operators(unsigned pe) {
  explainLine(out, name(pe));
  bool first = true;
  for (unsigned member = 0; member < graph.size(); ++member)
    if (peOf(member) == pe) {
      out << (first ? "" : ", ") << graph[member].label();
      first = false;
    }
  if (!op.getPes().empty())
    if (int32_t region = op.pe(pe).getRegion(); region >= 0)
      out << " (one for each channel of " << op.parallelRegion(region).title() << ")";
  out << "\n";
}

static std::string reasonOf(stream::JoinAttr join) {
  switch (join.getWhy()) {
  case Together::Cycle:
    return "are on a cycle of streams";
  case Together::Part:
    return "are parts of one operator";
  case Together::Daemon:
    return "belong together: the first one lives as long as the second";
  case Together::Colocation:
    return ("have partitionColocation(\"" + join.getId().getValue() + "\")").str();
  case Together::Order:
    return "have a stream between them whose order can be seen";
  case Together::Outside:
    return "touch the same thing outside, where their order can be seen";
  case Together::Few:
    return "may be together, and --pes=auto makes as few PEs as it may";
  case Together::Traffic:
    return "have much traffic between them, by estimate";
  case Together::Light:
    return "had the least to do of what may be together, by estimate";
  }
}

void PeExplanation::reasons(unsigned pe) {
  llvm::StringMap<unsigned> peOfLabel;
  for (unsigned member = 0; member < graph.size(); ++member)
    peOfLabel[graph[member].label()] = peOf(member);
  for (stream::JoinAttr join : partition.getJoins())
    if (peOfLabel.lookup(join.getFirst().getValue()) == pe)
      explainLine(out, "") << join.getFirst().getValue() << " and " << join.getSecond().getValue()
                           << " " << reasonOf(join) << "\n";
}

void PeExplanation::links() {
  // Consumers of a link are in the order of the graph, and so are links by their first one.
  std::map<uint32_t, std::pair<Connection, std::string>> links;
  for (unsigned member = 0; member < graph.size(); ++member)
    for (const Connection &edge : graph.out(member))
      if (auto number = edge.link()) {
        std::string &names = links.try_emplace(*number, edge, "").first->second.second;
        names += (names.empty() ? "" : ", ") + graph[edge.consumer].label();
      }
  for (auto &[number, link] : links)
    this->link(link.first, link.second);
}

void PeExplanation::link(const Connection &edge, StringRef consumers) {
  stream::OperatorOp producer = graph[edge.producer];
  explainLine(out, "link " + std::to_string(*edge.link()))
      << streamNameOf(producer, edge.output) << ", " << name(peOf(edge.producer)) << " to "
      << name(peOf(edge.consumer)) << ", for " << consumers << ": "
      << llvm::formatv("{0:f0}", bytesOnLink(producer.outputTuple(edge.output)))
      << " bytes for each tuple, by estimate\n";
}

/// Why there are not as many as were asked for.
void PeExplanation::number(unsigned count) {
  unsigned wanted = partition.getWanted();
  if (!wanted || wanted == count)
    return;
  StringRef why = count > wanted ? "config placement keeps others from being in one PE"
                  : partition.getJoins().empty()
                      ? "there are no more operators"
                      : "what is in one PE cannot be apart, for the reasons above";
  explainLine(out, "note") << "--pes=" << wanted << " gives " << count << ": " << why << "\n";
}

void sluice::explainPes(stream::GraphOp op, llvm::raw_ostream &out) {
  if (stream::PartitionAttr partition = op.getPartitionAttr())
    return PeExplanation(op, partition, out).print();
  if (llvm::any_of(op.getOps<stream::OperatorOp>(),
                   [](stream::OperatorOp item) { return item.getPlacement().has_value(); })) {
    out << "processes\n";
    explainLine(out, "note") << "there is one: config placement has no effect without --pes\n";
  }
}
