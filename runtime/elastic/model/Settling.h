//===- Settling.h - what a longer time says of a winner ----*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Comparison.h"
#include "runtime/elastic/model/compare/Ledger.h"
#include "runtime/elastic/model/load/LoadModel.h"

namespace sluice::elastic {

/// Decides whether the winner of a comparison is set for good. A comparison sees a second or two,
/// so means over a longer time (Ledger.h) decide where they are known.
///
/// Calls have the same rate whatever the machine does, and few queues lose less than many where it
/// makes hand-offs dear. So more queues must have had more altogether, not only in the comparison
/// that they won.
class Settling {
public:
  Settling(const ModelOptions &options, const LoadModel &load) : options(options), load(load) {}

  const Ledger &ledger() const { return rates; }
  /// Adds an interval of what is set once the policy has settled. `rate`: rows a second.
  void add(const Configuration &set, double rate, const Sample &sample) {
    rates.add(set, rate, sample);
  }
  void beginComparison() { wonMean = 0; }
  /// Forgets all rates: the load is another one.
  void forget() { rates.forget(); }

  /// Whether a comparison shows the load that the ledger is of: something gives the rate that it
  /// gave before, and does the same work for it. Calls without their old rate show that it is not.
  /// `trial`: what is set counts, too.
  bool sameLoad(const Comparison &, bool trial) const;
  /// Takes a comparison that ended at `now`. If it is of the load of the ledger, another candidate
  /// than its winner may have had more over a longer time. Then that is made the winner, and the
  /// result is true. `trial`: the second candidate is on trial.
  bool judge(Comparison &, bool sameLoad, bool trial, double now);
  /// The candidate that won, but made way for what is set, if it has had more since; else null.
  const Ledger::Entry *giveUp(const Configuration &set) const;
  /// What is set was given up.
  void release() { holding = false; }
  /// Before the policy settles: fewer queues that have had about as much as the last winner; else
  /// null.
  const Ledger::Entry *preferFew(const Configuration &set);
  /// Calls that have had more than what is set, for long; else null.
  const Ledger::Entry *betterCalls(const Configuration &set) const;

private:
  bool isFew(const Configuration &one, const Configuration &many) const;
  const Ledger::Entry *few(const Configuration &set, uint32_t most) const;

  const ModelOptions &options;
  const LoadModel &load;
  Ledger rates;         // since the load last changed
  double wonMean = 0;   // rows a second in the ledger: of what won the last comparison
  bool holding = false; // what is set stayed, though `better` won the last comparison
  Configuration better;
};

} // namespace sluice::elastic
