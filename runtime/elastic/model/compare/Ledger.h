//===- Ledger.h - what configurations gave over a longer time -*- C++ -*-===//
//
// A comparison takes a second or two. A machine that is shared changes for longer
// than that: where the processors of a virtual machine no longer share a cache, or
// share a core, queues give a fraction of what they gave before, and calls give what
// they always do. Means over a time that is longer than such a stretch tell what is
// best then.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/compare/Candidate.h"
#include <functional>

namespace sluice::elastic {

class Ledger {
public:
  struct Entry {
    std::string name; // in the first comparison of it
    Configuration configuration;
    uint32_t cuts = 0;
    double predicted = 0;         // the most rows a second that the model gave it
    double rows = 0, seconds = 0; // sums, weighed by age
    double most = 0, second = 0;  // rows a second in its two best intervals
    double at = 0;                // seconds: when the last interval ended
    Profile profile;              // of its last comparison
    /// Rows a second; the more recent, the more they count.
    double mean() const { return seconds > 0 ? rows / seconds : 0; }
  };

  void forget() { entries.clear(); }
  /// Adds the intervals of a comparison that ended at `now`.
  void add(const Candidate &, double now);
  /// Adds an interval of what is set. `rate`: rows a second.
  void add(const Configuration &, double rate, const Sample &);

  /// Null if it was never measured.
  const Entry *find(const Configuration &) const;
  /// Entry::mean(); 0 if it was never measured.
  double mean(const Configuration &) const;
  /// The entry with the greatest mean of those that `of` accepts; null if there is none.
  const Entry *best(const std::function<bool(const Entry &)> &of) const;
  /// The entry with the most rows a second in two intervals, if that is more by `gain` (a share)
  /// than `set` ever had in two; null if there is none.
  const Entry *promising(const Configuration &set, double gain) const;
  /// The entry with the most predicted rows a second, if that is more by `gain` (a share) than
  /// `set` has, and it never had half of that; null if there is none.
  const Entry *refuted(const Configuration &set, double gain) const;

private:
  Entry &entry(const Configuration &, double now);
  std::vector<Entry> entries;
};

} // namespace sluice::elastic
