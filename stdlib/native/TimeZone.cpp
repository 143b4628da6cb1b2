//===- TimeZone.cpp - the C library's zone, one user at a time --*- C++ -*-===//
#include "stdlib/native/TimeZone.h"
#include <cstdlib>
#include <mutex>

namespace sluice {

static std::mutex zoneLock;

TimeZone::TimeZone() { zoneLock.lock(); }

TimeZone::TimeZone(const std::string &name) {
  zoneLock.lock();
  if (const char *now = getenv("TZ")) {
    hadOld = true;
    old = now;
  }
  changed = true;
  setenv("TZ", name.c_str(), 1);
  tzset();
}

TimeZone::~TimeZone() {
  if (changed) {
    if (hadOld)
      setenv("TZ", old.c_str(), 1);
    else
      unsetenv("TZ");
    tzset();
  }
  zoneLock.unlock();
}

tm TimeZone::fields(int64_t seconds) const {
  time_t t = seconds;
  tm result = {};
  localtime_r(&t, &result);
  return result;
}

int64_t TimeZone::seconds(tm t) const {
  t.tm_isdst = -1;
  return mktime(&t);
}

tm TimeZone::utcFields(int64_t seconds) {
  time_t t = seconds;
  tm result = {};
  gmtime_r(&t, &result);
  return result;
}

} // namespace sluice
