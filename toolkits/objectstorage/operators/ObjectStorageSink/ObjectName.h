//===- ObjectName.h - what objects are called -------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice::objectstorage {

/// What stands in a name for another text.
struct NameParts {
  uint64_t number = 0;    // %OBJECTNUM: the number of the object, from 0
  int64_t seconds = 0;    // %TIME: since 1970, as `timeFormat` says
  std::string timeFormat; // of Java's SimpleDateFormat
  unsigned pe = 0;        // %PEID
};

/// The name with what stands for it: %OBJECTNUM, %TIME, %HOST, %PROCID, %PEID, %PELAUNCHNUM and
/// %PARTITIONS, which are empty. It begins with no slash.
std::string objectName(const std::string &pattern, const NameParts &);
/// Why the format of times cannot be used; empty: it can.
std::string wrongTimeFormat(const std::string &format);

} // namespace sluice::objectstorage
