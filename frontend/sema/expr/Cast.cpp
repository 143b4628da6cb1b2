//===- Cast.cpp - conversions ---------------------------*- C++ -*-===//

#include "frontend/sema/expr/TypeReader.h"
#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/hints/ConversionHints.h"

using namespace sluice;
using namespace sluice::sema;

//===--- what casts exist -------------------------------------------------===//

static bool isReal(Type type) { return type->isNumeric() && !type->isComplex(); }

/// Kinds of types between which there is a cast in both directions.
static bool castBothWays(Type a, Type b) {
  bool isBytes = b->kind == SplType::List && b->args[0]->kind == SplType::UInt8;
  return a->isString() || (a->kind == SplType::Blob && isBytes) || (isReal(a) && isReal(b)) ||
         (a->kind == SplType::Float64 && b->kind == SplType::Timestamp) ||
         (a->kind == SplType::Enum && b->isInteger()) || (a->isComplex() && b->isComplex());
}

bool sema::canCast(Type from, Type to) {
  if (from == to)
    return true;
  if (from->kind == SplType::Void || to->kind == SplType::Void)
    return false;
  if (to->kind == SplType::Optional && !from->isString())
    return canCast(from->kind == SplType::Optional ? from->args[0] : from, to->args[0]);
  if (castBothWays(from, to) || castBothWays(to, from))
    return true;
  if (from->kind == SplType::List && to->isComplex())
    return isReal(from->args[0]);
  if (from->kind != to->kind)
    return false;
  if (from->isCollection())
    return llvm::all_of(llvm::zip(from->args, to->args), [](auto pair) {
      auto [a, b] = pair;
      return a == b || (a->isPrimitive() && b->isPrimitive() && canCast(a, b));
    });
  return from->kind == SplType::Tuple && llvm::all_of(to->attributes, [&](auto &a) {
           return from->attribute(a.first) == a.second;
         });
}

std::string sema::literalSuffix(Type t) {
  if (t->isFloat())
    return t->bits() == 32 ? "w" : "";
  if (t->isDecimal())
    return t->bits() == 32 ? "wd" : t->bits() == 64 ? "d" : "qd";
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

//===--- converting -------------------------------------------------------===//

/// Gives the literal `e` the type `to` by converting its elements at compile time; false if
/// that is a matter of run time. The literal has the error type after an error.
static bool convertLiteral(Sema &sema, typed::AggregateExpr &e, Type to, bool isWritten) {
  // Conversions that may fail at run time are no errors here, unless all is constant.
  bool isSafe = isConstant(e) || llvm::all_of(llvm::zip(e.type->args, to->args), [](auto pair) {
                  auto [from, want] = pair;
                  return from == want || (from->isNumeric() && want->isNumeric());
                });
  bool isCut = to->bound && e.elements.size() > to->bound * to->args.size();
  if (e.type->isCollection() && e.type->kind == to->kind && isSafe && !isCut) {
    Type result = to;
    for (auto [i, element] : llvm::enumerate(e.elements)) {
      // The elements of a map are its keys and values in turn.
      element = sema.convert(std::move(element), to->args[i % to->args.size()], isWritten);
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

/// The default of a submission-time value is a text that is read when the program starts.
static void warnDefault(Sema &sema, const typed::SubmissionValueExpr &value, Type to) {
  bool isList = value.type->isCollection();
  if (isList && !to->isCollection())
    return; // the text of the list
  Type element = isList ? to->args[0] : to;
  for (const std::string &text : value.defaults) {
    ExprPtr cast = std::make_unique<typed::CastExpr>(
        element, value.range,
        std::make_unique<typed::ConstExpr>(sema.types.get(SplType::RString), value.range, text));
    if (Folded folded = foldNode(cast); folded.result == Folded::Fails)
      sema.diags.report(value.range, Diag::warn_default_fails, folded.why);
  }
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
  if (auto *value = llvm::dyn_cast<typed::SubmissionValueExpr>(e.get()))
    warnDefault(*this, *value, to);
  std::optional<typed::ConstExpr> before;
  auto isBinary = [](Type type) { return type->isInteger() || type->isFloat(); };
  if (constant && !constant->isDefault() && isBinary(e->type) && isBinary(to))
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

ExprPtr
Checker::converted(const ast::Expr *e, Type want, Sema::Conversion how, Diag mismatch,
                   llvm::function_ref<void(mlir::InFlightDiagnostic &, Type have)> refused) {
  if (isError(want)) { // report what is wrong inside all the same
    if (!takesItsType(e))
      value(e);
    return nullptr;
  }
  ExprPtr result = value(e, want, how == Sema::Initialiser);
  if (!result || result->type == want)
    return result;
  Type have = result->type;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(result.get());
  bool isNumber = isReal(have) && isReal(want) && constant;
  bool fits = isNumber && (have->isInteger() || !want->isInteger()) &&
              (!have->isDecimal() || want->isDecimal());
  if (how == Sema::Numeric && fits) {
    bool negative = have->isSigned() && constant->integer() < 0;
    if (!negative || want->isSigned() || !want->isInteger())
      return sema.convert(std::move(result), want);
    return error(e->range, Diag::err_number_range, sema.diags.text(e->range), want->str());
  }
  if (how == Sema::Initialiser && canCast(have, want)) {
    Warnings(*this).warnFractionDropped(e, *result, want);
    Warnings(*this).warnTextConverted(e, have, want);
    ExprPtr cast = sema.convert(std::move(result), want);
    return cast && isError(cast->type) ? nullptr : std::move(cast);
  }
  auto d = sema.diags.report(e->range, mismatch, want->str(), have->str());
  ConversionHints(*this).noteConversion(d, *result, want);
  if (refused)
    refused(d, have);
  return nullptr;
}

ExprPtr Checker::initialiser(const ast::Declarator &d, Type declared) {
  auto doubt = [&] { sema.suspicions.doubt(Doubt::RefusedValue, Subject::at(d.name.range)); };
  ExprPtr value = converted(d.init, declared, Sema::Initialiser, Diag::err_bad_initialiser,
                            [&](auto &, Type) { doubt(); });
  if (!value && !isError(declared) && takesItsType(d.init)) // `[]` for a map
    doubt();
  return value;
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
  Type to = TypeReader(*this).type(e->type);
  ExprPtr operand = isError(to) && takesItsType(e->operand) ? nullptr : value(e->operand, to);
  if (!operand || isError(to))
    return nullptr;
  if (!canCast(operand->type, to)) {
    auto d = sema.diags.report(e->range, Diag::err_no_cast, operand->type->str(), to->str());
    ConversionHints(*this).noteUnwrap(d, *operand);
    return nullptr;
  }
  Warnings(*this).warnFractionDropped(e->operand, *operand, to);
  ExprPtr result = sema.convert(std::move(operand), to, /*isWritten=*/true);
  if (!result || isError(result->type))
    return nullptr;
  result->range = e->range;
  return llvm::isa<typed::CastExpr>(*result) ? finish(std::move(result)) : std::move(result);
}
