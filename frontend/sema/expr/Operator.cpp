//===- Operator.cpp - unary and binary operators --------*- C++ -*-===//
//
// Operands have one type: there is no promotion. Lifted and dotted forms are
// typed here and spelt out by emission.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Literals.h"
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "frontend/sema/expr/hints/Names.h"

using namespace sluice;
using namespace sluice::sema;
using Op = ast::BinaryOp;
using typed::Lift;

//===--- unary ------------------------------------------------------------===//

ExprPtr Operators::unary(const ast::UnaryExpr *e) {
  using U = ast::UnaryOp;
  if (e->op == U::PreInc || e->op == U::PreDec)
    return incDec(e->operand, e->range, true, e->op == U::PreDec);
  auto *literal = llvm::dyn_cast<ast::LiteralExpr>(e->operand);
  bool isNumber =
      literal && (literal->kind == ast::ExprKind::Int || literal->kind == ast::ExprKind::Float);
  if (e->op == U::Neg && isNumber) // the sign belongs to the range check
    return Literals(checker).number(literal, true, e->range);
  ExprPtr operand = checker.value(e->operand);
  if (!operand)
    return nullptr;
  Type type = operand->type;
  auto reject = [&](llvm::StringRef op, llvm::StringRef wants) {
    auto d = sema.diags.report(e->range, Diag::err_unary_operand, op, wants, type->str());
    if (e->op == U::Not)
      ConversionHints(checker).noteTruth(d, *operand, /*isNegated=*/true);
    return nullptr;
  };
  auto op = typed::UnaryOp::Neg;
  if (e->op == U::Neg && !type->isNumeric())
    return reject("-", "a number");
  if (e->op == U::Not) {
    if (type != boolean())
      return reject("!", "a boolean");
    op = typed::UnaryOp::Not;
  } else if (e->op == U::BitNot) {
    if (!type->isInteger())
      return reject("~", "an integer");
    op = typed::UnaryOp::BitNot;
  }
  return finish(std::make_unique<typed::UnaryExpr>(e->range, op, std::move(operand)));
}

ExprPtr Operators::postfix(const ast::PostfixExpr *e) {
  using P = ast::PostfixOp;
  if (e->op == P::Unwrap || e->op == P::Present) {
    bool isUnwrap = e->op == P::Unwrap;
    ExprPtr operand = optional(e->operand, isUnwrap ? "!" : "??");
    if (!operand)
      return nullptr;
    if (isUnwrap)
      return finish(std::make_unique<typed::UnwrapExpr>(e->range, std::move(operand)));
    return finish(std::make_unique<typed::PresentExpr>(boolean(), e->range, std::move(operand)));
  }
  return incDec(e->operand, e->range, false, e->op == P::Dec);
}

//===--- typing rules -----------------------------------------------------===//

static bool isComparison(Op op) { return op >= Op::Lt && op <= Op::Ne; }

/// Whether `type op type` gives a value; shifts aside.
static bool hasOperator(Op op, Type type) {
  switch (op) {
  case Op::Add:
    return type->isNumeric() || type->isString() || type->kind == SplType::Timestamp;
  case Op::Sub:
    return type->isNumeric() || type->kind == SplType::Timestamp;
  case Op::Mul:
  case Op::Div:
    return type->isNumeric();
  case Op::Rem:
    return type->isInteger();
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
    return type->isInteger() || type->kind == SplType::Boolean;
  case Op::And:
  case Op::Or:
    return type->kind == SplType::Boolean;
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
    return type->isOrdered();
  case Op::Eq:
  case Op::Ne:
    return type->kind != SplType::Xml;
  case Op::Shl:
  case Op::Shr:
  case Op::In:
    return false;
  }
  llvm_unreachable("all operators are covered");
}

/// The result of `l op r` on plain values, or null.
Type Operators::scalarOperatorType(Op op, Type l, Type r) {
  if (op == Op::Shl || op == Op::Shr)
    return l->isInteger() && r->isInteger() ? l : nullptr;
  if (l != r)
    return nullptr;
  return !hasOperator(op, l) ? nullptr : isComparison(op) ? boolean() : l;
}

/// What a lifted operator works on: a list's elements, a map's values.
static Type liftedElement(Type t) {
  if (t->kind == SplType::List)
    return t->args[0];
  return t->kind == SplType::Map ? t->args[1] : nullptr;
}

