//===- Assign.cpp - what may be written, and how --------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;
using Lift = typed::Expr::Lift;

const typed::Expr *sema::rootOf(const typed::Expr &e) {
  const typed::Expr *at = &e;
  while (at->kind == TK::Field || at->kind == TK::Index || at->kind == TK::Slice)
    at = at->args[0].get();
  return at;
}

bool Checker::writable(const typed::Expr &e, Range range, Diag immutable) {
  const typed::Expr *root = rootOf(e);
  if (root->kind != TK::Var && root->kind != TK::Tuple) {
    error(range, immutable, "this expression");
    return false;
  }
  for (const typed::Expr *at = &e; at != root; at = at->args[0].get()) {
    bool isElement = at->kind == TK::Index && at->args[0]->type->kind == SplType::RString;
    if (at->kind == TK::Slice || isElement) {
      error(range, Diag::err_write_part, isElement ? "a string's element" : "a slice");
      return false;
    }
  }
  const Place &place = scope.where();
  if (root->kind == TK::Tuple && !place.mutableTuple) {
    error(range, Diag::err_read_only_tuple);
    return false;
  }
  if (root->kind == TK::Var && !root->var->isMutable) {
    auto d = sema.diags.report(range, immutable, "`" + root->var->name + "`");
    sema.diags.note(d, root->var->range,
                    root->var->kind == typed::Variable::Loop ? Diag::note_loop_variable
                                                             : Diag::note_declared_immutable);
    return false;
  }
  for (const typed::Expr *collection : sema.impl->iterated)
    if (mayAlias(e, *collection)) {
      auto d = sema.diags.report(range, Diag::err_write_iterated);
      sema.diags.note(d, collection->range, Diag::note_iterated_here);
      return false;
    }
  if (root->kind == TK::Tuple && place.tupleWritten)
    *place.tupleWritten = true;
  return true;
}

ExprPtr Checker::assign(const ast::AssignExpr *e) {
  ExprPtr lhs = value(e->lhs);
  Type hint = lhs ? lhs->type : nullptr;
  bool isEmpty = isEmptyLiteral(e->rhs);
  ExprPtr rhs = isEmpty && !lhs ? nullptr : value(e->rhs, hint);
  if (!lhs || !rhs || !writable(*lhs, e->lhs->range, Diag::err_write_immutable))
    return nullptr;
  Lift lift = typed::Expr::NoLift;
  if (e->compound) {
    Type result = operatorType(e->op, false, lhs->type, rhs->type, lift);
    if (result != lhs->type || lift == typed::Expr::LiftRight) {
      badOperands(e->range, ast::spelling(e->op).str() + "=", *lhs, *rhs, e->lhs, e->rhs);
      return nullptr;
    }
  } else if (lhs->type != rhs->type) {
    auto d =
        sema.diags.report(e->rhs->range, Diag::err_assign_type, rhs->type->str(), lhs->type->str());
    noteConversion(d, *rhs, lhs->type);
    return nullptr;
  }
  ExprPtr result = make(TK::Assign, types.get(SplType::Void), e->range);
  result->op = e->op;
  result->compound = e->compound;
  result->lift = lift;
  result->args.push_back(std::move(lhs));
  result->args.push_back(std::move(rhs));
  return finish(std::move(result));
}

ExprPtr Checker::incDec(const ast::Expr *operand, Range range, bool prefix, bool decrement) {
  ExprPtr place = value(operand);
  if (!place || !writable(*place, operand->range, Diag::err_write_immutable))
    return nullptr;
  if (!place->type->isNumeric())
    return error(range, Diag::err_unary_operand, decrement ? "--" : "++", "a number",
                 place->type->str());
  ExprPtr result = make(TK::IncDec, place->type, range);
  result->prefix = prefix;
  result->decrement = decrement;
  result->args.push_back(std::move(place));
  return finish(std::move(result));
}
