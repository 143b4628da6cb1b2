//===- Foreign.cpp - C libraries, loaded when they are needed -------------===//
#include "stdlib/native/connect/Foreign.h"
#include <cstring>
#include <dlfcn.h>

std::string sluice::loadForeign(std::initializer_list<const char *> files, const char *package,
                                std::initializer_list<ForeignFunction> functions) {
  void *library = nullptr;
  const char *const *file = files.begin();
  for (; file != files.end() && !library; ++file)
    library = dlopen(*file, RTLD_NOW | RTLD_LOCAL);
  std::string install = std::string("apt install ") + package;
  if (!library)
    return std::string(*files.begin()) + " is missing: " + install;
  for (auto [name, place] : functions) {
    void *found = dlsym(library, name);
    if (!found)
      return std::string(file[-1]) + " is too old, it has no " + name + ": " + install;
    memcpy(place, &found, sizeof found);
  }
  return "";
}
