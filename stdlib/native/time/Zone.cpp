//===- Zone.cpp - civil time in a zone ------------------------------------===//
#include "stdlib/native/time/Zone.h"
#include <algorithm>
#include <climits>

namespace sluice {

int64_t wallSeconds(const tm &t) {
  int64_t years = floorDiv(t.tm_mon, 12);
  int64_t days = daysOf(1900 + int64_t(t.tm_year) + years, int(t.tm_mon - 12 * years), 1) - 1;
  return (days + t.tm_mday) * kDay + t.tm_hour * int64_t(3600) + t.tm_min * int64_t(60) + t.tm_sec;
}

//===--- making one ---------------------------------------------------------===//

uint32_t Zone::addType(int32_t offset, bool isSummer, const std::string &name) {
  types.push_back({offset, isSummer, uint32_t(names.size())});
  names.append(name.c_str(), name.size() + 1);
  return uint32_t(types.size() - 1);
}

/// Adds the changes of 400 years from the year on, and of some around them.
void Zone::addYears(const PosixZone &rule, int64_t from) {
  uint32_t standard = addType(rule.offset, false, rule.name);
  uint32_t summer = addType(rule.summerOffset, true, rule.summerName);
  int64_t last = changes.empty() ? INT64_MIN : changes.back().at;
  std::vector<Change> made;
  for (int64_t year = from - 1; year < from + 402; ++year) {
    made.push_back({rule.begin.in(year)-rule.offset, summer});
    made.push_back({rule.end.in(year)-rule.summerOffset, standard});
  }
  // Of two at once summer is the later one.
  std::ranges::sort(made, {},
                    [](const Change &change) { return std::pair(change.at, change.type); });
  for (const Change &change : made) {
    if (change.at <= last)
      continue;
    if (!changes.empty() && changes.back().at == change.at) // as it is all the year
      changes.back() = change;
    else
      changes.push_back(change);
  }
  cycleFrom = daysOf(from, 0, 1) * kDay;
}

std::shared_ptr<const Zone> Zone::fromRule(const PosixZone &rule) {
  auto zone = std::make_shared<Zone>();
  zone->addType(rule.offset, false, rule.name);
  if (rule.hasSummer())
    zone->addYears(rule, 2000);
  zone->isEndless = true;
  return zone;
}

const Zone &Zone::utc() {
  static const std::shared_ptr<const Zone> zone = fromRule({.name = "GMT"});
  return *zone;
}

//===--- looking up ---------------------------------------------------------===//

/// How many cycles are to be taken off, so that the table has the time.
int64_t Zone::cyclesBefore(int64_t seconds) const {
  if (changes.empty() || (seconds < cycleFrom && !isEndless))
    return 0;
  __int128 behind = __int128(seconds) - cycleFrom;
  return int64_t(behind / kCycle) - (behind < 0);
}

uint32_t Zone::typeAt(int64_t seconds) const {
  seconds -= cyclesBefore(seconds) * kCycle;
  auto next = std::ranges::upper_bound(changes, seconds, {}, &Change::at);
  return next == changes.begin() ? 0 : std::prev(next)->type;
}

tm Zone::fields(int64_t seconds) const {
  const Type &type = types[typeAt(seconds)];
  int64_t wall;
  if (__builtin_add_overflow(seconds, type.offset, &wall))
    return {};
  int64_t days = floorDiv(wall, kDay);
  Date date = dateOf(days);
  if (date.year - 1900 > INT_MAX || date.year - 1900 < INT_MIN)
    return {};
  int rest = int(wall - days * kDay);
  tm t = {};
  t.tm_sec = rest % 60, t.tm_min = rest / 60 % 60, t.tm_hour = rest / 3600;
  t.tm_mday = date.day, t.tm_mon = date.month, t.tm_year = int(date.year - 1900);
  t.tm_wday = weekdayOf(days), t.tm_yday = int(days - daysOf(date.year, 0, 1));
  t.tm_isdst = type.isSummer;
  t.tm_gmtoff = type.offset;
  t.tm_zone = names.c_str() + type.name;
  return t;
}

/// The interval of that kind that is nearest to a time in the given one: where clocks were changed
/// so long ago or later, it counts no more.
size_t Zone::nearest(size_t interval, bool isSummer, int64_t at) const {
  constexpr int64_t kFar = 17 * 365 * kDay;
  size_t best = interval;
  int64_t distance = kFar;
  auto consider = [&](size_t i, int64_t to) {
    if (typeOf(i).isSummer == isSummer && to < distance)
      best = i, distance = to;
    return to < distance;
  };
  for (size_t i = interval; i > 0 && consider(i - 1, at - changes[i - 1].at); --i)
    continue;
  for (size_t i = interval; i < changes.size() && consider(i + 1, changes[i].at - at); ++i)
    continue;
  return best;
}

int64_t Zone::seconds(int64_t wall, int isSummer) const {
  constexpr int64_t kMostOffset = 2 * kDay;
  int64_t cycles = cyclesBefore(wall) * kCycle;
  wall -= cycles;
  auto first = std::ranges::upper_bound(changes, wall - kMostOffset, {}, &Change::at);
  auto i = size_t(first - changes.begin());
  while (i < changes.size() && wall - typeOf(i).offset >= changes[i].at)
    ++i;
  // The first interval that ends later. If it begins later, too, clocks leave the time out.
  if (i > 0 && wall - typeOf(i).offset < changes[i - 1].at)
    --i;
  if (isSummer >= 0 && typeOf(i).isSummer != (isSummer > 0))
    i = nearest(i, isSummer > 0, wall - typeOf(i).offset);
  return wall - typeOf(i).offset + cycles;
}

} // namespace sluice
