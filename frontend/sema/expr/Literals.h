//===- Literals.h - checks of literals -----------------------------*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Literals, and the types that those of collections and tuples get from what stands around them.
class Literals : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  ExprPtr number(const ast::LiteralExpr *, bool negative, Range);
  ExprPtr hex(const ast::LiteralExpr *);
  ExprPtr string(const ast::LiteralExpr *);
  ExprPtr xml(const ast::LiteralExpr *);
  ExprPtr list(const ast::ListExpr *, Type hint, bool init);
  ExprPtr brace(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr emptyLiteral(const ast::Expr *, Type hint);

private:
  ExprPtr decimalNumber(llvm::StringRef digits, char width, bool negative, Range range);
  ExprPtr tupleLiteral(const ast::BraceExpr *, Type hint, bool init);
  ExprPtr mapLiteral(const ast::BraceExpr *, Type hint, bool init);
  /// Reports a literal of another kind where the type of the context is a tuple.
  std::nullptr_t noTuple(Range, Type tuple, llvm::StringRef what,
                         llvm::ArrayRef<const ast::Expr *> names,
                         llvm::ArrayRef<const ast::Expr *> values);
  bool elements(llvm::ArrayRef<const ast::Expr *>, Type hint, bool init, llvm::StringRef what,
                std::vector<ExprPtr> &out, Type &elem);
  bool isMeantAsTuple(llvm::ArrayRef<const ast::Expr *> keys);
  void noteWiderInteger(mlir::InFlightDiagnostic &, llvm::StringRef digits, bool negative, Type,
                        Range);
};

} // namespace sluice::sema
