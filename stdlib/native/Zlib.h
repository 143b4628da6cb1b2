//===- Zlib.h - zlib, found when it is first needed -------------*- C++ -*-===//
//
// Loaded at run time: programs that compress nothing need no zlib, and programs
// for other targets link without that target's copy of it.
//
//===----------------------------------------------------------------------===//
#pragma once
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

/// Null if this system has no libz.so.1.
const Zlib *zlib();

} // namespace sluice
