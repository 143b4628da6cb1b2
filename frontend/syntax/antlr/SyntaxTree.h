//===- SyntaxTree.h - text to AST, without ANTLR in sight -------*- C++ -*-===//
//
// The border between the compiler and ANTLR: no exception and no ANTLR type
// crosses it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/DiagIds.h"
#include "frontend/syntax/AST.h"

namespace sluice {

/// A diagnostic that has yet to be reported.
struct Problem {
  Range range;
  Diag id;
  std::vector<std::string> args;
  std::vector<Problem> notes;
};
using Problems = std::vector<Problem>;

/// Parses `text`. Null if there are problems. Nodes refer to `text`.
ast::Unit *readUnit(ASTContext &context, llvm::StringRef text, uint32_t file, bool toolkitFile,
                    Problems &problems);

} // namespace sluice
