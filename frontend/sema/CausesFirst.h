//===- CausesFirst.h - the order of errors -----------------------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/Diagnostics.h"
#include <vector>

namespace sluice::sema {

/// Holds back what is reported as long as it lives. Then it hands on first the causes of other
/// errors (markCause), then what is about the file `own`, the program, then the rest. What is
/// doubtful because of a file that turned out to be a cause (markDoubtful) is dropped.
class CausesFirst {
public:
  CausesFirst(Diagnostics &, uint32_t own);
  ~CausesFirst();

private:
  enum Rank { Cause, Own, Other };
  struct Held {
    Rank rank;
    mlir::Diagnostic diagnostic;
  };
  mlir::DiagnosticEngine &engine;
  mlir::DiagnosticEngine::HandlerID id;
  std::vector<Held> held;
};

} // namespace sluice::sema
