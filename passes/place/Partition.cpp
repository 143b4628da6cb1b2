//===- Partition.cpp - which PE runs each operator ------------------------===//
//
// Begins with groups of operators that cannot be apart, then merges groups. What config placement
// asks for comes before what order suggests. See README.md.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "passes/analyze/Cost.h"
#include "passes/place/PeGroups.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

namespace sluice {
#define GEN_PASS_DEF_STREAMPARTITION
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using stream::Edge;
using stream::OperatorOp;
using stream::Together;

//===--- merging ------------------------------------------------------------===//

namespace {
/// Merges groups until there are so many: those with most traffic between them, if that keeps the
/// load even.
class Merger {
public:
  Merger(const Graph &, PeGroups &, ModuleOp, unsigned count);
  void merge() {
    while (groups.leaders().size() > count && (joinByTraffic() || joinLightest()))
      ;
  }

private:
  bool joinByTraffic();
  bool joinLightest();
  void join(unsigned a, unsigned b, Together why);

  const Graph &graph;
  PeGroups &groups;
  unsigned count;
  /// By operator: how many tuples it gets for each that a source makes, as if none were dropped.
  std::vector<double> rate;
  std::vector<double> load; // by leader: ns
  double most = 0;          // of a group
};
} // namespace

Merger::Merger(const Graph &graph, PeGroups &groups, ModuleOp module, unsigned count)
    : graph(graph), groups(groups), count(count), rate(graph.size()), load(graph.size()) {
  for (unsigned op = 0; op < graph.size(); ++op)
    if (graph[op].isSource()) {
      llvm::BitVector all = graph.reachable(op); // set_bits() keeps a reference
      for (unsigned reached : all.set_bits())
        rate[reached] += 1;
    }
  CostEstimate cost(module);
  for (unsigned op = 0; op < graph.size(); ++op)
    load[groups.leader(op)] +=
        rate[op] * (graph[op].isSource() ? cost.ofSource(graph[op]) : cost.of(graph[op])).nanos;
  // No group is to have much more than its share, unless one that cannot be cut has.
  double total = std::accumulate(load.begin(), load.end(), 0.0);
  most = std::max(llvm::max_element(load)[0], 1.2 * total / count);
}

void Merger::join(unsigned a, unsigned b, Together why) {
  double sum = load[groups.leader(a)] + load[groups.leader(b)];
  groups.join(a, b, why);
  load[groups.leader(a)] = sum;
}

bool Merger::joinByTraffic() {
  struct Traffic {
    unsigned producer, consumer;
    double bytes = 0;
  };
  llvm::MapVector<std::pair<unsigned, unsigned>, Traffic> between;
  for (unsigned op = 0; op < graph.size(); ++op)
    for (const Connection &edge : graph.out(op)) {
      unsigned a = groups.leader(op), b = groups.leader(edge.consumer);
      if (a == b || !groups.mayJoin(a, b) || load[a] + load[b] > most)
        continue;
      Traffic &traffic = between.insert({std::minmax(a, b), {op, edge.consumer}}).first->second;
      traffic.bytes += rate[op] * bytesOnLink(graph[op].outputTuple(edge.output));
    }
  if (between.empty())
    return false;
  const Traffic &best = llvm::max_element(between, [](auto &a, auto &b) {
                          return a.second.bytes < b.second.bytes;
                        })->second;
  join(best.producer, best.consumer, Together::Traffic);
  return true;
}

/// Where no stream may be inside: the two with the least to do.
bool Merger::joinLightest() {
  SmallVector<unsigned> light = groups.leaders();
  llvm::sort(light,
             [&](unsigned a, unsigned b) { return std::tie(load[a], a) < std::tie(load[b], b); });
  for (size_t b = 1; b < light.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      if (groups.mayJoin(light[a], light[b])) {
        join(light[a], light[b], Together::Light);
        return true;
      }
  return false;
}

namespace {
class Partition {
public:
  Partition(const Graph &graph, ModuleOp module) : graph(graph), module(module), groups(graph) {}

  LogicalResult joinWhatMust();
  void joinWhatOrderKeeps();
  void mergeAll();
  void mergeTo(unsigned count) { Merger(graph, groups, module, count).merge(); }
  /// `wanted`: so many were asked for, or 0. Returns how many there are.
  unsigned write(stream::GraphOp, unsigned wanted, bool perChannel);

private:
  void joinCycles();
  void joinNeighbours();
  void joinColocated();

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
          groups.join(op, member, Together::Cycle);
    }
}

/// Operators that one of the source became, and sources that live as long as what they serve.
void Partition::joinNeighbours() {
  llvm::DenseMap<StringAttr, unsigned> first;
  for (unsigned op = 0; op < graph.size(); ++op) {
    auto [known, isNew] = first.try_emplace(graph[op].getNameAttr(), op);
    if (!isNew)
      groups.join(known->second, op, Together::Part);
    if (graph[op].isSource() && graph[op].is(stream::OperatorTrait::daemon))
      for (const Connection &edge : graph.out(op))
        groups.join(op, edge.consumer, Together::Daemon);
  }
}

void Partition::joinColocated() {
  // An id that is another one for each replica is so of one region.
  llvm::DenseMap<std::pair<stream::PlacementIdAttr, int32_t>, unsigned> first;
  for (unsigned op = 0; op < graph.size(); ++op) {
    auto placement = graph[op].getPlacementAttr();
    if (!placement)
      continue;
    for (stream::PlacementIdAttr id : placement.getColocation()) {
      int32_t region = id.getPerReplica() ? graph[op].parallelRegion() : -1;
      if (auto [known, isNew] = first.try_emplace({id, region}, op); !isNew)
        groups.join(known->second, op, Together::Colocation, id.getText());
    }
  }
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
        groups.joinIfAllowed(op, edge.consumer, Together::Order);
  SmallVector<unsigned> outside;
  for (unsigned op = 0; op < graph.size(); ++op)
    if (effects[op].any())
      outside.push_back(op);
  for (auto [i, op] : llvm::enumerate(outside))
    for (unsigned other : ArrayRef(outside).take_front(i))
      if (conflict(effects[op], effects[other]) ||
          mayReadWhatIsWritten(effects[op], effects[other]))
        groups.joinIfAllowed(other, op, Together::Outside);
}

void Partition::mergeAll() {
  SmallVector<unsigned> kept;
  for (unsigned leader : groups.leaders())
    if (llvm::none_of(kept, [&](unsigned other) {
          return groups.joinIfAllowed(other, leader, Together::Few);
        }))
      kept.push_back(leader);
}

//===--- result -------------------------------------------------------------===//

unsigned Partition::write(stream::GraphOp op, unsigned wanted, bool perChannel) {
  Builder builder(op.getContext());
  op.setPartitionAttr(stream::PartitionAttr::get(op.getContext(), wanted, groups.joins()));
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
  for (unsigned i = 0; i < graph.size(); ++i)
    OperatorOp(graph[i]).setPe(llvm::find(leaders, groups.leader(i)) - leaders.begin());
  return leaders.size();
}

namespace {
struct PartitionPass : sluice::impl::StreamPartitionBase<PartitionPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<PeCount> count = parsePeCount(pes);
    if (!count) {
      getOperation().emitError("unknown number of PEs '")
          << pes << "': write a number, auto or all";
      return signalPassFailure();
    }
    if (count->number == 1)
      return;
    for (auto op : getOperation().getOps<stream::GraphOp>()) {
      Graph graph(op);
      if (graph.operators().empty())
        continue;
      Partition partition(graph, getOperation());
      if (failed(partition.joinWhatMust()))
        return signalPassFailure();
      partition.joinWhatOrderKeeps();
      if (count->kind == PeCount::Auto)
        partition.mergeAll();
      else if (count->kind == PeCount::Number)
        partition.mergeTo(count->number);
      groups += partition.write(op, count->number, /*perChannel=*/count->kind == PeCount::All);
    }
  }
};
} // namespace
