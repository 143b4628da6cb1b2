//===- Cast.cpp - conversions ---------------------------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"

using namespace sluice;
using namespace sluice::sema;

//===--- what casts exist -------------------------------------------------===//

bool sema::canCast(Type from, Type to) {
  if (from == to)
    return true;
  if (from->kind == SplType::Void || to->kind == SplType::Void)
    return false;
  if (from->isString() || to->isString())
    return true;
  bool fromNumber = from->isInteger() || from->isFloat() || from->isDecimal();
  bool toNumber = to->isInteger() || to->isFloat() || to->isDecimal();
  if (fromNumber && toNumber)
    return true;
  auto between = [&](auto isA, auto isB) {
    return (isA(from) && isB(to)) || (isB(from) && isA(to));
  };
  auto is = [](SplType::Kind kind) { return [kind](Type t) { return t->kind == kind; }; };
  if (between(is(SplType::Float64), is(SplType::Timestamp)) ||
      between(is(SplType::Enum), [](Type t) { return t->isInteger(); }))
    return true;
  if (from->kind != to->kind)
    return false;
  if (from->isCollection())
    return llvm::all_of(llvm::zip(from->args, to->args), [](auto pair) {
      auto [a, b] = pair;
      return a == b || (a->isPrimitive() && b->isPrimitive() && canCast(a, b));
    });
  if (from->kind == SplType::Tuple)
    return llvm::all_of(to->attributes,
                        [&](auto &a) { return from->attribute(a.first) == a.second; });
  return from->isComplex() && to->isComplex();
}

std::string sema::literalSuffix(Type t) {
  if (t->isFloat())
    return t->bits() == 32 ? "w" : "";
  if (!t->isInteger())
    return "";
  std::string suffix = t->isSigned() ? "" : "u";
  switch (t->bits()) {
  case 8:
    return suffix + "b";
  case 16:
    return suffix + "h";
  case 64:
    return suffix + "l";
  }
  return suffix;
}

bool Checker::helpsToCast(const typed::Expr &e, Type want) {
  // The text of a collection or a tuple is read with a cast, but hardly here.
  if (!canCast(e.type, want) || (e.type->isString() && !want->isPrimitive()))
    return false;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant)
    return true;
  ExprPtr trial = std::make_unique<typed::CastExpr>(want, e.range,
                                                    std::make_unique<typed::ConstExpr>(*constant));
  return foldNode(trial).result != Folded::Fails;
}

/// How a literal of type `want` looks, if a literal of type `have` was written; else empty.
static llvm::StringRef otherLiteral(Type have, Type want, llvm::StringRef text) {
  if (!text.starts_with("{") && !text.starts_with("["))
    return "";
  bool fromBraces =
      have->kind == SplType::Set || have->kind == SplType::Map || have->kind == SplType::Tuple;
  if (want->kind == SplType::List && have->kind == SplType::Set)
    return "[1, 2]";
  if (want->kind == SplType::Set && have->kind == SplType::List)
    return "{1, 2}";
  if (want->kind == SplType::Map && fromBraces && have->kind != SplType::Map)
    return "{key : value}";
  if (want->kind == SplType::Tuple && fromBraces && have->kind != SplType::Tuple)
    return "{name = value}";
  return "";
}

/// How the user could get a value of type `want`: another literal, a suffix, or a cast.
void Checker::noteConversion(mlir::InFlightDiagnostic &d, const typed::Expr &e, Type want) {
  llvm::StringRef literal = otherLiteral(e.type, want, sema.diags.text(e.range));
  if (!literal.empty())
    return sema.diags.note(d, e.range, Diag::note_literal_form, want->info().keyword, literal);
  if (e.type == want || !helpsToCast(e, want))
    return;
  llvm::StringRef text = sema.diags.text(e.range);
  if (e.type->kind == SplType::RString) // a number in quotes
    text = text.trim("\"'");
  bool isNumber =
      !text.empty() && llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '.'; });
  if (llvm::isa<typed::ConstExpr>(e) && isNumber && want->isNumeric()) {
    bool hasPoint = text.contains('.');
    if (want->isInteger() && !hasPoint)
      return sema.diags.note(d, e.range, Diag::note_use_literal, text.str() + literalSuffix(want),
                             want->str());
    if (want->isFloat())
      return sema.diags.note(d, e.range, Diag::note_use_literal,
                             (hasPoint ? text.str() : text.str() + ".0") + literalSuffix(want),
                             want->str());
  }
  sema.diags.note(d, e.range, Diag::note_use_cast, want->str());
}

//===--- converting -------------------------------------------------------===//

