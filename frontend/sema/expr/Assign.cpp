//===- Assign.cpp - what may be written, and how --------*- C++ -*-===//

#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;
using typed::Lift;

/// Reports a part that cannot be written on the way from `e` to its root.
static bool hasWritableParts(Diagnostics &diags, const typed::Expr &e, Range range) {
  for (const typed::Expr *at = &e, *base; (base = baseOf(*at)); at = base) {
    bool isByte = llvm::isa<typed::IndexExpr>(at) && base->type->isString();
    if (!isByte && !llvm::isa<typed::SliceExpr>(at))
      continue;
    diags.report(range, Diag::err_write_part, isByte ? "a string's element" : "a slice");
    return false;
  }
  return true;
}

bool Operators::writable(const typed::Expr &e, Range range, Diag immutable) {
  const typed::Expr &root = rootOf(e);
  if (!hasPlaceRoot(e)) {
    error(range, immutable, "this expression");
    return false;
  }
  if (!hasWritableParts(sema.diags, e, range))
    return false;
  const Place &place = scope.where();
  bool isTuple = llvm::isa<typed::TupleExpr>(root);
  if (isTuple && !place.mutableTuple) {
    error(range, Diag::err_read_only_tuple);
    return false;
  }
  const typed::Variable *var = isTuple ? nullptr : llvm::cast<typed::VarExpr>(root).var;
  if (var && !var->isMutable) {
    auto d = sema.suspicions.report({{Doubt::Immutable, Subject::of(var)}}, range, immutable,
                                    "`" + var->name + "`");
    sema.diags.note(d, var->range,
                    var->kind == typed::Variable::Loop ? Diag::note_loop_variable
                                                       : Diag::note_declared_immutable);
    return false;
  }
  for (const typed::Expr *collection : sema.impl->iterated)
    if (mayAlias(e, *collection)) {
      auto d = sema.diags.report(range, Diag::err_write_iterated);
      sema.diags.note(d, collection->range, Diag::note_iterated_here);
      return false;
    }
  if (isTuple && place.tupleWritten)
    *place.tupleWritten = true;
  return true;
}

/// What is assigned to; null after an error.
ExprPtr Operators::target(const ast::Expr *e) {
  auto *name = llvm::dyn_cast<ast::NameExpr>(stripParens(e));
  bool isKnown = !name || !name->path.parts.empty() || lookup(name->name.text) ||
                 sema.modules->findEnumMember(scope.file(), "", name->name.text);
  if (isKnown)
    return checker.value(e);
  Names(checker).unknownName(name, /*isTarget=*/true);
  scope.values.try_emplace(name->name.text); // other uses are not reported
  return nullptr;
}

ExprPtr Operators::assign(const ast::AssignExpr *e) {
  for (const ast::Expr *side : {e->lhs, e->rhs}) // `a = b = c`
    if (llvm::isa<ast::AssignExpr>(stripParens(side)))
      return error(side->range, Diag::err_void_value, "an assignment");
  ExprPtr lhs = target(e->lhs);
  Type hint = lhs ? lhs->type : nullptr;
  bool isEmpty = takesItsType(e->rhs);
  ExprPtr rhs = isEmpty && !lhs ? nullptr : checker.value(e->rhs, hint);
  if (!lhs || !rhs || !writable(*lhs, e->lhs->range, Diag::err_write_immutable))
    return nullptr;
  Warnings(checker).isOnlyWritten(*lhs);
  std::optional<typed::BinaryOperator> compound;
  if (e->compound) {
    compound = typed::BinaryOperator{e->op};
    Type result = operatorType(e->op, false, lhs->type, rhs->type, compound->lift);
    if (result != lhs->type || compound->lift == Lift::Right) {
      badOperands(e->range, ast::spelling(e->op).str() + "=", e->op, *lhs, *rhs, e->lhs, e->rhs);
      return nullptr;
    }
  } else if (lhs->type != rhs->type) {
    auto d =
        sema.diags.report(e->rhs->range, Diag::err_assign_type, rhs->type->str(), lhs->type->str());
    ConversionHints(checker).noteConversion(d, *rhs, lhs->type);
    return nullptr;
  }
  compound ? Warnings(checker).warnOperands(*compound, e->range, *lhs, *rhs)
           : Warnings(checker).warnSelfAssign(e);
  if (compound && lhs->type->kind == SplType::List && lhs->type->args[0]->isString() &&
      rhs->type->isString()) {
    auto warning = sema.diags.report(e->range, Diag::warn_nothing_appended);
    ConversionHints(checker).noteMethod(warning, e->range, lhs->type, "append",
                                        sema.diags.text(e->lhs->range),
                                        sema.diags.text(e->rhs->range));
  }
  return finish(std::make_unique<typed::AssignExpr>(types.get(SplType::Void), e->range, compound,
                                                    std::move(lhs), std::move(rhs)));
}

ExprPtr Operators::incDec(const ast::Expr *operand, Range range, bool prefix, bool decrement) {
  ExprPtr place = checker.value(operand);
  if (!place || !writable(*place, operand->range, Diag::err_write_immutable))
    return nullptr;
  if (!place->type->isNumeric())
    return error(range, Diag::err_unary_operand, decrement ? "--" : "++", "a number",
                 place->type->str());
  return finish(std::make_unique<typed::IncDecExpr>(range, prefix, decrement, std::move(place)));
}
