//===- Watch.cpp - has the load changed? -----------------------------------===//
#include "runtime/elastic/model/Watch.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

// By how much (logarithm) a neighbour on the same core can slow a thread down.
static constexpr double mostPace = 0.9;
// Intervals in a row that are ignored at most: with a disturbance, and with another pace.
static constexpr uint32_t mostDisturbed = 60, mostPaced = 40;

void Watch::restart(const Profile &profile, std::vector<uint32_t> regionsSet) {
  before = profile;
  regions = std::move(regionsSet);
  normal = odd = {};
  first.clear();
  usual = 0;
  disturbed = paced = 0;
  ignored = nullptr;
  moved = dearer = faster = 0;
}

double Watch::distance(const Profile &profile) const { return elastic::distance(profile, normal); }

/// Rows of the sources whose work was done, by what each node does for one of them in `normal`.
/// Rows that go into queues are not done yet, and rows that come out of them count.
double Watch::rowsDone(const Profile &p) const {
  double done = 0, all = 0;
  for (size_t v = 0; v < normal.nodes.size(); ++v)
    if (const NodeSample &usual = normal.nodes[v]; usual.rows > 0 && usual.inside() > 0) {
      all += usual.inside();
      done += usual.inside() * p.nodes[v].rows / usual.rows;
    }
  return all > 0 ? normal.sourceRows(*topology) * done / all : p.sourceRows(*topology);
}

/// The logarithm of the seconds of work for a row of the sources.
double Watch::perRow(const Profile &p) const {
  return std::log(std::max(1e-12, p.work()) / std::max(1.0, rowsDone(p)));
}

/// The logarithm of the rows a second of the sources.
double Watch::rate(const Profile &p) const {
  return std::log(std::max(1.0, rowsDone(p)) / p.length);
}

/// Sets the change from `before` to `recent`.
void Watch::compare(const Profile &recent) {
  odd = recent;
  moved = elastic::distance(recent, before);
  dearer = perRow(recent) - perRow(before);
  faster = rate(recent) - rate(before);
}

/// Whether `before` is at least as long as the two intervals that are compared with it. A few short
/// intervals say little of how the work is shared out, as queues fill or drain in them.
bool Watch::sharesKnown() const { return before.length >= first[0].length + first[1].length; }

/// Whether both are further than `most` from 0, on the same side, and near each other.
static bool bothAway(double a, double b, double most) {
  double least = std::min(std::abs(a), std::abs(b));
  return a * b > 0 && least > most && std::abs(a - b) < 0.3 * least;
}

/// Whether the load changed before it was learnt: two intervals are like each other and unlike
/// `before`, in how the work is shared out, or by a factor of three in the cost or the number of
/// rows.
bool Watch::changedEarly() {
  if (before.nodes.empty() || first.size() < 2)
    return false;
  Profile last, earlier;
  last.add(first[first.size() - 1]);
  earlier.add(first[first.size() - 2]);
  compare(earlier);
  double movedThen = moved, dearerThen = dearer, fasterThen = faster;
  compare(last);
  double away = std::min(moved, movedThen), most = patience * std::log(3);
  bool movedEarly =
      sharesKnown() && away >= patience * 0.3 && elastic::distance(last, earlier) <= 0.3 * away;
  if (movedEarly || bothAway(dearer, dearerThen, most) || bothAway(faster, fasterThen, most))
    return true;
  odd = {};
  return false;
}

/// Adds one of the intervals that say what is normal. True if the load changed before it was
/// learnt.
bool Watch::learn(const Sample &sample) {
  first.push_back(sample);
  normal.add(sample);
  if (changedEarly())
    return true;
  if (first.size() < learning)
    return false;
  std::vector<double> distances, work, rates;
  for (const Sample &s : first) {
    Profile one(s);
    distances.push_back(distance(one));
    work.push_back(std::abs(perRow(one) - perRow(normal)));
    rates.push_back(std::abs(rate(one) - rate(normal)));
  }
  usual = 1.3 * median(distances); // intervals that are not in the mean are further from it
  share = {patience * std::max(0.03, 0.6 * usual), patience * std::max(0.25, 2 * usual)};
  // A neighbour may take a third of the machine for a while. That is not a change of load.
  odds = patience * std::max({0.3, 3 * median(work), 3 * median(rates)});
  dearerSum = cheaperSum = fasterSum = slowerSum = {odds, 3.3 * odds};
  if (before.nodes.empty())
    return false;
  Profile recent;
  for (size_t i = learning - 3; i < learning; ++i)
    recent.add(first[i]);
  compare(recent);
  // Queues make work a little dearer, and comparisons find rates that are a little too good.
  if ((sharesKnown() && moved > patience * elsewhere()) || std::abs(dearer) > 2.3 * unusual() ||
      std::abs(faster) > 1.7 * unusual())
    return true;
  odd = {};
  return false;
}

