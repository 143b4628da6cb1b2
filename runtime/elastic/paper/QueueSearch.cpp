//===- QueueSearch.cpp - the search for queues ---------------------------===//
#include "runtime/elastic/paper/QueueSearch.h"
#include "runtime/elastic/paper/LevelSearch.h"

namespace sluice::elastic::paper {

//===--- how many of a group ---------------------------------------------------===//

int CountSearch::towards() const {
  auto here = known.find(count);
  auto over = std::next(here);
  if (over != known.end() && better(over->second, here->second, sens))
    return 1;
  if (here == known.begin())
    return -1; // nothing below is known
  return better(here->second, std::prev(here)->second, sens) ? 0 : -1;
}

bool CountSearch::advance() {
  int way = towards();
  if (way == 0)
    return false;
  (way > 0 ? lower : upper) = count;
  uint32_t middle = lower + (upper - lower) / 2;
  if ((way > 0 ? middle - count : count - middle) <= step)
    return false;
  // A count this close to a known one would tell nothing new.
  auto over = known.lower_bound(middle);
  if (over != known.end() && over->first - middle <= step)
    return false;
  if (over != known.begin() && middle - std::prev(over)->first <= step)
    return false;
  count = middle;
  return true;
}

std::pair<uint32_t, double> CountSearch::best() const {
  std::pair<uint32_t, double> result{0, reference};
  for (auto [number, throughput] : known)
    if (better(throughput, result.second, sens))
      result = {number, throughput};
  return result;
}

//===--- group by group -----------------------------------------------------------===//

QueueSearch::State QueueSearch::begin(Direction direction, const std::vector<char> &queued,
                                      double throughput, const std::vector<double> &costs) {
  way = direction;
  first = base = queued;
  reference = throughput;
  gained = confirm = false;
  return propose(costs);
}

QueueSearch::State QueueSearch::measured(double throughput, const std::vector<double> &costs) {
  if (confirm) {
    confirm = false;
    reference = throughput;
    return options.regroup ? propose(costs) : tryNext();
  }
  trial.measured(throughput);
  if (!isSmall() && trial.advance()) {
    count = trial.tried();
    return State::Trial;
  }
  if (auto [number, best] = trial.best(); number)
    return accept(number, best);
  if (isSmall() && next < groups.size())
    return extend(); // what was tried stays: the two groups together may gain
  count = 0;
  return State::Ended;
}

/// A group of one is always small: there is nothing to search in it.
bool QueueSearch::isSmall() const {
  return members.size() <= 1 ||
         double(members.size()) <= options.smallGroup * double(changeable.size());
}

QueueSearch::State QueueSearch::propose(const std::vector<double> &costs) {
  std::vector<uint32_t> candidates;
  for (uint32_t node : changeable)
    if ((base[node] != 0) == (way == Direction::Down))
      candidates.push_back(node);
  groups = groupByCost(candidates, costs, way, options.groups);
  next = 0;
  return tryNext();
}

/// Tries the next group alone, from what is accepted.
QueueSearch::State QueueSearch::tryNext() {
  members.clear();
  count = 0;
  return next < groups.size() ? extend() : State::Ended;
}

QueueSearch::State QueueSearch::extend() {
  members.insert(members.end(), groups[next].begin(), groups[next].end());
  ++next;
  count = uint32_t(members.size());
  trial = CountSearch(count, reference, options.sens, options.step);
  return State::Trial;
}

QueueSearch::State QueueSearch::accept(uint32_t number, double throughput) {
  count = number;
  base = target();
  reference = throughput;
  gained = confirm = true;
  return State::Accepted;
}

std::vector<char> QueueSearch::target() const {
  std::vector<char> result = base;
  for (uint32_t i = 0; i < count; ++i)
    result[members[i]] = way == Direction::Up;
  return result;
}

} // namespace sluice::elastic::paper
