//===- PeGroups.cpp - operators that are in one PE ------------------------===//
#include "passes/place/PeGroups.h"

using namespace mlir;
using namespace sluice;
using stream::OperatorOp;
using stream::PlacementIdAttr;

PeGroups::PeGroups(const Graph &graph) : graph(graph), classes(graph.size()), facts(graph.size()) {
  for (unsigned i = 0; i < graph.size(); ++i) {
    OperatorOp op = graph[i];
    Facts &own = facts[i];
    own.region = op.parallelRegion();
    auto placement = op.getPlacementAttr();
    if (!placement)
      continue;
    own.isolated = placement.getIsolation();
    auto perReplica = [](PlacementIdAttr id) { return id.getPerReplica(); };
    // Replicas that are to be apart, or only with their own kind, are in PEs of their own.
    if (own.isolated || !placement.getExlocation().empty() ||
        llvm::any_of(placement.getColocation(), perReplica))
      own.perReplica = own.region;
    if (own.isolated || !placement.getExlocation().empty())
      own.placed.push_back(i);
  }
}

SmallVector<unsigned> PeGroups::leaders() const {
  SmallVector<unsigned> result;
  for (unsigned op = 0; op < graph.size(); ++op)
    if (leader(op) == op)
      result.push_back(op);
  return result;
}

/// Whether `region` is `outer` or inside it; -1 is outside all.
bool PeGroups::isInside(int32_t region, int32_t outer) const {
  auto parent = [&](int32_t r) {
    auto graphOp = graph[0]->getParentOfType<stream::GraphOp>();
    return graphOp.parallelRegion(r).getParent();
  };
  while (region >= 0 && region != outer)
    region = parent(region);
  return region == outer;
}

int32_t PeGroups::commonRegion(int32_t a, int32_t b) const {
  auto graphOp = graph[0]->getParentOfType<stream::GraphOp>();
  while (!isInside(b, a))
    a = graphOp.parallelRegion(a).getParent();
  return a;
}

/// Whether an operator of each is to be apart from the other.
bool PeGroups::areApart(const Facts &a, const Facts &b) const {
  for (unsigned one : a.placed)
    for (unsigned other : b.placed)
      for (PlacementIdAttr id : graph[one].getPlacementAttr().getExlocation())
        if (llvm::is_contained(graph[other].getPlacementAttr().getExlocation(), id))
          return true;
  return false;
}

bool PeGroups::mayJoin(unsigned a, unsigned b) const {
  const Facts &one = facts[leader(a)], &other = facts[leader(b)];
  if (one.isolated || other.isolated || areApart(one, other))
    return false;
  if (one.perReplica >= 0 && other.perReplica >= 0)
    return one.perReplica == other.perReplica;
  int32_t perReplica = std::max(one.perReplica, other.perReplica);
  return perReplica < 0 || (isInside(one.region, perReplica) && isInside(other.region, perReplica));
}

void PeGroups::join(unsigned a, unsigned b) {
  unsigned first = leader(a), second = leader(b);
  if (first == second)
    return;
  unsigned joined = classes.join(first, second);
  Facts merged = facts[first];
  const Facts &other = facts[second];
  merged.perReplica = std::max(merged.perReplica, other.perReplica);
  merged.region = commonRegion(merged.region, other.region);
  merged.isolated |= other.isolated;
  merged.placed.append(other.placed);
  facts[joined] = std::move(merged);
}

bool PeGroups::joinIfAllowed(unsigned a, unsigned b) {
  if (leader(a) != leader(b) && mayJoin(a, b))
    join(a, b);
  return leader(a) == leader(b);
}

LogicalResult PeGroups::check() const {
  auto complain = [&](unsigned op, unsigned other, const Twine &wish) {
    auto error = graph[op]->emitError("`")
                 << graph[op].getName() << "` is to be " << wish
                 << ", but it cannot be apart from `" << graph[other].getName() << "`";
    error.attachNote(graph[other].getLoc()) << "they are on one cycle, or a placement joins them";
    return failure();
  };
  for (unsigned first : leaders())
    for (unsigned op : facts[first].placed) {
      auto placement = graph[op].getPlacementAttr();
      for (unsigned other = 0; other < graph.size(); ++other) {
        if (leader(other) != first || graph[other].getName() == graph[op].getName() ||
            graph[other].is(stream::OperatorTrait::daemon))
          continue;
        if (placement.getIsolation())
          return complain(op, other, "in a PE of its own (partitionIsolation)");
        auto theirs = graph[other].getPlacementAttr();
        for (PlacementIdAttr id : placement.getExlocation())
          if (theirs && llvm::is_contained(theirs.getExlocation(), id))
            return complain(op, other,
                            "in another PE (partitionExlocation(\"" + id.getText().getValue() +
                                "\"))");
      }
    }
  return success();
}