Type Operators::operatorType(Op op, bool dotted, Type l, Type r, Lift &lift) {
  lift = Lift::None;
  auto rebuilt = [&](Type collection, Type elem) -> Type {
    if (!elem)
      return nullptr;
    std::vector<Type> args = collection->args;
    args.back() = elem;
    return types.get(collection->kind, args, collection->bound);
  };
  if (dotted) {
    lift = Lift::Both;
    Type elem = l == r ? liftedElement(l) : nullptr;
    return elem ? rebuilt(l, scalarOperatorType(op, elem, elem)) : nullptr;
  }
  if (Type plain = scalarOperatorType(op, l, r))
    return plain;
  if (Type elem = liftedElement(l))
    if (Type result = scalarOperatorType(op, elem, r)) {
      lift = Lift::Left;
      return rebuilt(l, result);
    }
  if (Type elem = liftedElement(r))
    if (Type result = scalarOperatorType(op, l, elem)) {
      lift = Lift::Right;
      return rebuilt(r, result);
    }
  return nullptr;
}

/// Checks both sides; an empty literal or null takes the other side's type.
bool Operators::operands(const ast::Expr *l, const ast::Expr *r, ExprPtr &lhs, ExprPtr &rhs) {
  if (takesItsType(l)) {
    rhs = checker.value(r);
    lhs = rhs ? checker.value(l, rhs->type) : nullptr;
  } else {
    lhs = checker.value(l);
    bool isEmpty = takesItsType(r);
    rhs = isEmpty && !lhs ? nullptr : checker.value(r, lhs ? lhs->type : nullptr);
    if (rhs)
      lhs = lifted(std::move(lhs), rhs->type);
  }
  return lhs && rhs;
}

/// What people mean who write `x ^ 2.0` and `time + 5`; false if it is something else.
bool Operators::noteOtherOperator(mlir::InFlightDiagnostic &d, Range range, Op op,
                                  const typed::Expr &l, const typed::Expr &r) {
  if (op == Op::BitXor && l.type->isNumeric() && r.type->isNumeric() &&
      (l.type->isFloat() || r.type->isFloat())) {
    sema.diags.note(d, range, Diag::note_power, "^", sema.diags.text(l.range),
                    sema.diags.text(r.range), sema.modules->hints().role("power"));
    return true;
  }
  if (l.type->isString() && (op == Op::Shl || op == Op::Rem)) { // of C++ and of Python
    if (op == Op::Shl)
      sema.diags.note(d, range, Diag::note_did_you_mean, "+");
    else
      sema.diags.note(d, range, Diag::note_foreign, "`\"x is \" + (rstring) x`");
    return true;
  }
  bool isMoved =
      (op == Op::Add || op == Op::Sub) && l.type->kind == SplType::Timestamp && r.type->isNumeric();
  if (isMoved)
    sema.diags.note(d, range, Diag::note_add_seconds, op == Op::Sub ? "-" : "",
                    sema.modules->hints().role("later"));
  return isMoved;
}

/// How the operands could become ones of a type that has the operator.
void Operators::noteOperandConversion(mlir::InFlightDiagnostic &d, Op op, const typed::Expr &l,
                                      const typed::Expr &r) {
  Type lt = l.type, rt = r.type, text = types.get(SplType::RString);
  // What is compared with a literal is to be compared with a number, or a member of its enum.
  for (auto [literal, other] : {std::pair(&l, rt), {&r, lt}})
    if (isComparison(op) && literal->type == text &&
        (other->isNumeric() || other->kind == SplType::Enum) &&
        llvm::isa<typed::ConstExpr>(literal))
      return ConversionHints(checker).noteConversion(d, *literal, other);
  auto isDefined = [&](Type t) { return scalarOperatorType(op, t, t) != nullptr; };
  // Better another literal than a cast, wider than narrower, never from real to integer.
  auto isLiteral = [&](const typed::Expr &e) {
    return llvm::isa<typed::ConstExpr>(e) && !sema.impl->formalUse(e);
  };
  bool lc = isLiteral(l), rc = isLiteral(r);
  bool left = lc || rc ? lc && (!rc || lt->kind == SplType::Int32) : lt->bits() < rt->bits();
  bool truncates = left ? lt->isFloat() && rt->isInteger() : rt->isFloat() && lt->isInteger();
  left ^= truncates;
  if ((lt == text || rt == text) &&
      !(lt->isString() &&
        rt->isString())) // where texts have no such operator, the text is to be a number
    left = (lt != text) == isDefined(text);
  if (isDefined(left ? rt : lt))
    ConversionHints(checker).noteConversion(d, left ? l : r, left ? rt : lt);
}

/// `list += value`
bool Operators::noteAppend(mlir::InFlightDiagnostic &d, Range range, llvm::StringRef spelling,
                           const typed::Expr &l, const typed::Expr &r) {
  bool isAppend = spelling == "+=" && l.type->kind == SplType::List && r.type == l.type->args[0];
  if (isAppend)
    ConversionHints(checker).noteMethod(d, range, l.type, "append", sema.diags.text(l.range),
                                        sema.diags.text(r.range));
  return isAppend;
}

