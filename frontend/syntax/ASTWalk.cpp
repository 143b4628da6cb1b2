//===- ASTWalk.cpp - the expressions of a tree -----------------------------===//
#include "frontend/syntax/ASTWalk.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace sluice;
using namespace sluice::ast;

void ast::visitExprs(const Expr *e, ExprVisitor visit) {
  if (!e || !visit(*e))
    return;
  auto all = [&](llvm::ArrayRef<Expr *> parts) {
    for (const Expr *part : parts)
      visitExprs(part, visit);
  };
  llvm::TypeSwitch<const Expr *>(e)
      .Case<ListExpr>([&](auto *x) { all(x->elements); })
      .Case<BraceExpr>([&](auto *x) {
        for (const BraceExpr::Entry &entry : x->entries)
          all({entry.key, entry.value});
      })
      .Case<CallExpr>([&](auto *x) {
        visitExprs(x->callee, visit);
        all(x->args);
      })
      .Case<MemberExpr>([&](auto *x) { visitExprs(x->base, visit); })
      .Case<SubscriptExpr>([&](auto *x) { all({x->base, x->index}); })
      .Case<SliceExpr>([&](auto *x) { all({x->base, x->lo, x->hi}); })
      .Case<UnaryExpr, PostfixExpr, CastExpr>([&](auto *x) { visitExprs(x->operand, visit); })
      .Case<BinaryExpr, AssignExpr, OrElseExpr>([&](auto *x) { all({x->lhs, x->rhs}); })
      .Case<ConditionalExpr>([&](auto *x) { all({x->cond, x->then, x->otherwise}); })
      .Case<ParenExpr>([&](auto *x) { visitExprs(x->inner, visit); });
}

void ast::visitExprs(const Stmt *stmt, ExprVisitor visit) {
  if (!stmt)
    return;
  llvm::TypeSwitch<const Stmt *>(stmt)
      .Case<DeclStmt>([&](auto *s) {
        for (const Declarator &declarator : s->declarators)
          visitExprs(declarator.init, visit);
      })
      .Case<Block>([&](auto *s) {
        for (const Stmt *inner : s->body)
          visitExprs(inner, visit);
      })
      .Case<IfStmt>([&](auto *s) {
        visitExprs(s->cond, visit);
        visitExprs(s->then, visit);
        visitExprs(s->otherwise, visit);
      })
      .Case<ForStmt>([&](auto *s) {
        visitExprs(s->collection, visit);
        visitExprs(s->body, visit);
      })
      .Case<WhileStmt>([&](auto *s) {
        visitExprs(s->cond, visit);
        visitExprs(s->body, visit);
      })
      .Case<JumpStmt>([&](auto *s) { visitExprs(s->value, visit); })
      .Case<ExprStmt>([&](auto *s) { visitExprs(s->expr, visit); });
}

void ast::visitExprs(const Invocation &invocation, ExprVisitor visit) {
  auto all = [&](llvm::ArrayRef<Expr *> parts) {
    for (const Expr *part : parts)
      visitExprs(part, visit);
  };
  for (const LogicItem &item : invocation.logic) {
    for (const DeclStmt *state : item.states)
      visitExprs(static_cast<const Stmt *>(state), visit);
    visitExprs(item.body, visit);
  }
  for (const Setting &window : invocation.window)
    all(window.values);
  for (const ParamItem &param : invocation.params)
    all(param.value.values);
  for (const OutputItem &item : invocation.outputClause)
    for (const OutputItem::Assignment &assignment : item.assignments)
      visitExprs(assignment.value, visit);
  for (const Setting &config : invocation.config)
    all(config.values);
}
