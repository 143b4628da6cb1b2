//===- Libraries.cpp - zlib and libbz2, found when they are needed --------===//
#include "stdlib/native/pack/Libraries.h"
#include "stdlib/native/connect/Foreign.h"

using namespace sluice;

const Zlib *sluice::zlib() {
  static Zlib z;
  static const bool isThere = loadForeign({"libz.so.1"}, "zlib1g",
                                          {{"inflateInit2_", &z.inflateBegin},
                                           {"inflateReset", &z.inflateReset},
                                           {"inflate", &z.inflate},
                                           {"inflateEnd", &z.inflateEnd},
                                           {"deflateInit2_", &z.deflateBegin},
                                           {"deflate", &z.deflate},
                                           {"deflateEnd", &z.deflateEnd}})
                                  .empty();
  return isThere ? &z : nullptr;
}

const Bzip2 *sluice::bzip2() {
  static Bzip2 z;
  // Debian's name, and that of others.
  static const bool isThere = loadForeign({"libbz2.so.1.0", "libbz2.so.1"}, "libbz2-1.0",
                                          {{"BZ2_bzDecompressInit", &z.unpackBegin},
                                           {"BZ2_bzDecompress", &z.unpack},
                                           {"BZ2_bzDecompressEnd", &z.unpackEnd},
                                           {"BZ2_bzCompressInit", &z.packBegin},
                                           {"BZ2_bzCompress", &z.pack},
                                           {"BZ2_bzCompressEnd", &z.packEnd}})
                                  .empty();
  return isThere ? &z : nullptr;
}
