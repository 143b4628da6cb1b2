//===- Icu.cpp - ICU, found when it is first needed -----------------------===//
#include "stdlib/native/unicode/Icu.h"
#include <dlfcn.h>
#include <string>

using namespace sluice;

/// Releases that are looked for, the newest first.
static constexpr int kNewest = 90, kOldest = 60;

static bool findAll(Icu &found, void *common, void *international, const std::string &suffix) {
  auto find = [&](const char *name) {
    std::string symbol = name + suffix;
    void *function = dlsym(common, symbol.c_str());
    return function ? function : dlsym(international, symbol.c_str());
  };
  bool whole = true;
#define F(name, result, parameters)                                                                \
  found.name = reinterpret_cast<decltype(found.name)>(find(#name));                                \
  whole &= found.name != nullptr;
  SLUICE_ICU_FUNCTIONS(F)
#undef F
  return whole;
}

static const Icu *load() {
  static Icu found;
  for (int release = kNewest; release >= kOldest; --release) {
    std::string number = std::to_string(release);
    void *common = dlopen(("libicuuc.so." + number).c_str(), RTLD_NOW | RTLD_LOCAL);
    void *international =
        common ? dlopen(("libicui18n.so." + number).c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (international && findAll(found, common, international, "_" + number))
      return &found;
  }
  return nullptr;
}

const Icu *sluice::icu() {
  static const Icu *found = load();
  return found;
}
