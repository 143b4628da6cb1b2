//===- Warnings.h - what is legal and hardly meant -----------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Warnings about single expressions.
class Warnings : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  /// Naming the place was no read of its variable: it is only written.
  void isOnlyWritten(const typed::Expr &place);
  void warnNoEffect(const ast::Expr *, const typed::Expr &);
  void warnResultUnused(const ast::Expr *, const typed::Expr &);
  void warnFractionDropped(const ast::Expr *, const typed::Expr &value, Type want);
  void warnTextConverted(const ast::Expr *, Type have, Type want);
  void warnKeyTwice(llvm::ArrayRef<ExprPtr> keys);
  void warnSelfAssign(const ast::AssignExpr *);
  void warnPower(const ast::BinaryExpr *);
  void warnComparison(const ast::BinaryExpr *, const typed::Expr &lhs, const typed::Expr &rhs);
  /// Divisors and shifts that cannot be meant.
  void warnOperands(typed::BinaryOperator, Range, const typed::Expr &lhs, const typed::Expr &rhs);

private:
  void warnResultTruncated(const typed::Expr &call, Type want);
};

} // namespace sluice::sema
