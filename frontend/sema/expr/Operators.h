//===- Operators.h - checks of operators and assignments -----------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Whether a value of `type` becomes one of the type `optional` by itself.
bool isLiftedTo(Type type, Type optional);

/// Operators, assignments and values that may be absent.
class Operators : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  ExprPtr unary(const ast::UnaryExpr *);
  ExprPtr postfix(const ast::PostfixExpr *);
  ExprPtr binary(const ast::BinaryExpr *);
  ExprPtr assign(const ast::AssignExpr *);
  /// Whether `e` may be written here. Reports if not, and records writes to the current tuple.
  bool writable(const typed::Expr &e, Range, Diag immutable);
  ExprPtr null(Range, Type hint);
  ExprPtr orElse(const ast::OrElseExpr *);
  /// The type with null among its values.
  Type nullable(Type);
  /// The value as one of type `to` if it becomes one by itself, else as it is.
  ExprPtr lifted(ExprPtr, Type to);

private:
  bool isForeignOutput(const ast::Expr *e);
  ExprPtr logical(const ast::BinaryExpr *);
  ExprPtr combine(const ast::BinaryExpr *, ast::BinaryOp, ExprPtr lhs, ExprPtr rhs);
  ExprPtr membership(const ast::BinaryExpr *);
  bool operands(const ast::Expr *l, const ast::Expr *r, ExprPtr &lhs, ExprPtr &rhs);
  /// The type of `l op r`, or null if there is no such operator. Sets `lift`.
  Type operatorType(ast::BinaryOp, bool dotted, Type l, Type r, typed::Lift &lift);
  Type scalarOperatorType(ast::BinaryOp, Type l, Type r);
  void badOperands(Range, llvm::StringRef spelling, ast::BinaryOp, const typed::Expr &l,
                   const typed::Expr &r, const ast::Expr *lhs, const ast::Expr *rhs);
  bool noteAppend(mlir::InFlightDiagnostic &, Range range, llvm::StringRef spelling,
                  const typed::Expr &l, const typed::Expr &r);
  bool noteOtherOperator(mlir::InFlightDiagnostic &, Range range, ast::BinaryOp,
                         const typed::Expr &l, const typed::Expr &r);
  void noteOperandConversion(mlir::InFlightDiagnostic &, ast::BinaryOp, const typed::Expr &l,
                             const typed::Expr &r);
  ExprPtr target(const ast::Expr *);
  ExprPtr incDec(const ast::Expr *operand, Range, bool prefix, bool decrement);
  ExprPtr optional(const ast::Expr *, llvm::StringRef op);
  bool noteComparedAgain(mlir::InFlightDiagnostic &, const ast::BinaryExpr *);
};

} // namespace sluice::sema