bool Watch::much() const {
  // Rows are dearer and fewer by as much, or cheaper and more, by no more than a neighbour on the
  // same core can cause. It may be another pace of the machine, for which the model is right.
  bool pace = std::abs(dearer + faster) < odds && std::abs(dearer) < mostPace;
  return moved > elsewhere() ||
         (!pace && std::max(std::abs(dearer), std::abs(faster)) > 1.7 * unusual());
}

/// Seconds of a row in all cold nodes (`known`), or in all others that have no queue in `sample`.
double Watch::rowTime(const Profile &p, const Sample &sample, bool known) const {
  double time = 0;
  for (size_t v = 0; v < p.nodes.size(); ++v)
    if (((*cold)[v] > 0) == known && (known || sample.nodes[v].queued <= 0) && p.nodes[v].rows > 0)
      time += p.nodes[v].busy * p.onProcessor() / p.nodes[v].rows;
  return time;
}

/// Whether the cold nodes, and no others beside queues, take far longer. The processors of a
/// virtual machine may be far from each other's caches for a second. Nodes with a queue pay for
/// that, too.
bool Watch::isFar(const Sample &sample) const {
  Profile one(sample);
  const Profile &usually = first.size() >= learning || before.nodes.empty() ? normal : before;
  double known = rowTime(usually, sample, true);
  return known > 0 && rowTime(one, sample, true) > 2 * known &&
         rowTime(one, sample, false) < 1.5 * rowTime(usually, sample, false);
}

/// Whether all that a region does takes longer (or shorter) by the same factor, as a neighbour on
/// the core of one processor causes. Not if one node does nearly all of a region: its own change
/// looks the same.
bool Watch::isPace() const {
  struct Region {
    double before = 0, now = 0, most = 0;
  };
  std::vector<Region> all(regions.size());
  double rows = normal.sourceRows(*topology) / std::max(1.0, rowsDone(odd)), then = 0, now = 0,
         elsewhere = 0;
  for (size_t v = 0; v < regions.size(); ++v) {
    Region &r = all[regions[v]];
    r.before += normal.nodes[v].inside();
    r.now += odd.nodes[v].inside() * rows;
    r.most = std::max(r.most, normal.nodes[v].inside());
  }
  for (const Region &r : all)
    then += r.before;
  for (const Region &r : all) {
    now += r.now;
    if (r.before > 0.05 * then &&
        (r.most > 0.8 * r.before || std::abs(std::log(r.now / r.before)) > mostPace))
      return false;
  }
  for (size_t v = 0; v < regions.size(); ++v) {
    const Region &r = all[regions[v]];
    elsewhere += std::abs(odd.nodes[v].inside() * rows -
                          normal.nodes[v].inside() * r.now / std::max(1e-12, r.before)) /
                 2;
  }
  return now > 0 && elsewhere < (0.03 + usual) * now;
}

bool Watch::changed(const Sample &sample, const char *disturbance) {
  ignored = disturbance ? disturbance : isFar(sample) ? "batches come from far" : nullptr;
  disturbed = ignored ? disturbed + 1 : 0;
  if (disturbed > mostDisturbed) // what lasts is a change
    ignored = nullptr;
  if (ignored)
    return false;
  if (first.size() < learning)
    return learn(sample);
  Profile one(sample);
  double away = distance(one);
  double dear = perRow(one) - perRow(normal), fast = rate(one) - rate(normal);
  bool strange = away > usual + share.allowance || std::abs(dear) > odds || std::abs(fast) > odds;
  bool alarm = share.add(away - usual);
  for (auto [sum, value] :
       {std::pair(&dearerSum, dear), {&cheaperSum, -dear}, {&fasterSum, fast}, {&slowerSum, -fast}})
    if (sum->add(value))
      alarm = true;
  if (!strange) {
    paced = 0;
    odd = {};
    return false;
  }
  // The interval in which the load changed is a mixture. It is not among the last three, which
  // count.
  bool mixture = odd.intervals == 0;
  if (odd.intervals >= 3 || (alarm && odd.intervals == 1))
    odd = {};
  odd.add(sample);
  if (!alarm || mixture)
    return false;
  moved = distance(odd);
  dearer = perRow(odd) - perRow(normal);
  faster = rate(odd) - rate(normal);
  if (isPace() && ++paced <= mostPaced) {
    ignored = "a processor has another pace";
    return false;
  }
  return true;
}

const char *Watch::what() const {
  if (moved > 0.1)
    return "the work is shared out differently over the nodes";
  if (std::abs(dearer) > 0.3)
    return dearer > 0 ? "rows have become dearer" : "rows have become cheaper";
  return faster > 0 ? "more rows arrive" : "fewer rows arrive";
}

} // namespace sluice::elastic
