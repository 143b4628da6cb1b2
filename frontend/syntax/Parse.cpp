//===- Parse.cpp - one file to its AST -------------------------------------===//
#include "frontend/Frontend.h"
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/syntax/antlr/SyntaxTree.h"

using namespace sluice;

ast::Unit *sluice::parse(ASTContext &context, const Diagnostics &diagnostics, uint32_t file,
                         bool toolkitFile, Problems &problems, const RoleNames &roles) {
  ast::Unit *unit = readUnit(context, diagnostics.text(file), file, toolkitFile, problems);
  for (Problem &problem : problems)
    if (problem.id == Diag::err_foreign || problem.id == Diag::err_counting_loop)
      problem.args.back() = withNames(problem.args.back(), [&](llvm::StringRef role) {
        return roles ? roles(role) : role.str();
      });
  llvm::sort(problems, [](const Problem &a, const Problem &b) {
    return std::tie(a.range.begin, a.id) < std::tie(b.range.begin, b.id);
  });
  return unit;
}

ast::Unit *sluice::parse(ASTContext &context, Diagnostics &diagnostics, uint32_t file,
                         bool toolkitFile, const RoleNames &roles) {
  Problems problems;
  ast::Unit *unit = parse(context, diagnostics, file, toolkitFile, problems, roles);
  for (const Problem &problem : problems)
    diagnostics.report(problem);
  return unit;
}
