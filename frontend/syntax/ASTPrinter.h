//===- ASTPrinter.h - the syntax tree as s-expressions ----------*- C++ -*-===//
//
// For `--emit=ast` and tests. One declaration, clause item or statement a
// line, indented; types and expressions inline.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/AST.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice {

void printAST(const ast::Unit &unit, llvm::raw_ostream &os);
void printAST(const ast::Expr &expr, llvm::raw_ostream &os);
void printAST(const ast::TypeNode &type, llvm::raw_ostream &os);

} // namespace sluice
