//===- NodeTimes.h - what nodes took, and what they should -*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Candidate.h"
#include "runtime/elastic/model/costs/Costs.h"
#include <optional>

namespace sluice::elastic {

/// By node: seconds for a row of the sources that a candidate took, and what they should consist
/// of. A node that did nothing in the candidate or in the base has zeros.
struct NodeTimes {
  std::vector<double> took;   // measured, processor time
  std::vector<double> alone;  // its work without hand-offs
  std::vector<double> pops;   // hand-offs that it takes, by the costs given
  std::vector<double> pushes; // hand-offs that it gives, by the costs given

  /// Of `candidate` against `base`, measured with `baseQueued`, whose costs are `plain`. Hand-offs
  /// are those that the candidate has beyond the base.
  NodeTimes(const Topology &, const Costs &plain, const Candidate &candidate, const Profile &base,
            const std::vector<char> &baseQueued);

  static double sum(const std::vector<double> &);
  /// Whether a node neither takes from a queue nor fills one.
  bool aside(const Topology &, uint32_t node) const;
  /// How many times longer nodes aside took: the median by their work, as a few of them may have
  /// become dearer alone. None if they do less than a fifth of all work.
  std::optional<double> slowedBy(const Topology &) const;
};

/// The two sides of hand-offs, as multiples of what they should cost.
struct HandOffs {
  double pop = 0, push = 0;
};

/// The hand-offs that explain `times` best, where all work is `slower` (a factor): least squares
/// over the nodes, the time of each as uncertain as its root. If nodes that take are those that
/// give, the producers' share stays `pushing`.
HandOffs fitHandOffs(const NodeTimes &times, double slower, double pushing);

/// By node: seconds for a row of the sources that it took longer wherever the queues were, beyond
/// what all work is slower by (`slowed`, by candidate). The median over candidates, as a machine
/// that moves makes some of them far dearer. 0 where it is little; below 0 where it is not known.
std::vector<double> coldTimes(const Topology &, const std::vector<NodeTimes> &candidates,
                              const std::vector<double> &slowed);

} // namespace sluice::elastic
