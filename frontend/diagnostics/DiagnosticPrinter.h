//===- DiagnosticPrinter.h - diagnostics as text ----------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"

namespace sluice {

/// Prints every diagnostic of the context to `os` as clang does; colours when
/// `os` is a terminal. Alive as long as the object.
class DiagnosticPrinter {
public:
  /// Behind `errorLimit` errors it prints nothing more, and at the end how many there were; 0: no
  /// limit.
  DiagnosticPrinter(Diagnostics &, llvm::raw_ostream &os, unsigned errorLimit = 0);
  ~DiagnosticPrinter();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sluice
