//===- Partition.cpp - which PE runs each operator ------------------------===//
//
// Begins with groups of operators that cannot be apart, then merges groups. What config placement
// asks for comes before what order suggests. See README.md.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Cost.h"
#include "passes/place/PeGroups.h"

namespace sluice {
#define GEN_PASS_DEF_STREAMPARTITION
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;
using stream::OperatorOp;

namespace {
class Partition {
public:
  Partition(const Graph &graph, ModuleOp module) : graph(graph), module(module), groups(graph) {}

  LogicalResult joinWhatMust();
  void joinWhatOrderKeeps();
  void mergeAll();
  void mergeTo(unsigned count);
  unsigned write(stream::GraphOp, bool perChannel);

private:
  void joinCycles();
  void joinNeighbours();
  void joinColocated();
  std::vector<double> rates() const;

  const Graph &graph;
  ModuleOp module;
  PeGroups groups;
};
} // namespace

//===--- what stays together ------------------------------------------------===//

/// A back edge leads to where a cycle begins: what it reaches and what reaches its producer.
void Partition::joinCycles() {
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.in(op)) {
      if (graph[op].edge(edge.operand) != Edge::Back)
        continue;
      llvm::BitVector behind = graph.reachable(op);
      for (unsigned member : behind.set_bits())
        if (graph.reachable(member).test(edge.producer))
          groups.join(op, member);
    }
}

/// Operators that one of the source became, and tickers with what they serve.
void Partition::joinNeighbours() {
  llvm::DenseMap<StringAttr, unsigned> first;
  for (unsigned op = 0; op < graph.size(); ++op) {
    auto [known, isNew] = first.try_emplace(graph[op].getNameAttr(), op);
    if (!isNew)
      groups.join(known->second, op);
    if (graph[op].isSource() && graph[op].is(stream::OperatorTrait::daemon))
      for (const Connection &edge : graph.out(op))
        groups.join(op, edge.consumer);
  }
}

void Partition::joinColocated() {
  llvm::DenseMap<stream::PlacementIdAttr, unsigned> first;
  for (unsigned op = 0; op < graph.size(); ++op)
    if (auto placement = graph[op].getPlacementAttr())
      for (stream::PlacementIdAttr id : placement.getColocation())
        if (auto [known, isNew] = first.try_emplace(id, op); !isNew)
          groups.join(known->second, op);
}

LogicalResult Partition::joinWhatMust() {
  joinCycles();
  joinNeighbours();
  joinColocated();
  return groups.check();
}

/// Where order could be seen streams are calls; a PE in between would let tuples overtake others.
void Partition::joinWhatOrderKeeps() {
  EffectAnalysis analysis(module);
  SmallVector<Effects> effects;
  for (OperatorOp op : graph.operators())
    effects.push_back(analysis(op, /*onPunct=*/true));
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.out(op))
      if (graph[op].order(edge.output) != stream::Order::None)
        groups.joinIfAllowed(op, edge.consumer);
  SmallVector<unsigned> outside;
  for (unsigned op = 0; op < graph.size(); ++op)
    if (effects[op].any())
      outside.push_back(op);
  for (auto [i, op] : llvm::enumerate(outside))
    for (unsigned other : ArrayRef(outside).take_front(i))
      if (conflict(effects[op], effects[other]))
        groups.joinIfAllowed(other, op);
}

//===--- merging ------------------------------------------------------------===//

void Partition::mergeAll() {
  SmallVector<unsigned> kept;
  for (unsigned leader : groups.leaders())
    if (llvm::none_of(kept, [&](unsigned other) { return groups.joinIfAllowed(other, leader); }))
      kept.push_back(leader);
}

/// How many tuples an operator gets for each that a source makes, as if none were dropped.
std::vector<double> Partition::rates() const {
  std::vector<double> rate(graph.size());
  llvm::BitVector seen(graph.size());
  for (unsigned op = 0; op < graph.size(); ++op)
    if (graph[op].isSource())
      for (unsigned reached : graph.reachable(op).set_bits())
        rate[reached] += 1;
  return rate;
}

