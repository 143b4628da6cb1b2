//===- Libraries.h - zlib and libbz2, found when they are needed -*- C++ -*-===//
//
// Loaded at run time: programs that compress nothing need neither, and programs
// for other targets link without that target's copy of them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <bzlib.h>
#include <zlib.h>

namespace sluice {

struct Zlib {
  decltype(&::inflateInit2_) inflateBegin;
  decltype(&::inflateReset) inflateReset;
  decltype(&::inflate) inflate;
  decltype(&::inflateEnd) inflateEnd;
  decltype(&::deflateInit2_) deflateBegin;
  decltype(&::deflate) deflate;
  decltype(&::deflateEnd) deflateEnd;
};

struct Bzip2 {
  decltype(&::BZ2_bzDecompressInit) unpackBegin;
  decltype(&::BZ2_bzDecompress) unpack;
  decltype(&::BZ2_bzDecompressEnd) unpackEnd;
  decltype(&::BZ2_bzCompressInit) packBegin;
  decltype(&::BZ2_bzCompress) pack;
  decltype(&::BZ2_bzCompressEnd) packEnd;
};

/// Null if this system has no libz.so.1; no libbz2.so.1.0.
const Zlib *zlib();
const Bzip2 *bzip2();

} // namespace sluice
