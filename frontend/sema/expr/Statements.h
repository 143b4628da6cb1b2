//===- Statements.h - checks of statements -------------------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Statements, and the variables that they declare.
class Statements : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  StmtPtr stmt(const ast::Stmt *);
  StmtPtr blockIn(const ast::Block *, Scope &inner);
  /// Enters a variable into the scope; false after reporting a redefinition.
  bool declare(typed::Variable *);
  ExprPtr voidUsed(const typed::Expr &);
  /// Whether it was reported that the name, which means nothing, is nearly `break` or the like.
  bool isMisspeltJump(const ast::NameExpr &);

private:
  StmtPtr decl(const ast::DeclStmt *);
  StmtPtr forLoop(const ast::ForStmt *);
  void noCollection(const typed::Expr &);
  ExprPtr loopCollection(const ast::ForStmt *, Type &declared);
  StmtPtr jump(const ast::JumpStmt *);
  StmtPtr returns(const ast::JumpStmt *);
  void returnsInVoid(const ast::JumpStmt *);
  StmtPtr body(const ast::Stmt *); // of an if or a loop
  void alias(const ast::TypeAlias &);
};

} // namespace sluice::sema
