//===- Parse.cpp - one file to its AST -------------------------------------===//
#include "frontend/Frontend.h"
#include "frontend/syntax/antlr/SyntaxTree.h"

using namespace sluice;

/// Fills `{0}`, `{1}` of a message; formatv wants to know the number.
static mlir::InFlightDiagnostic report(Diagnostics &diagnostics, const Problem &problem) {
  const std::vector<std::string> &args = problem.args;
  switch (args.size()) {
  case 0:
    return diagnostics.report(problem.range, problem.id);
  case 1:
    return diagnostics.report(problem.range, problem.id, args[0]);
  default:
    return diagnostics.report(problem.range, problem.id, args[0], args[1]);
  }
}

ast::Unit *sluice::parse(ASTContext &context, Diagnostics &diagnostics, uint32_t file,
                         bool toolkitFile) {
  Problems problems;
  ast::Unit *unit = readUnit(context, diagnostics.text(file), file, toolkitFile, problems);
  llvm::sort(problems, [](const Problem &a, const Problem &b) {
    return std::tie(a.range.begin, a.id) < std::tie(b.range.begin, b.id);
  });
  for (const Problem &problem : problems) {
    auto diagnostic = report(diagnostics, problem);
    for (const Problem &note : problem.notes)
      diagnostics.note(diagnostic, note.range, note.id, note.args[0]);
  }
  return unit;
}
