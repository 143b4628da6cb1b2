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
    bool apart = own.isolated || !placement.getExlocation().empty();
    // Replicas that are to be apart, or only with their own kind, are in PEs of their own.
    if (apart || llvm::any_of(placement.getColocation(), perReplica))
      own.perReplica = own.region;
    if (apart || own.perReplica >= 0)
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

/// An id by which two operators are to be apart, or null. One that is another one for each replica
/// is so of one region.
static PlacementIdAttr commonExlocation(OperatorOp a, OperatorOp b) {
  auto one = a.getPlacementAttr(), other = b.getPlacementAttr();
  if (!one || !other)
    return {};
  for (PlacementIdAttr id : one.getExlocation())
    if (llvm::is_contained(other.getExlocation(), id) &&
        (!id.getPerReplica() || a.parallelRegion() == b.parallelRegion()))
      return id;
  return {};
}

/// Whether an operator of each is to be apart from the other.
bool PeGroups::areApart(const Facts &a, const Facts &b) const {
  for (unsigned one : a.placed)
    for (unsigned other : b.placed)
      if (commonExlocation(graph[one], graph[other]))
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

void PeGroups::join(unsigned a, unsigned b, stream::Together why, StringAttr id) {
  unsigned first = leader(a), second = leader(b);
  if (first == second)
    return;
  Builder builder(graph[a].getContext());
  made.push_back(stream::JoinAttr::get(builder.getContext(),
                                       builder.getStringAttr(graph[a].label()),
                                       builder.getStringAttr(graph[b].label()), why, id));
  unsigned joined = classes.join(first, second);
  Facts merged = facts[first];
  const Facts &other = facts[second];
  merged.perReplica = std::max(merged.perReplica, other.perReplica);
  merged.region = commonRegion(merged.region, other.region);
  merged.isolated |= other.isolated;
  merged.placed.append(other.placed);
  facts[joined] = std::move(merged);
}

bool PeGroups::joinIfAllowed(unsigned a, unsigned b, stream::Together why) {
  if (leader(a) != leader(b) && mayJoin(a, b))
    join(a, b, why);
  return leader(a) == leader(b);
}

/// Reports another operator of the group from which `op` is to be apart.
LogicalResult PeGroups::checkPlaced(unsigned leader, unsigned op) const {
  OperatorOp item = graph[op];
  for (unsigned i = 0; i < graph.size(); ++i) {
    OperatorOp other = graph[i];
    if (this->leader(i) != leader || other.getName() == item.getName() ||
        other.is(stream::OperatorTrait::daemon))
      continue;
    std::string wish;
    if (item.getPlacementAttr().getIsolation())
      wish = "in a PE of its own (partitionIsolation)";
    else if (PlacementIdAttr id = commonExlocation(item, other))
      wish = "in another PE (partitionExlocation(\"" + id.getText().str() + "\"))";
    else if (!isInside(other.parallelRegion(), facts[leader].perReplica))
      wish = "in another PE for each channel";
    else
      continue;
    auto error = item->emitError("`")
                 << item.getName() << "` is to be " << wish << ", but it cannot be apart from `"
                 << other.getName() << "`";
    error.attachNote(other.getLoc()) << "they are on one cycle, or a placement joins them";
    return failure();
  }
  return success();
}

LogicalResult PeGroups::check() const {
  for (unsigned leader : leaders())
    for (unsigned op : facts[leader].placed)
      if (failed(checkPlaced(leader, op)))
        return failure();
  return success();
}