void Operators::badOperands(Range range, llvm::StringRef spelling, Op op, const typed::Expr &l,
                            const typed::Expr &r, const ast::Expr *lhs, const ast::Expr *rhs) {
  Type lt = l.type, rt = r.type;
  if (lt == rt) {
    auto d = sema.diags.report(range, Diag::err_no_operator, spelling, lt->str());
    if (lt->isCollection())
      sema.diags.note(d, range, Diag::note_collection_operator, spelling);
    ConversionHints(checker).noteUnwrap(d, l);
    noteOtherOperator(d, range, op, l, r);
    return;
  }
  auto d = sema.diags.report(range, Diag::err_operand_types, spelling, lt->str(), rt->str());
  if (noteOtherOperator(d, range, op, l, r) || noteAppend(d, range, spelling, l, r))
    return;
  auto *present = llvm::dyn_cast<ast::PostfixExpr>(lhs);
  if (present && present->op == ast::PostfixOp::Present) // `seats ?? -1` is `(seats??) - 1`
    return sema.diags.note(d, range, Diag::note_did_you_mean,
                           (sema.diags.text(present->operand->range) +
                            " ?: " + (op == Op::Sub ? "-" : "") + sema.diags.text(rhs->range))
                               .str());
  auto *chained = llvm::dyn_cast<ast::BinaryExpr>(lhs);
  if (chained && isComparison(op) && isComparison(chained->op)) // `0 < x < 9`
    return sema.diags.note(d, range, Diag::note_did_you_mean,
                           (sema.diags.text(lhs->range) + " && " +
                            sema.diags.text(chained->rhs->range) + " " + spelling + " " +
                            sema.diags.text(rhs->range))
                               .str());
  // `flags & 4 == 4` is `flags & (4 == 4)`.
  bool isBit = op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
  for (const ast::Expr *side : {lhs, rhs})
    if (auto *inner = llvm::dyn_cast<ast::BinaryExpr>(side);
        isBit && inner && isComparison(inner->op))
      sema.diags.note(d, inner->range, Diag::note_bit_precedence, spelling);
  if (spelling.ends_with("=") && !isComparison(op)) // `x += e`: x stays what it is
    return ConversionHints(checker).noteConversion(d, r, lt);
  noteOperandConversion(d, op, l, r);
}

//===--- binary -----------------------------------------------------------===//

/// Whether `e` is `std::cout`, or something is shifted into it.
bool Operators::isForeignOutput(const ast::Expr *e) {
  while (auto *inner = llvm::dyn_cast<ast::BinaryExpr>(e))
    e = inner->lhs;
  auto *name = llvm::dyn_cast<ast::NameExpr>(e);
  return name && (name->name.text == "cout" || name->name.text == "cerr") &&
         !(name->path.parts.empty() && lookup(name->name.text));
}

ExprPtr Operators::binary(const ast::BinaryExpr *e) {
  if (e->op == Op::In)
    return membership(e);
  if (e->op == Op::And || e->op == Op::Or)
    return logical(e);
  if (e->op == Op::Sub && Names(checker).isDashedName(e))
    return nullptr;
  if (e->op == Op::Shl && isForeignOutput(e->lhs)) // one error for `std::cout << a << std::endl`
    return checker.value(e->lhs);
  ExprPtr lhs, rhs;
  return operands(e->lhs, e->rhs, lhs, rhs) ? combine(e, e->op, std::move(lhs), std::move(rhs))
                                            : nullptr;
}

ExprPtr Operators::combine(const ast::BinaryExpr *e, Op kind, ExprPtr lhs, ExprPtr rhs) {
  typed::BinaryOperator op{kind};
  Type type = operatorType(kind, e->dotted, lhs->type, rhs->type, op.lift);
  if (!type) {
    std::string spelling = (e->dotted ? "." : "") + ast::spelling(e->op).str();
    badOperands(e->range, spelling, kind, *lhs, *rhs, e->lhs, e->rhs);
    return nullptr;
  }
  Warnings(checker).warnOperands(op, e->range, *lhs, *rhs);
  Warnings(checker).warnComparison(e, *lhs, *rhs);
  Warnings(checker).warnPower(e);
  return finish(
      std::make_unique<typed::BinaryExpr>(type, e->range, op, std::move(lhs), std::move(rhs)));
}

