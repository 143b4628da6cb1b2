//===- TimeZone.h - civil time in the process's zone or another -*- C++ -*-===//
#pragma once
#include <cstdint>
#include <ctime>
#include <string>

namespace sluice {

/// Holds the C library's zone while it lives (it is one for the process, so
/// others wait), and puts the process's own back afterwards.
class TimeZone {
public:
  TimeZone(); // the process's
  explicit TimeZone(const std::string &posixName);
  ~TimeZone();
  TimeZone(const TimeZone &) = delete;

  tm fields(int64_t seconds) const;
  /// Out-of-range fields roll over; whether it is summer is found out.
  int64_t seconds(tm) const;
  static tm utcFields(int64_t seconds);

private:
  bool changed = false, hadOld = false;
  std::string old;
};

} // namespace sluice
