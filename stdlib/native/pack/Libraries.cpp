//===- Libraries.cpp - zlib and libbz2, found when they are needed --------===//
#include "stdlib/native/pack/Libraries.h"
#include <dlfcn.h>
#include <initializer_list>

using namespace sluice;

/// The first of the libraries that is there, or null.
static void *open(std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

template <typename F> static bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

static const Zlib *loadZlib() {
  static Zlib z;
  void *library = open({"libz.so.1"});
  bool whole = library && find(library, "inflateInit2_", z.inflateBegin) &&
               find(library, "inflateReset", z.inflateReset) &&
               find(library, "inflate", z.inflate) && find(library, "inflateEnd", z.inflateEnd) &&
               find(library, "deflateInit2_", z.deflateBegin) &&
               find(library, "deflate", z.deflate) && find(library, "deflateEnd", z.deflateEnd);
  return whole ? &z : nullptr;
}

static const Bzip2 *loadBzip2() {
  static Bzip2 z;
  void *library = open({"libbz2.so.1.0", "libbz2.so.1"}); // Debian's name, and that of others
  bool whole = library && find(library, "BZ2_bzDecompressInit", z.unpackBegin) &&
               find(library, "BZ2_bzDecompress", z.unpack) &&
               find(library, "BZ2_bzDecompressEnd", z.unpackEnd) &&
               find(library, "BZ2_bzCompressInit", z.packBegin) &&
               find(library, "BZ2_bzCompress", z.pack) &&
               find(library, "BZ2_bzCompressEnd", z.packEnd);
  return whole ? &z : nullptr;
}

const Zlib *sluice::zlib() {
  static const Zlib *found = loadZlib();
  return found;
}
const Bzip2 *sluice::bzip2() {
  static const Bzip2 *found = loadBzip2();
  return found;
}
