//===- PeGroups.h - operators that are in one PE ----------------*- C++ -*-===//
#pragma once
#include "passes/analyze/Effects.h"
#include "passes/analyze/Graph.h"
#include "llvm/ADT/IntEqClasses.h"

namespace sluice {

/// Groups of operators, at first one of each, that become PEs. A group is named by its leader: its
/// first operator.
class PeGroups {
public:
  explicit PeGroups(const Graph &);

  unsigned leader(unsigned op) const { return classes.findLeader(op); }
  /// In the order of the graph.
  llvm::SmallVector<unsigned> leaders() const;
  /// `id`: of the partitionColocation.
  void join(unsigned a, unsigned b, stream::Together why, mlir::StringAttr id = {});
  /// Whether config placement lets the groups of two operators be one.
  bool mayJoin(unsigned a, unsigned b) const;
  /// Joins them if so, or if they are one. Returns whether they are one now.
  bool joinIfAllowed(unsigned a, unsigned b, stream::Together why);
  /// Reports groups that config placement forbids: what has to be in them was joined.
  mlir::LogicalResult check() const;

  /// What made the groups, in the order in which that was.
  llvm::ArrayRef<stream::JoinAttr> joins() const { return made; }
  /// The region that has such a PE for each channel because the placement says so, or -1.
  int32_t perReplica(unsigned leader) const { return facts[leader].perReplica; }
  /// The innermost region that has all operators of the group, or -1.
  int32_t innermostRegion(unsigned leader) const { return facts[leader].region; }

private:
  struct Facts {
    int32_t perReplica = -1, region = -1;
    bool isolated = false;
    llvm::SmallVector<unsigned> placed; // operators that are to be apart from some
  };
  mlir::LogicalResult checkPlaced(unsigned leader, unsigned op) const;
  bool isInside(int32_t region, int32_t outer) const;
  int32_t commonRegion(int32_t a, int32_t b) const;
  bool areApart(const Facts &, const Facts &) const;

  const Graph &graph;
  llvm::IntEqClasses classes;
  std::vector<Facts> facts; // by leader
  llvm::SmallVector<stream::JoinAttr> made;
};

} // namespace sluice
