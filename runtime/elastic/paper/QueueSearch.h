//===- QueueSearch.h - the search for who gets a queue ----------*- C++ -*-===//
#pragma once
#include "runtime/elastic/paper/Groups.h"
#include <cstddef>
#include <map>
#include <utility>

namespace sluice::elastic::paper {

/// How many of the operators of one group: all of them first, then by halves, towards where
/// throughput is better.
class CountSearch {
public:
  /// `reference`: the throughput with none. The search ends where the next step would be `step` or
  /// less.
  CountSearch(uint32_t size, double reference, double sens, uint32_t step)
      : reference(reference), sens(sens), step(step), upper(size), count(size) {}

  uint32_t tried() const { return count; }
  double before() const { return reference; }
  void measured(double throughput) { known[count] = throughput; }
  /// The next count to try; false: there is none.
  bool advance();
  /// The count that is to stay (0: none) and its throughput: of those that are no better than one
  /// another the smallest.
  std::pair<uint32_t, double> best() const;

private:
  double reference, sens;
  uint32_t step, lower = 0, upper, count;
  std::map<uint32_t, double> known;

  /// 1: towards more; -1: towards fewer; 0: here it is best.
  int towards() const;
};

struct QueueOptions {
  GroupOptions groups;
  double sens = 0.05;
  double smallGroup = 0.1;
  uint32_t step = 2;
  bool regroup =
      true; // after a success: all that is left in groups anew, else on to the next group
};

/// Group by group, from one configuration, at one number of workers.
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
  /// From where the queues are `queued` (by node), which gave `throughput`.
  State begin(Direction, const std::vector<char> &queued, double throughput,
              const std::vector<double> &costs);
  /// What the last target gave.
  State measured(double throughput, const std::vector<double> &costs);

  /// Queued or not, by node.
  std::vector<char> target() const;
  /// Where begin() was.
  const std::vector<char> &origin() const { return first; }
  bool accepted() const { return gained; }
  /// The last state was Accepted.
  bool confirming() const { return confirm; }
  /// The throughput of what is accepted.
  double throughput() const { return reference; }

  // Of the trial at hand:
  Direction direction() const { return way; }
  const std::vector<uint32_t> &group() const {
    return members;
  } // in the order in which they are taken
  uint32_t tried() const { return trial.tried(); }
  uint32_t kept() const { return count; }          // of them, that the target changes
  double before() const { return trial.before(); } // the throughput with none of them

private:
  std::vector<uint32_t> changeable;
  QueueOptions options;
  Direction way = Direction::Up;
  std::vector<char> first, base; // where it began, what is accepted
  std::vector<std::vector<uint32_t>> groups;
  size_t next = 0; // of groups
  std::vector<uint32_t> members;
  CountSearch trial{0, 0, 0, 1};
  uint32_t count = 0; // of members, that the target changes
  double reference = 0;
  bool gained = false, confirm = false;

  State propose(const std::vector<double> &costs);
  State tryNext();
  State extend();
  State accept(uint32_t count, double throughput);
  bool isSmall() const;
};

} // namespace sluice::elastic::paper
