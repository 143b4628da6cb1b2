//===- DiagnosticPrinter.h - diagnostics as text ----------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"

namespace sluice {

/// Prints every diagnostic of the context to `os` as clang does; colours when
/// `os` is a terminal. Alive as long as the object.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(Diagnostics &, llvm::raw_ostream &os);
  ~DiagnosticPrinter();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sluice
