//===- Library.cpp - librdkafka, found when it is needed ------------------===//
#include "toolkits/kafka/native/Library.h"

namespace sluice::kafka {

const Library *library(std::string &missing) {
  static Library lib;
  static const std::string wrong =
      loadForeign({"librdkafka.so.1"}, "librdkafka1", {SLUICE_RDKAFKA(SLUICE_FOREIGN_ENTRY)});
  missing = wrong;
  return wrong.empty() ? &lib : nullptr;
}

} // namespace sluice::kafka
