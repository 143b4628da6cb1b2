//===- Compared.h - what was compared under this load ------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Comparison.h"

namespace sluice::elastic {

/// The configurations that were compared since the load last changed. None of them is proposed
/// again, but some are measured once more.
class Compared {
public:
  bool contains(const Configuration &) const;
  /// The candidates of a comparison that begins.
  void add(const std::vector<Candidate> &);
  /// What a comparison that has ended measured last of each candidate.
  void remember(const Comparison &);
  void forget();
  /// The most rows a second that any other configuration than those of `list` had when it was last
  /// measured; 0 if there is none.
  double mostBeside(const std::vector<Candidate> &list) const;
  /// The winner of `last` and up to two others, best first, not measured yet. They had more when
  /// they were measured than the winner has had now: queues and caches that fill may make the first
  /// intervals of a configuration too good. `alsoNear`: also those of `last` that noise may have
  /// kept from winning. `noise`: a share of the rate that is no difference.
  std::vector<Candidate> rivals(const Comparison &last, double noise, bool alsoNear) const;

private:
  std::vector<Configuration> begun;
  std::vector<Candidate> measured; // twice at least; `values` has one, Candidate::lately()
};

} // namespace sluice::elastic
