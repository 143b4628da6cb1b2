//===- Watch.h - has the load changed? ---------------------*- C++ -*-===//
//
// Looks at how the work is shared out over the nodes (costs and edge rates both show
// there, a slower machine does not), at the work of a row, and at the rate. Each is
// compared with the first windows after settling and added up by a CUSUM, so that one
// odd window is nothing and a lasting change is found soon.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/model/Costs.h"
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>

namespace sluice::elastic {

/// Which share of the work is done elsewhere: half the sum of differences between the nodes' shares
/// of all work.
double distance(const Profile &, const Profile &);

class Watch {
public:
  /// `cold`: what is known of it (Knowledge), which may change.
  Watch(const Topology &topology, const std::vector<double> &cold)
      : topology(&topology), cold(&cold) {}
  /// What comes next is normal, if it is about what `before` says. `regions`: by node, what is set;
  /// none if there are more of them than processors.
  void restart(const Profile &before, std::vector<uint32_t> regions = {});
  /// True if the load is no longer what it was. `disturbance`: why the sample says little of it,
  /// null if it does.
  bool changed(const Sample &, const char *disturbance = nullptr);
  /// The last window was odd: the next one may be short.
  bool suspicious() const { return odd.windows > 0; }
  /// The last windows before changed() said so, those that did not look normal.
  const Profile &recent() const { return odd; }
  /// Since normal: which share of the work is done elsewhere, from 0 to 1, and logarithms of two
  /// ratios.
  double moved = 0, dearer = 0, faster = 0;
  /// So much that what was learnt before says little.
  bool much() const;
  /// Above 1: alarms came to nothing, so it takes that much more.
  double patience = 1;
  const char *what() const;
  /// Why the last window did not count, if it did not.
  const char *ignored = nullptr;

private:
  double distance(const Profile &) const;
  /// A change among the windows that are learnt from makes them differ: that does not make a large
  /// one usual.
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

  static constexpr uint32_t learning = 6; // windows
  const Topology *topology;
  const std::vector<double> *cold;
  Profile normal, odd, before;
  std::vector<Sample> first;
  double usual = 0;  // distance of a window from the mean of all
  double odds = 0.3; // logarithm of a ratio that is not unusual
  std::vector<uint32_t> regions;
  uint32_t disturbed = 0, paced = 0; // windows in a row
  Cusum share, dearerSum, cheaperSum, fasterSum, slowerSum;
};

} // namespace sluice::elastic
