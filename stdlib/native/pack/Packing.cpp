//===- Packing.cpp - the kinds of compression -----------------------------===//
#include "stdlib/native/pack/Packing.h"
#include "stdlib/native/pack/Libraries.h"

namespace sluice {

Packing packingOf(std::string_view name) {
  return name == "zlib"    ? Packing::Zlib
         : name == "gzip"  ? Packing::Gzip
         : name == "bzip2" ? Packing::Bzip2
                           : Packing::None;
}

const char *missingLibrary(Packing packing) {
  switch (packing) {
  case Packing::None:
    return nullptr;
  case Packing::Zlib:
  case Packing::Gzip:
    return zlib() ? nullptr : "libz.so.1 (Debian's package zlib1g)";
  case Packing::Bzip2:
    return bzip2() ? nullptr : "libbz2.so.1.0 (Debian's package libbz2-1.0)";
  }
  return nullptr;
}

} // namespace sluice
