//===- ZoneNames.h - what zones are called ----------------------*- C++ -*-===//
//
// For the functions at run time, and for warnings of the compiler about constants.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/time/PosixZone.h"
#include <cstdlib>
#include <filesystem>

namespace sluice {

inline std::filesystem::path zoneFolder() {
  const char *set = getenv("TZDIR");
  return set ? set : "/usr/share/zoneinfo";
}
/// What the C library takes for UTC whatever files there are.
inline bool isUtc(std::string_view name) { return name.empty() || name == "UTC" || name == "GMT"; }
/// A colon before the name of a file is allowed.
inline std::string_view withoutColon(std::string_view name) {
  name.remove_prefix(name.starts_with(':'));
  return name;
}
/// Whether there seems to be a zone of that name. Without zone files nobody knows.
inline bool isKnownZone(std::string_view name) {
  name = withoutColon(name);
  std::error_code error;
  return isUtc(name) || posixZone(name) || !std::filesystem::is_directory(zoneFolder(), error) ||
         std::filesystem::is_regular_file(zoneFolder() / name, error);
}
/// Whether it is what clocks in a zone are said to show, like CEST or +0545, and not what a zone is
/// called.
inline bool isAbbreviation(std::string_view name) {
  bool isNumber = name.starts_with('+') || name.starts_with('-');
  if (name.size() < 3 || name.size() > 5)
    return false;
  for (char c : name.substr(isNumber))
    if (isNumber ? c < '0' || c > '9' : (c | 32) < 'a' || (c | 32) > 'z')
      return false;
  return true;
}

} // namespace sluice
