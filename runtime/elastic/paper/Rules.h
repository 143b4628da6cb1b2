//===- Rules.h - when to search again ----------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <set>

namespace sluice::elastic::paper {

/// The last search for queues that changed something (or the first one): what it says of other
/// numbers of workers.
struct Adjustment {
  uint32_t threads = 0;  // where it was; 0: there was none
  double throughput = 0; // the best with its placement
  bool changed = false;
  std::set<uint32_t> explored; // where a search since then changed nothing

  /// The placement that is good at the two ends of a range is good within it: a search at `workers`
  /// is superfluous.
  bool covers(uint32_t workers) const;
};

struct SatisfactionOptions {
  double sf = 0.6;
  bool asCode = false; // the published code's formula
  double sens = 0.05;
};
/// More workers (`threads` times as many) made throughput `gain` times as large: is that enough to
/// leave queues alone?
bool satisfied(double gain, double threads, const SatisfactionOptions &);

/// Sees that the load has changed: throughput differs for some time from what it was first, always
/// to the same side.
class LoadWatch {
public:
  LoadWatch(double share, uint32_t periods) : share(share), periods(periods) {}

  void forget() { first = -1, count = 0; }
  /// True: the load has changed. The first throughput after forget() is what the others are
  /// compared with.
  bool changed(double throughput);
  double firstThroughput() const { return first; }
  /// For how many periods running it has differed.
  uint32_t running() const { return count; }
  uint32_t needed() const { return periods; }

private:
  double share;
  uint32_t periods;
  double first = -1; // below 0: none yet
  uint32_t count = 0;
  bool more = false; // the side
};

} // namespace sluice::elastic::paper
