//===- Rules.h - when to search again ----------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <set>

namespace sluice::elastic::paper {

/// The last search for queues that changed something (or the first one), and what it says of other
/// levels (the rule of history).
struct Adjustment {
  uint32_t threads = 0;        // its level; 0: there was no search
  double throughput = 0;       // the best with its placement
  bool changed = false;        // it changed something
  std::set<uint32_t> explored; // levels at which a search since then changed nothing

  /// Whether a search at `workers` is superfluous: a placement that is good at both ends of a range
  /// of levels is good within it.
  bool covers(uint32_t workers) const;
};

struct SatisfactionOptions {
  double sf = 0.6;     // the satisfaction factor
  bool asCode = false; // the formula of the published code, else of the paper
  double sens = 0.05;
};
/// Whether queues may be left alone, as `threads` times as many workers made throughput `gain`
/// times as large.
bool satisfied(double gain, double threads, const SatisfactionOptions &);

/// Detects a change of load: throughput differs from the first one by `share`, to the same side,
/// for `periods` periods in a row.
class LoadWatch {
public:
  LoadWatch(double share, uint32_t periods) : share(share), periods(periods) {}

  void forget() { first = -1, count = 0; }
  /// Takes a throughput. True if the load has changed. The first throughput after forget() is the
  /// one that others are compared with.
  bool changed(double throughput);
  double firstThroughput() const { return first; }
  /// For how many periods in a row it has differed.
  uint32_t running() const { return count; }
  uint32_t needed() const { return periods; }

private:
  double share;
  uint32_t periods;
  double first = -1; // below 0: none yet
  uint32_t count = 0;
  bool more = false; // whether the last one was above the first
};

} // namespace sluice::elastic::paper
