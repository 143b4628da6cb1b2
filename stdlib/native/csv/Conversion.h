//===- Conversion.h - the parameters compression and encoding ---*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/pack/Packing.h"
#include <string>

namespace sluice {

/// How the bytes of a file or a connection differ from the text in it.
struct Conversion {
  Packing packing = Packing::None;
  std::string encoding; // of which there is one; empty: the bytes stay as they are

  explicit operator bool() const { return packing != Packing::None || !encoding.empty(); }
  /// Reads the parameters of an operator. 0, or 1 after sl_error.
  int32_t configure(const ParamOp &);
};

} // namespace sluice
