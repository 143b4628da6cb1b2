//===- Stmt.cpp - walks over typed statements -----------------------------===//

#include "frontend/sema/typed/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::typed;

bool typed::anyPart(const Stmt &s, llvm::function_ref<bool(const Expr &)> expr,
                    llvm::function_ref<bool(const Stmt &)> stmt) {
  auto inExpr = [&](const ExprPtr &e) { return e && expr(*e); };
  auto inStmt = [&](const StmtPtr &part) { return part && stmt(*part); };
  switch (s.kind) {
  case StmtKind::Decl:
    return inExpr(llvm::cast<DeclStmt>(s).init);
  case StmtKind::Expr:
    return inExpr(llvm::cast<ExprStmt>(s).expr);
  case StmtKind::Block:
    return llvm::any_of(llvm::cast<BlockStmt>(s).body, inStmt);
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(s);
    return inExpr(branch.condition) || inStmt(branch.then) || inStmt(branch.otherwise);
  }
  case StmtKind::While:
  case StmtKind::For: {
    auto &loop = llvm::cast<LoopStmt>(s);
    return inExpr(loop.expr) || inStmt(loop.body);
  }
  case StmtKind::Break:
  case StmtKind::Continue:
    return false;
  case StmtKind::Return:
    return inExpr(llvm::cast<ReturnStmt>(s).value);
  }
  llvm_unreachable("all kinds of statements are covered");
}

bool typed::anyExpr(const Stmt &s, llvm::function_ref<bool(const Expr &)> visit) {
  return anyPart(
      s, [&](const Expr &e) { return anyExpr(e, visit); },
      [&](const Stmt &part) { return anyExpr(part, visit); });
}
