//===- Brackets.h - brackets that do not match -------------------*- C++ -*-===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/syntax/antlr/SyntaxTree.h"

namespace sluice::grammar {

/// A bracket that is missing, one too many or of the wrong kind.
struct BracketSlip {
  Problem problem;
  uint32_t begin, end; // the bytes of the tokens between which it shows
};

/// The brackets of a file in which they do not match, and its tokens with brackets that do.
struct BracketRepair {
  std::vector<BracketSlip> slips; // none if the brackets match, or nothing tells where they do not
  std::vector<std::unique_ptr<antlr4::Token>> tokens;
};

BracketRepair repairBrackets(antlr4::CommonTokenStream &, llvm::StringRef text, uint32_t file);

} // namespace sluice::grammar
