//===- DiagnosticPrinter.h - diagnostics as text ----------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"

namespace sluice {

/// How many errors are printed, by one printer or by several in turn. The end of the object says
/// how many were not.
class ErrorLimit {
public:
  /// `most` errors; 0: no limit.
  ErrorLimit(llvm::raw_ostream &os, unsigned most) : os(os), most(most) {}
  ~ErrorLimit();
  /// Counts an error, or what comes behind it. False: it is not to be printed.
  bool take(bool isError);

private:
  llvm::raw_ostream &os;
  const unsigned most;
  unsigned errors = 0; // so far
};

/// Prints every diagnostic of the context to `os` as clang does; colours when
/// `os` is a terminal. Alive as long as the object.
class DiagnosticPrinter {
public:
  DiagnosticPrinter(Diagnostics &, llvm::raw_ostream &os, std::shared_ptr<ErrorLimit>);
  /// Behind `errorLimit` errors it prints nothing more; 0: no limit.
  DiagnosticPrinter(Diagnostics &, llvm::raw_ostream &os, unsigned errorLimit = 0);
  ~DiagnosticPrinter();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sluice