/// Bytes of a tuple, roughly: what is no number counts as four of them.
static double bytesOf(Type type) {
  if (auto tuple = dyn_cast<spl::TupleType>(type)) {
    double bytes = 0;
    for (Type field : tuple.getTypes())
      bytes += bytesOf(field);
    return bytes;
  }
  return type.isIntOrFloat() ? 8 : 32;
}

void Partition::mergeTo(unsigned count) {
  std::vector<double> rate = rates(), load(graph.size());
  CostEstimate cost(module);
  double total = 0, heaviest = 0;
  for (unsigned op = 0; op < graph.size(); ++op) {
    load[groups.leader(op)] += rate[op] * cost(graph[op]);
    total += rate[op] * cost(graph[op]);
  }
  for (double each : load)
    heaviest = std::max(heaviest, each);
  // No PE is to have much more than its share, unless one operator alone has.
  double most = std::max(heaviest, 1.2 * total / count);
  auto join = [&](unsigned a, unsigned b) {
    double sum = load[groups.leader(a)] + load[groups.leader(b)];
    load[groups.leader(a)] = load[groups.leader(b)] = 0;
    groups.join(a, b);
    load[groups.leader(a)] = sum;
  };
  while (groups.leaders().size() > count) {
    llvm::MapVector<std::pair<unsigned, unsigned>, double> traffic;
    for (unsigned op = 0; op < graph.size(); ++op)
      for (const Connection &edge : graph.out(op))
        if (unsigned a = groups.leader(op), b = groups.leader(edge.consumer);
            a != b && groups.mayJoin(a, b))
          traffic[std::minmax(a, b)] += rate[op] * bytesOf(graph[op].outputTuple(edge.output));
    auto best = traffic.end();
    for (auto it = traffic.begin(); it != traffic.end(); ++it)
      if (load[it->first.first] + load[it->first.second] <= most &&
          (best == traffic.end() || it->second > best->second))
        best = it;
    if (best != traffic.end()) {
      join(best->first.first, best->first.second);
      continue;
    }
    // No stream is left that may be inside: the two with the least to do.
    SmallVector<unsigned> light = groups.leaders();
    llvm::stable_sort(light, [&](unsigned a, unsigned b) { return load[a] < load[b]; });
    bool joined = false;
    for (size_t b = 1; b < light.size() && !joined; ++b)
      for (size_t a = 0; a < b && !joined; ++a)
        if ((joined = groups.mayJoin(light[a], light[b])))
          join(light[a], light[b]);
    if (!joined)
      return;
  }
}

//===--- result -------------------------------------------------------------===//

unsigned Partition::write(stream::GraphOp op, bool perChannel) {
  Builder builder(op.getContext());
  SmallVector<unsigned> leaders = groups.leaders();
  SmallVector<Attribute> pes;
  bool several = leaders.size() > 1;
  for (unsigned leader : leaders) {
    int32_t region = perChannel ? groups.innermostRegion(leader) : groups.perReplica(leader);
    several |= region >= 0;
    pes.push_back(stream::PeAttr::get(op.getContext(), region));
  }
  if (!several)
    return 1;
  op.setPesAttr(builder.getArrayAttr(pes));
  for (unsigned i = 0; i < graph.size(); ++i) {
    OperatorOp item = graph[i];
    item.setPe(llvm::find(leaders, groups.leader(i)) - leaders.begin());
  }
  return leaders.size();
}

namespace {
struct PartitionPass : sluice::impl::StreamPartitionBase<PartitionPass> {
  using Base::Base;

  void runOnOperation() override {
    unsigned count = 0;
    bool isNumber = !StringRef(pes).getAsInteger(10, count) && count > 0;
    if (!isNumber && pes != "auto" && pes != "all") {
      getOperation().emitError("unknown number of PEs '")
          << pes << "': write a number, auto or all";
      return signalPassFailure();
    }
    if (isNumber && count == 1)
      return;
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      Partition partition(graph, getOperation());
      if (failed(partition.joinWhatMust()))
        return signalPassFailure();
      partition.joinWhatOrderKeeps();
      if (pes == "auto")
        partition.mergeAll();
      else if (isNumber)
        partition.mergeTo(count);
      groups += partition.write(op, /*perChannel=*/pes == "all");
    }
  }
};
} // namespace
