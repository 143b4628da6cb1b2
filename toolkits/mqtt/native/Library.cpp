//===- Library.cpp - libmosquitto, found when it is needed ----------------===//
#include "toolkits/mqtt/native/Library.h"

namespace sluice::mqtt {

static std::string load(Library &lib) {
  std::string wrong =
      loadForeign({"libmosquitto.so.1"}, "libmosquitto1", {SLUICE_MOSQUITTO(SLUICE_FOREIGN_ENTRY)});
  if (wrong.empty() && lib.mosquitto_lib_init() != MOSQ_ERR_SUCCESS)
    wrong = "libmosquitto cannot begin";
  return wrong;
}

const Library *library(std::string &missing) {
  static Library lib;
  static const std::string wrong = load(lib);
  missing = wrong;
  return wrong.empty() ? &lib : nullptr;
}

} // namespace sluice::mqtt