/// `x == 1 || 2` for `x == 1 || x == 2`, and `x != 1 && 2`. False if no comparison is on the left.
bool Operators::noteComparedAgain(mlir::InFlightDiagnostic &d, const ast::BinaryExpr *e) {
  auto *before = llvm::dyn_cast<ast::BinaryExpr>(stripParens(e->lhs));
  if (!before || (before->op != Op::Eq && before->op != Op::Ne))
    return false;
  llvm::StringRef left = sema.diags.text(before->lhs->range);
  llvm::StringRef right = sema.diags.text(e->rhs->range);
  bool isMeant = before->op == (e->op == Op::Or ? Op::Eq : Op::Ne) && left != right &&
                 !llvm::isa<ast::LiteralExpr>(before->lhs);
  if (isMeant)
    sema.diags.note(d, e->rhs->range, Diag::note_did_you_mean,
                    (left + " " + ast::spelling(before->op) + " " + right).str());
  return true;
}

ExprPtr Operators::logical(const ast::BinaryExpr *e) {
  ExprPtr lhs = checker.value(e->lhs), rhs = checker.value(e->rhs);
  if (!lhs || !rhs)
    return nullptr;
  bool isAnd = e->op == Op::And, ok = true;
  if (!isAnd && lhs->type->isString() && rhs->type->isString()) { // as in SQL
    auto d = sema.diags.report(e->range, Diag::err_no_operator, "||", lhs->type->str());
    sema.diags.note(d, e->range, Diag::note_did_you_mean, "+");
    return nullptr;
  }
  bool isDefault =
      !isAnd && lhs->type->kind == SplType::Optional && rhs->type == lhs->type->args[0];
  if (isDefault && rhs->type != boolean()) { // as in JavaScript
    auto d = sema.diags.report(e->lhs->range, Diag::err_unary_operand, ast::spelling(e->op),
                               "booleans", lhs->type->str());
    sema.diags.note(
        d, e->range, Diag::note_did_you_mean,
        (sema.diags.text(e->lhs->range) + " ?: " + sema.diags.text(e->rhs->range)).str());
    return nullptr;
  }
  // On the elements of a collection; there is nothing that one of them decides for all.
  if (liftedElement(lhs->type) == boolean() || liftedElement(rhs->type) == boolean())
    return combine(e, isAnd ? Op::BitAnd : Op::BitOr, std::move(lhs), std::move(rhs));
  for (auto [side, ast] : {std::pair(&lhs, e->lhs), std::pair(&rhs, e->rhs)}) {
    if ((*side)->type == boolean())
      continue;
    auto d = sema.diags.report(ast->range, Diag::err_unary_operand, ast::spelling(e->op),
                               "booleans", (*side)->type->str());
    if (ast != e->rhs || !noteComparedAgain(d, e))
      ConversionHints(checker).noteTruth(d, **side);
    ok = false;
  }
  if (!ok)
    return nullptr;
  return finish(
      std::make_unique<typed::LogicalExpr>(e->range, isAnd, std::move(lhs), std::move(rhs)));
}

ExprPtr Operators::membership(const ast::BinaryExpr *e) {
  ExprPtr item, collection;
  if (auto *negated = llvm::dyn_cast<ast::UnaryExpr>(e->lhs);
      negated && negated->op == ast::UnaryOp::Not && !isEmptyLiteral(negated->operand)) {
    item = checker.value(negated->operand);
    if (!item)
      return nullptr;
    if (item->type != boolean()) { // `!x in list`
      auto d = sema.diags.report(negated->range, Diag::err_unary_operand, "!", "a boolean",
                                 item->type->str());
      sema.diags.note(d, e->range, Diag::note_did_you_mean,
                      "!(" + sema.diags.text(e->range).drop_front().str() + ")");
      return nullptr;
    }
  }
  if (isEmptyLiteral(e->lhs)) {
    collection = checker.value(e->rhs);
    Type hint =
        collection && collection->type->isCollection() ? collection->type->args[0] : nullptr;
    item = checker.value(e->lhs, hint);
  } else {
    item = checker.value(e->lhs);
    collection = checker.value(e->rhs);
  }
  if (!item || !collection)
    return nullptr;
  if (!collection->type->isCollection()) {
    auto d = sema.diags.report(e->range, Diag::err_in_collection, collection->type->str());
    if (collection->type->isString())
      sema.diags.note(d, e->range, Diag::note_in_string, sema.modules->hints().role("find"));
    return nullptr;
  }
  Type elem = collection->type->args[0];
  if (item->type != elem) {
    auto d = sema.diags.report(e->range, Diag::err_in_element, collection->type->str(), elem->str(),
                               item->type->str());
    ConversionHints(checker).noteConversion(d, *item, elem);
    return nullptr;
  }
  return finish(
      std::make_unique<typed::InExpr>(boolean(), e->range, std::move(item), std::move(collection)));
}
