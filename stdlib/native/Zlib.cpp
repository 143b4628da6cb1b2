//===- Zlib.cpp - zlib, found when it is first needed ---------------------===//
#include "stdlib/native/Zlib.h"
#include <dlfcn.h>

using namespace sluice;

template <typename F> static bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

static const Zlib *load() {
  static Zlib z;
  void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  bool whole = library && find(library, "inflateInit2_", z.inflateBegin) &&
               find(library, "inflateReset", z.inflateReset) &&
               find(library, "inflate", z.inflate) && find(library, "inflateEnd", z.inflateEnd) &&
               find(library, "deflateInit2_", z.deflateBegin) &&
               find(library, "deflate", z.deflate) && find(library, "deflateEnd", z.deflateEnd);
  return whole ? &z : nullptr;
}

const Zlib *sluice::zlib() {
  static const Zlib *found = load();
  return found;
}
