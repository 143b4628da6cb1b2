//===- QueueSearch.h - the search for queues --------------------*- C++ -*-===//
#pragma once
#include "runtime/elastic/paper/Groups.h"
#include <cstddef>
#include <map>
#include <utility>

namespace sluice::elastic::paper {

/// Searches how many operators of one group get a queue. It tries all of them first, then halves
/// the range towards where throughput is better.
class CountSearch {
public:
  /// `reference`: the throughput with none. `sens`: the share by which a better one is better. The
  /// search ends where the next step would be `step` or less.
  CountSearch(uint32_t size, double reference, double sens, uint32_t step)
      : reference(reference), sens(sens), step(step), upper(size), count(size) {}

  /// The count that is tried.
  uint32_t tried() const { return count; }
  double before() const { return reference; } // the throughput with none
  /// Takes the throughput of the count that is tried.
  void measured(double throughput) { known[count] = throughput; }
  /// Goes on to the next count. False if there is none.
  bool advance();
  /// The count that is to stay (0: none) and its throughput. Of counts that are no better than each
  /// other it is the smallest.
  std::pair<uint32_t, double> best() const;

private:
  double reference, sens;
  uint32_t step, lower = 0, upper, count;
  std::map<uint32_t, double> known; // throughput by count

  /// 1: towards more; -1: towards fewer; 0: this count is best.
  int towards() const;
};

struct QueueOptions {
  GroupOptions groups;
  double sens = 0.05;      // share by which a better throughput is better
  double smallGroup = 0.1; // share of the nodes up to which a group is tried as a whole
  uint32_t step = 2;       // CountSearch ends at it
  bool regroup = true;     // after a success the rest is grouped anew, else the next group follows
};

/// Searches queues group by group, from one configuration, at one level.
class QueueSearch {
public:
  /// `changeable`: ascending.
  QueueSearch(std::vector<uint32_t> changeable, const QueueOptions &options)
      : changeable(std::move(changeable)), options(options) {}

  enum class State : uint8_t {
    Trial,    // set target() and measure
    Accepted, // set target(), it stays; measure it
    Ended     // set target(), nothing more to try
  };
  /// Begins where the queues are `queued` (by node), which gave `throughput`. `costs`: by node.
  State begin(Direction, const std::vector<char> &queued, double throughput,
              const std::vector<double> &costs);
  /// Takes the throughput of the last target.
  State measured(double throughput, const std::vector<double> &costs);

  /// Queued or not, by node: what is to be set.
  std::vector<char> target() const;
  /// What was queued at begin().
  const std::vector<char> &origin() const { return first; }
  /// Whether anything was accepted since begin().
  bool accepted() const { return gained; }
  /// Whether the last state was Accepted.
  bool confirming() const { return confirm; }
  /// The throughput of what is accepted.
  double throughput() const { return reference; }

  // The trial at hand.
  Direction direction() const { return way; }
  /// The group, in the order in which its members are taken.
  const std::vector<uint32_t> &group() const { return members; }
  /// The count that is tried.
  uint32_t tried() const { return trial.tried(); }
  uint32_t kept() const { return count; }          // members that the target changes
  double before() const { return trial.before(); } // throughput with none of them

private:
  std::vector<uint32_t> changeable;
  QueueOptions options;
  Direction way = Direction::Up;
  std::vector<char> first, base; // by node: at begin(), and what is accepted
  std::vector<std::vector<uint32_t>> groups;
  size_t next = 0; // the next group
  std::vector<uint32_t> members;
  CountSearch trial{0, 0, 0, 1};
  uint32_t count = 0;   // members that the target changes
  double reference = 0; // throughput of what is accepted
  bool gained = false, confirm = false;

  State propose(const std::vector<double> &costs);
  State tryNext();
  State extend();
  State accept(uint32_t count, double throughput);
  bool isSmall() const;
};

} // namespace sluice::elastic::paper
