//===- Problem.h - a diagnostic that is not reported yet ---------*- C++ -*-===//
#pragma once
#include "frontend/diagnostics/DiagIds.h"
#include "frontend/syntax/AST.h"

namespace sluice {

struct Problem {
  Range range;
  Diag id;
  std::vector<std::string> args; // at most two
  std::vector<Problem> notes;
};
using Problems = std::vector<Problem>;

} // namespace sluice
