//===- Library.cpp - libpq, found when it is needed -----------------------===//
#include "toolkits/jdbc/native/Library.h"

namespace sluice::jdbc {

const Library *library(std::string &missing) {
  static Library lib;
  static const std::string wrong =
      loadForeign({"libpq.so.5"}, "libpq5", {SLUICE_PQ(SLUICE_FOREIGN_ENTRY)});
  missing = wrong;
  return wrong.empty() ? &lib : nullptr;
}

} // namespace sluice::jdbc
