//===- ConversionHints.h - notes on values of another type ---*- C++ -*-===//
#pragma once
#include "frontend/sema/expr/Checker.h"

namespace sluice::sema {

/// Says how a value could be had that has the type that is expected.
class ConversionHints : CheckerPart {
public:
  using CheckerPart::CheckerPart;

  void noteConversion(mlir::InFlightDiagnostic &, const typed::Expr &, Type want);
  void noteMembers(mlir::InFlightDiagnostic &, Range, Type enumeration);
  /// Shows where an attribute is declared that would have to be of type `other`; of many such
  /// errors only the first ones remain.
  void noteAttribute(mlir::InFlightDiagnostic &, Type tuple, const std::string &name, Type other);
  std::nullptr_t negativeIndex(const ast::SubscriptExpr *, Type base, int64_t index);
  /// Notes how the value of an optional is had; false if `e` is not optional.
  void noteElement(mlir::InFlightDiagnostic &, Type type, const ast::MemberExpr &e);
  bool noteUnwrap(mlir::InFlightDiagnostic &, const typed::Expr &e);
  /// Notes what SPL writes for `base.name(argument)`, if that is known.
  void noteMethod(mlir::InFlightDiagnostic &, Range, Type base, llvm::StringRef name,
                  llvm::StringRef baseText, llvm::StringRef argument);
  /// Notes the comparison that a value of another type than boolean may stand for as a condition.
  void noteTruth(mlir::InFlightDiagnostic &, const typed::Expr &e, bool isNegated = false);
  std::string castArgument(const typed::Expr &e, Type want);
  void noteComparison(mlir::InFlightDiagnostic &, const ast::AssignExpr *);
  /// The call that says how many elements the text of a collection or a string has.
  std::string lengthOf(Type, llvm::StringRef text);

private:
  /// Whether a cast of `e` exists that does not certainly fail.
  bool helpsToCast(const typed::Expr &e, Type want);
  Type argumentFor(const typed::Prototype &, Type formal, Type want);
  bool noteQuoted(mlir::InFlightDiagnostic &, const typed::ConstExpr &, Type want);
  bool noteTime(mlir::InFlightDiagnostic &, const typed::Expr &, Type want);
  void noteCast(mlir::InFlightDiagnostic &, const typed::Expr &, Type want);
  bool noteLiteral(mlir::InFlightDiagnostic &, const typed::ConstExpr &, Type want);
};

} // namespace sluice::sema
