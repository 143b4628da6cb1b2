//===- parse.cpp - fuzzing the parser ---------------------------*- C++ -*-===//
//
// Whatever the bytes: a tree that prints, or problems with ranges inside the
// text; never both, never neither. The size chooses the kind of file, so that programs
// are inputs as they stand.
//
//===----------------------------------------------------------------------===//
#include "frontend/syntax/ASTPrinter.h"
#include "frontend/syntax/antlr/SyntaxTree.h"
#include <cstdlib>

using namespace sluice;

static void checkProblems(const Problems &problems, size_t size) {
  for (const Problem &problem : problems) {
    // A missing token is reported behind the one before it.
    if (problem.range.begin > size || problem.range.end > size + 1)
      abort();
    checkProblems(problem.notes, size);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  ASTContext context;
  Problems problems;
  ast::Unit *unit = readUnit(context, text, /*file=*/1, size & 1, problems);
  if ((unit == nullptr) == problems.empty())
    abort();
  checkProblems(problems, text.size());
  if (unit)
    printAST(*unit, llvm::nulls());
  return 0;
}
