//===- Parsing.h - parse a text in a test -----------------------*- C++ -*-===//
#pragma once
#include "frontend/Frontend.h"
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "frontend/syntax/ASTPrinter.h"

/// What parsing a text gives: the printed tree, or the printed diagnostics.
struct Parsed {
  explicit Parsed(llvm::StringRef text, bool toolkitFile = false, llvm::StringRef name = "test.spl")
      : diagnostics(&context), printer(diagnostics, errorStream) {
    file = diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy(text, name));
    unit = sluice::parse(ast, diagnostics, file, toolkitFile);
    if (unit)
      sluice::printAST(*unit, treeStream);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  sluice::ASTContext ast;
  sluice::Diagnostics diagnostics;
  std::string tree, errors;
  llvm::raw_string_ostream treeStream{tree}, errorStream{errors};
  sluice::DiagnosticPrinter printer;
  uint32_t file;
  sluice::ast::Unit *unit;
};
