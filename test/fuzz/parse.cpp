//===- parse.cpp - fuzzing the parser ---------------------------*- C++ -*-===//
//
// Whatever the bytes: a tree that prints, or problems with ranges inside the
// text; never both, never neither. The first byte chooses the kind of file.
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
  if (size == 0)
    return 0;
  llvm::StringRef text(reinterpret_cast<const char *>(data) + 1, size - 1);
  ASTContext context;
  Problems problems;
  ast::Unit *unit = readUnit(context, text, /*file=*/1, data[0] & 1, problems);
  if ((unit == nullptr) == problems.empty())
    abort();
  checkProblems(problems, text.size());
  if (unit)
    printAST(*unit, llvm::nulls());
  return 0;
}
