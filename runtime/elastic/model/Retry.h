//===- Retry.h - what is measured a second time ------------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/compare/Ledger.h"
#include "runtime/elastic/model/load/Timing.h"

namespace sluice::elastic {

/// Says when a trial is due: a configuration that was measured already is compared once more with
/// what is set. A machine that is shared moves: for some seconds hand-offs are far dearer, or two
/// processors do the work of one.
class Retry {
public:
  /// The trial of an entry of the ledger is running.
  bool running() const { return onTrial; }
  void begin() { onTrial = true; }

  /// Before the policy has settled: what to try again.
  struct Doubt {
    const Ledger::Entry *entry = nullptr; // null: nothing
    bool wait = false;                    // for some time first
  };
  /// The model promised an entry of `ledger` far more than `set` has, and far more than was
  /// measured of it. None once the policy has settled, or if a trial would not end at `end`.
  /// `rate`: of `set`.
  Doubt doubt(const Ledger &ledger, const Configuration &set, double rate, const Timing &,
              double now, double end);
  /// Seconds to wait before the next doubt().
  static constexpr double doubtInterval = 0.5;

  /// The policy has settled: a trial of what had far more at times than `set` is due after a delay,
  /// which doubles with each trial.
  void settled(const Ledger &, const Configuration &set, double gain, double now);
  /// A trial of `configuration` is due now, unless another one is scheduled.
  void soon(const Configuration &, double now);
  /// The configuration whose trial is due; null if there is none.
  const Configuration *due(double now) const;
  /// The load is another one: delays begin anew.
  void forget() { delay = firstDelay; }

private:
  static constexpr double firstDelay = 2, longestDelay = 80; // seconds
  struct Trial {
    Configuration configuration;
    double at; // seconds since the program began
  };
  std::optional<Trial> later;
  double delay = firstDelay;
  double doubtEnds = -1; // seconds since the program began: when a doubt is tried; below 0: none
  bool onTrial = false, settledOnce = false;
};

} // namespace sluice::elastic
