//===- Optional.cpp - optional types: null, `??`, `!`, `?:` ------------------===//
//
// A T, and null, become an optional<T> where the context wants one: what checks an expression
// passes the type that is wanted on, and value() lifts what it finds.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/hints/ConversionHints.h"

using namespace sluice;
using namespace sluice::sema;

bool sema::isNull(const ast::Expr *e) { return stripParens(e)->kind == ast::ExprKind::Null; }

bool sema::takesItsType(const ast::Expr *e) { return isNull(e) || isEmptyLiteral(e); }

Type Operators::nullable(Type type) {
  return type->kind == SplType::Optional ? type : types.get(SplType::Optional, type);
}

bool sema::isLiftedTo(Type type, Type optional) {
  return optional && optional->kind == SplType::Optional && optional->args[0] == type;
}

ExprPtr Operators::lifted(ExprPtr e, Type to) {
  if (!e || !isLiftedTo(e->type, to))
    return e;
  Range range = e->range;
  return finish(std::make_unique<typed::CastExpr>(to, range, std::move(e)));
}

ExprPtr Operators::null(Range range, Type hint) {
  if (!hint)
    return error(range, Diag::err_null_type);
  if (isError(hint))
    return nullptr;
  if (hint->kind != SplType::Optional)
    return error(range, Diag::err_no_null, hint->str());
  return std::make_unique<typed::ConstExpr>(hint, range);
}

/// An operand that is to be optional.
ExprPtr Operators::optional(const ast::Expr *e, llvm::StringRef op) {
  ExprPtr operand = checker.value(e);
  if (operand && operand->type->kind != SplType::Optional)
    return error(e->range, Diag::err_not_optional, op, operand->type->str());
  return operand;
}

ExprPtr Operators::orElse(const ast::OrElseExpr *e) {
  ExprPtr lhs = optional(e->lhs, "?:");
  Type want = lhs ? lhs->type->args[0] : nullptr;
  ExprPtr otherwise = lhs || !takesItsType(e->rhs) ? checker.value(e->rhs, want) : nullptr;
  if (!lhs || !otherwise)
    return nullptr;
  if (otherwise->type != want) {
    auto d = sema.diags.report(e->rhs->range, Diag::err_expected_type, want->str(),
                               otherwise->type->str());
    ConversionHints(checker).noteConversion(d, *otherwise, want);
    return nullptr;
  }
  return finish(
      std::make_unique<typed::OrElseExpr>(e->range, std::move(lhs), std::move(otherwise)));
}

bool ConversionHints::noteUnwrap(mlir::InFlightDiagnostic &d, const typed::Expr &e) {
  if (e.type->kind != SplType::Optional)
    return false;
  const Range *formal = sema.impl->formalUse(e);
  Range range = formal ? *formal : e.range;
  sema.diags.note(d, range, Diag::note_unwrap, sema.diags.text(range));
  return true;
}
