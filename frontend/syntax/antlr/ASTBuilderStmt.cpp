//===- ASTBuilderStmt.cpp - statements -------------------------------------===//
#include "frontend/syntax/antlr/ASTBuilder.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"

using namespace sluice;
using namespace sluice::grammar;
using ast::StmtKind;

ast::Block *StmtBuilder::block(P::BlockContext *node) {
  auto *block = makeStmt<ast::Block>(StmtKind::Block);
  block->range = range(node);
  for (P::BlockItemContext *item : node->blockItem()) {
    Children c(item);
    if (auto *stmt = c.rule<P::StatementContext>()) {
      block->body.push_back(statement(stmt));
      continue;
    }
    auto *alias = makeStmt<ast::AliasStmt>(StmtKind::Alias);
    alias->range = range(item);
    alias->alias = TypeBuilder(*this).typeAlias(c.rule<P::TypeAliasContext>());
    block->body.push_back(alias);
  }
  return block;
}

ast::Stmt *StmtBuilder::statement(P::StatementContext *node) {
  Children c(node);
  ast::Stmt *stmt;
  if (auto *inner = c.rule<P::BlockContext>())
    stmt = block(inner);
  else if (auto *decl = c.rule<P::LocalDeclContext>())
    stmt = localDecl(decl);
  else if (auto *e = c.rule<P::ExprContext>())
    stmt = exprStatement(e);
  else if (c.take(P::IF))
    stmt = ifStatement(c);
  else if (c.take(P::FOR))
    stmt = forStatement(c);
  else if (c.take(P::WHILE))
    stmt = whileStatement(c);
  else if (c.take(P::BREAK))
    stmt = jump(c, StmtKind::Break);
  else if (c.take(P::CONTINUE))
    stmt = jump(c, StmtKind::Continue);
  else {
    c.take(P::RETURN);
    stmt = jump(c, StmtKind::Return);
  }
  stmt->range = range(node);
  return stmt;
}

ast::Stmt *StmtBuilder::ifStatement(Children &c) {
  auto *stmt = makeStmt<ast::IfStmt>(StmtKind::If);
  stmt->cond = ExprBuilder(*this).expr(c.find<P::ExprContext>());
  stmt->then = statement(c.find<P::StatementContext>());
  stmt->otherwise = c.take(P::ELSE) ? statement(c.rule<P::StatementContext>()) : nullptr;
  return stmt;
}

ast::Stmt *StmtBuilder::forStatement(Children &c) {
  auto *stmt = makeStmt<ast::ForStmt>(StmtKind::For);
  stmt->type = TypeBuilder(*this).type(c.find<P::TypeContext>());
  stmt->name = ident(c.token());
  stmt->collection = ExprBuilder(*this).expr(c.find<P::ExprContext>());
  stmt->body = statement(c.find<P::StatementContext>());
  return stmt;
}

ast::Stmt *StmtBuilder::whileStatement(Children &c) {
  auto *stmt = makeStmt<ast::WhileStmt>(StmtKind::While);
  stmt->cond = ExprBuilder(*this).expr(c.find<P::ExprContext>());
  stmt->body = statement(c.find<P::StatementContext>());
  return stmt;
}

ast::Stmt *StmtBuilder::jump(Children &c, StmtKind kind) {
  auto *stmt = makeStmt<ast::JumpStmt>(kind);
  if (auto *value = c.rule<P::ExprContext>())
    stmt->value = ExprBuilder(*this).expr(value);
  return stmt;
}

/// `List<Integer> s;` and `List<Integer> s = [];`, which read as two comparisons.
void StmtBuilder::refuseForeignDecl(const ast::Expr *e) {
  if (auto *assign = llvm::dyn_cast<ast::AssignExpr>(e))
    e = assign->lhs;
  auto *greater = llvm::dyn_cast<ast::BinaryExpr>(e);
  auto *less = greater ? llvm::dyn_cast<ast::BinaryExpr>(greater->lhs) : nullptr;
  auto *name = less ? llvm::dyn_cast<ast::NameExpr>(less->lhs) : nullptr;
  const char *instead =
      name && less->op == ast::BinaryOp::Lt ? genericType(name->name.text) : nullptr;
  if (instead)
    error(name->range, Diag::err_foreign, {name->name.text.str(), instead});
}

ast::Stmt *StmtBuilder::exprStatement(P::ExprContext *node) {
  auto *stmt = makeStmt<ast::ExprStmt>(StmtKind::Expr);
  stmt->expr = ExprBuilder(*this).expr(node);
  refuseForeignDecl(stmt->expr);
  return stmt;
}

ast::DeclStmt *StmtBuilder::localDecl(P::LocalDeclContext *node) {
  Children c(node);
  auto *decl = makeStmt<ast::DeclStmt>(StmtKind::Decl);
  decl->range = range(node);
  decl->isMutable = c.take(P::MUTABLE);
  decl->type = TypeBuilder(*this).type(c.rule<P::TypeContext>());
  for (P::DeclaratorContext *item : node->declarator())
    decl->declarators.push_back({ident(item->ID()->getSymbol()),
                                 item->expr() ? ExprBuilder(*this).expr(item->expr()) : nullptr});
  return decl;
}
