//===- Library.cpp - librdkafka, found when it is needed ------------------===//
#include "toolkits/kafka/native/Library.h"
#include <dlfcn.h>

namespace sluice::kafka {

static const char *load(Library &lib) {
  void *found = dlopen("librdkafka.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!found)
    return "librdkafka.so.1 is missing: apt install librdkafka1";
  struct {
    const char *name;
    void **place;
  } functions[] = {
#define SLUICE_RDKAFKA_ENTRY(name) {#name, reinterpret_cast<void **>(&lib.name)},
      SLUICE_RDKAFKA(SLUICE_RDKAFKA_ENTRY)
#undef SLUICE_RDKAFKA_ENTRY
  };
  for (auto [name, place] : functions)
    if (!(*place = dlsym(found, name)))
      return "librdkafka.so.1 is too old: version 1.8 or later is needed";
  return nullptr;
}

const Library *library(const char *&missing) {
  static Library lib;
  static const char *const wrong = load(lib);
  missing = wrong;
  return wrong ? nullptr : &lib;
}

} // namespace sluice::kafka
