//===- Ledger.h - what configurations gave over a longer time -*- C++ -*-===//
//
// A comparison takes a second or two. A machine that is shared changes for longer than
// that: where a virtual machine's processors no longer share a cache, or share a core,
// queues give a fraction of what they gave before, and calls what they always do. What
// is best then is told by means over a time that is longer than such a stretch.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/Contest.h"
#include <functional>

namespace sluice::elastic {

class Ledger {
public:
  struct Entry {
    std::string name; // in the first comparison of it
    Configuration configuration;
    uint32_t cuts = 0;
    double predicted = 0;
    double rows = 0, seconds = 0; // weighed by age
    double most = 0, second = 0;  // rows a second in the two best windows
    double at = 0;                // when the last one ended
    Profile profile;              // of its last comparison
    double mean() const { return seconds > 0 ? rows / seconds : 0; } // rows a second
  };
  void forget() { entries.clear(); }
  /// The windows of a comparison that has just ended.
  void add(const Candidate &, double now);
  /// A window of what is set. `rate` in rows a second.
  void add(const Configuration &, double rate, const Sample &);
  /// Null if it was never measured.
  const Entry *find(const Configuration &) const;
  /// Of those, the one with the most in the mean; null if there is none.
  const Entry *best(const std::function<bool(const Entry &)> &of) const;
  /// Rows a second, the more recent the more they count; 0 if it was never measured.
  double mean(const Configuration &) const;
  /// What at times (twice) had most of all others, if it is more by `gain` than what is set ever
  /// had; null if there is none.
  const Entry *promising(const Configuration &set, double gain) const;
  /// What should have most of all, and more by `gain` than what is set has, but never had half of
  /// that; null if there is none.
  const Entry *refuted(const Configuration &set, double gain) const;

private:
  Entry &entry(const Configuration &, double now);
  std::vector<Entry> entries;
};

} // namespace sluice::elastic
