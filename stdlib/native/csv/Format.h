//===- Format.h - how tuples stand in files ---------------------*- C++ -*-===//
#pragma once
#include "sluice/kinds.h"
#include <string_view>

namespace sluice {

/// Rows, tuple literals and binary tuples, or the bytes of a single attribute.
enum class Format { Csv, Txt, Bin, Line, Block };

inline Format formatOf(std::string_view name) {
  return name == "txt"     ? Format::Txt
         : name == "bin"   ? Format::Bin
         : name == "line"  ? Format::Line
         : name == "block" ? Format::Block
                           : Format::Csv;
}
inline bool isSingleAttribute(Format format) {
  return format == Format::Line || format == Format::Block;
}
inline Kind attributeKind(Format format) {
  return format == Format::Block ? Kind::Blob : Kind::RString;
}

} // namespace sluice
