//===- Watch.h - has the load changed? ---------------------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/Statistics.h"
#include "runtime/elastic/model/costs/Profile.h"
#include <algorithm>

namespace sluice::elastic {

/// Detects a change of load. It looks at how the work is shared out over the nodes (costs and the
/// rates of edges both show there, a slower machine does not), at the work of a row, and at the
/// rate. Each is compared with the first intervals after restart(), and differences are added up by
/// a CUSUM: one odd interval is nothing, and a lasting change is found soon.
class Watch {
public:
  /// `cold`: Knowledge::cold, which may change. Both arguments outlive the watch.
  Watch(const Topology &topology, const std::vector<double> &cold)
      : topology(&topology), cold(&cold) {}
  /// The intervals that come next are normal, if they are about what `before` says. `regions`: by
  /// node, of what is set (Solver::regions()); none if there are more of them than processors.
  void restart(const Profile &before, std::vector<uint32_t> regions = {});
  /// True if the load is no longer what it was. `disturbance`: why the sample says little of it,
  /// null if it does.
  bool changed(const Sample &, const char *disturbance = nullptr);
  /// Whether the last interval was odd, so that the next one may be short.
  bool suspicious() const { return odd.intervals > 0; }
  /// After changed(): the last intervals, those that did not look normal.
  const Profile &recent() const { return odd; }
  /// Whether so much has changed that what was learnt before says little.
  bool much() const;
  /// What has changed most, in words.
  const char *what() const;

  // The change since normal.
  double moved = 0;  // the share of the work that is done in other nodes, from 0 to 1
  double dearer = 0; // logarithm of a ratio: the work of a row
  double faster = 0; // logarithm of a ratio: the rate
  /// How many times larger a change must be. Above 1: alarms came to nothing.
  double patience = 1;
  /// Why the last interval did not count; null if it did.
  const char *ignored = nullptr;

private:
  double distance(const Profile &) const;
  /// A logarithm of a ratio that is not usual. A change among the intervals that are learnt from
  /// makes them differ, but it does not make a large change usual.
  double unusual() const { return std::min(odds, 0.5 * patience); }
  /// A share of the work that is not done elsewhere by chance.
  double elsewhere() const { return std::max(0.3, std::min(2 * usual, 0.5)); }
  void compare(const Profile &recent);
  bool sharesKnown() const;
  bool changedEarly();
  bool learn(const Sample &);
  double rowTime(const Profile &, const Sample &, bool known) const;
  bool isFar(const Sample &) const;
  bool isPace() const;
  double rowsDone(const Profile &) const;
  double perRow(const Profile &) const;
  double rate(const Profile &) const;

  static constexpr uint32_t learning = 6; // intervals that say what is normal
  const Topology *topology;
  const std::vector<double> *cold;
  Profile normal, odd, before;
  std::vector<Sample> first;         // the intervals that say what is normal
  double usual = 0;                  // distance of an interval from the mean of all
  double odds = 0.3;                 // logarithm of a ratio that is not unusual
  std::vector<uint32_t> regions;     // by node, of what is set
  uint32_t disturbed = 0, paced = 0; // intervals in a row that were ignored
  Cusum share, dearerSum, cheaperSum, fasterSum, slowerSum;
};

} // namespace sluice::elastic
