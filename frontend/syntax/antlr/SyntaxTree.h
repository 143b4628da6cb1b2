//===- SyntaxTree.h - from text to the AST -----------------------*- C++ -*-===//
//
// This header hides ANTLR: no exception and no type of ANTLR leaves the code behind it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/diagnostics/Problem.h"

namespace sluice {

/// Parses `text`. Null if there are problems. Nodes refer to `text`.
ast::Unit *readUnit(ASTContext &context, llvm::StringRef text, uint32_t file, bool toolkitFile,
                    Problems &problems);

} // namespace sluice
