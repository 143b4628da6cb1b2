//===- Zone.h - civil time in a zone ----------------------------*- C++ -*-===//
//
// Zones are read from the zone files of the system, or from rules as POSIX has them, once each: the
// C library has one zone for the process and would read its file again at each change.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/time/PosixZone.h"
#include <ctime>
#include <memory>
#include <vector>

namespace sluice {

/// Seconds since 1970 as if the fields were UTC. Fields out of range roll over.
int64_t wallSeconds(const tm &);

/// Immutable, so that any thread may use it.
class Zone {
public:
  /// The zone of that name: `Europe/Berlin` of the zone files, `EST5EDT,M3.2.0,M11.1.0` as POSIX
  /// writes it, or `UTC`, `GMT` or nothing. Null: there is none. Stays until the thread looks for
  /// the next one.
  static const Zone *find(std::string_view name);
  /// The process's: that of TZ, else of /etc/localtime, else UTC.
  static const Zone &local();
  /// UTC, which is called GMT as in C's gmtime().
  static const Zone &utc();

  /// What clocks show. tm_zone lives as long as the zone. All 0 if no int has the year.
  tm fields(int64_t seconds) const;
  /// How far clocks are ahead of UTC, in seconds.
  int32_t offsetAt(int64_t seconds) const { return types[typeAt(seconds)].offset; }
  /// When clocks show that. A time that they leave out counts as if they had not been changed; of
  /// two times that they show it is the first. Where `isSummer` is 0 or 1, it counts as winter or
  /// summer time, if the zone has that.
  int64_t seconds(int64_t wall, int isSummer = -1) const;
  int64_t seconds(const tm &t) const { return seconds(wallSeconds(t), t.tm_isdst); }

  static std::shared_ptr<const Zone> fromFile(const std::string &path);
  static std::shared_ptr<const Zone> fromRule(const PosixZone &);

private:
  friend class ZoneFile;
  /// A kind of time.
  struct Type {
    int32_t offset; // seconds east of Greenwich
    bool isSummer;
    uint32_t name; // where it begins in `names`
  };
  struct Change {
    int64_t at;
    uint32_t type; // from then on
  };

  uint32_t addType(int32_t offset, bool isSummer, const std::string &name);
  void addYears(const PosixZone &, int64_t from);
  int64_t cyclesBefore(int64_t seconds) const;
  uint32_t typeAt(int64_t seconds) const;
  /// Before the first change is interval 0, behind that one 1, and so on.
  const Type &typeOf(size_t interval) const {
    return types[interval ? changes[interval - 1].type : 0];
  }
  size_t nearest(size_t interval, bool isSummer, int64_t at) const;

  std::vector<Type> types; // the first holds before all changes
  std::vector<Change> changes;
  std::string names; // each with a zero behind it
  /// From then on every cycle of 400 years is like the first, which has its changes in the table;
  /// before that, too, if `isEndless`.
  int64_t cycleFrom = INT64_MAX;
  bool isEndless = false;
};

} // namespace sluice
