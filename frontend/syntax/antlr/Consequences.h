//===- Consequences.h - errors that follow from others -----------*- C++ -*-===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/syntax/antlr/SyntaxTree.h"

namespace sluice::grammar {

/// Removes syntax errors of the file that may only follow from those before them. Those below
/// `first` are of tokens, and stay.
void dropConsequences(antlr4::CommonTokenStream &, llvm::StringRef text, uint32_t file,
                      Problems &problems, size_t first);

} // namespace sluice::grammar