/// Gives the literal `e` the type `to` by converting its elements at compile time; false if
/// that is a matter of run time. The literal has the error type after an error.
static bool convertLiteral(Sema &sema, typed::AggregateExpr &e, Type to, bool isWritten) {
  // Conversions that may fail at run time are no errors here, unless all is constant.
  bool isSafe = isConstant(e) || (to->args.size() == 1 && to->args[0]->isNumeric() &&
                                  e.type->args.size() == 1 && e.type->args[0]->isNumeric());
  if (e.kind == typed::ExprKind::ListLit && to->kind == SplType::List && isSafe) {
    Type result = to;
    for (ExprPtr &element : e.elements) {
      element = sema.convert(std::move(element), to->args[0], isWritten);
      if (element->type->kind == SplType::Error)
        result = element->type;
    }
    e.type = result;
    return true;
  }
  bool sameSet = e.kind == typed::ExprKind::TupleLit && to->kind == SplType::Tuple &&
                 to->attributes.size() == e.elements.size();
  if (!sameSet)
    return false;
  std::vector<ExprPtr> reordered;
  for (auto &attribute : to->attributes) {
    unsigned index = 0;
    e.type->attribute(attribute.first, &index);
    reordered.push_back(std::move(e.elements[index]));
  }
  e.elements = std::move(reordered);
  e.type = to;
  return true;
}

ExprPtr Sema::convert(ExprPtr e, Type to, bool isWritten) {
  if (!e || e->type == to)
    return e;
  if (!canCast(e->type, to))
    return nullptr;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(e.get());
  if (constant && constant->isDefault() && e->type->kind == to->kind && e->type->isCollection()) {
    e->type = to;
    return e;
  }
  if (auto *literal = llvm::dyn_cast<typed::AggregateExpr>(e.get());
      literal && convertLiteral(*this, *literal, to, isWritten))
    return e;
  std::optional<typed::ConstExpr> before;
  if (constant && !constant->isDefault() && e->type->isNumeric() && to->isNumeric())
    before.emplace(*constant);
  Range range = e->range;
  std::string source = e->source;
  ExprPtr result = std::make_unique<typed::CastExpr>(to, range, std::move(e));
  result->source = std::move(source);
  Folded folded = foldNode(result);
  if (folded.result == Folded::Fails) {
    diags.report(result->range, Diag::err_constant_fails, folded.why);
    result->type = types.get(SplType::Error);
  } else if (before) {
    warnChanged(diags, *before, *result, isWritten);
  }
  return result;
}

ExprPtr Checker::converted(const ast::Expr *e, Type want, Sema::Conversion how, Diag mismatch) {
  if (isError(want)) { // report what is wrong inside all the same
    if (!isEmptyLiteral(e))
      value(e);
    return nullptr;
  }
  ExprPtr result = value(e, want, how == Sema::Initialiser);
  if (!result || result->type == want)
    return result;
  Type have = result->type;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(result.get());
  bool isNumber = have->isNumeric() && want->isNumeric() && constant;
  bool fits = isNumber && !(have->isFloat() && want->isInteger());
  if (how == Sema::Numeric && fits) {
    bool negative = have->isSigned() && constant->integer() < 0;
    if (!negative || want->isSigned() || want->isFloat())
      return sema.convert(std::move(result), want);
    return error(e->range, Diag::err_number_range, sema.diags.text(e->range), want->str());
  }
  if (how == Sema::Initialiser && canCast(have, want)) {
    ExprPtr cast = sema.convert(std::move(result), want);
    return cast && isError(cast->type) ? nullptr : std::move(cast);
  }
  auto d = sema.diags.report(e->range, mismatch, want->str(), have->str());
  noteConversion(d, *result, want);
  return nullptr;
}

ExprPtr Checker::cast(const ast::CastExpr *e) {
  // `(a) - b` reads as a cast: say so when `a` is no type but a value.
  if (e->type->kind == ast::TypeKind::Named && e->type->path.parts.empty() &&
      e->type->member.text.empty() && lookup(e->type->name.text) &&
      !sema.findType(e->type->name.text, scope)) {
    auto d = sema.diags.report(e->type->range, Diag::err_cast_to_value, e->type->name.text);
    sema.diags.note(d, e->type->range, Diag::note_drop_parentheses);
    return nullptr;
  }
  Type to = type(e->type);
  ExprPtr operand = isError(to) && isEmptyLiteral(e->operand) ? nullptr : value(e->operand, to);
  if (!operand || isError(to))
    return nullptr;
  if (!canCast(operand->type, to))
    return error(e->range, Diag::err_no_cast, operand->type->str(), to->str());
  ExprPtr result = sema.convert(std::move(operand), to, /*isWritten=*/true);
  if (!result || isError(result->type))
    return nullptr;
  result->range = e->range;
  return llvm::isa<typed::CastExpr>(*result) ? finish(std::move(result)) : std::move(result);
}
