//===- JsonDiagnostics.h - diagnostics for programs -------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"

namespace sluice {

/// Prints every diagnostic of the context to `os` as an object of JSON on a line of its own, for
/// editors and scripts:
///
///   {"severity":"error","code":"SL0123","message":"..","file":"..","line":1,"column":2,
///    "endLine":1,"endColumn":5,"notes":[{"message":"..","file":".."}]}
///
/// Lines and columns count from 1, columns in bytes; the end is behind the last byte. What belongs
/// to no place in a file has none of the five, and a message of a pass has no code. Alive as long
/// as the object.
class JsonDiagnostics {
public:
  JsonDiagnostics(Diagnostics &, llvm::raw_ostream &os);
  ~JsonDiagnostics();

private:
  Diagnostics &diagnostics;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace sluice
