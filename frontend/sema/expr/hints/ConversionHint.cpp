//===- ConversionHint.cpp - how to get the value that is wanted -------------===//
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace sluice;
using namespace sluice::sema;

/// The constant as one of type `want`; null if there is no such value.
static ExprPtr converts(const typed::ConstExpr &e, Type want) {
  ExprPtr trial =
      std::make_unique<typed::CastExpr>(want, e.range, std::make_unique<typed::ConstExpr>(e));
  return foldNode(trial).result != Folded::Fails ? std::move(trial) : nullptr;
}

bool ConversionHints::helpsToCast(const typed::Expr &e, Type want) {
  // The text of a collection or a tuple is read with a cast, but hardly here.
  if (!canCast(e.type, want) || (e.type->isString() && !want->isPrimitive()))
    return false;
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant)
    return true;
  return converts(*constant, want) != nullptr;
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

/// The element of a literal that keeps it from having type `want`, and the type that it must
/// have; null if the literal has other faults.
static std::pair<const typed::Expr *, Type> wrongElement(const typed::Expr &e, Type want) {
  auto *literal = llvm::dyn_cast<typed::AggregateExpr>(&e);
  if (!literal || e.type->kind != want->kind)
    return {};
  for (auto [i, element] : llvm::enumerate(literal->elements)) {
    bool isTuple = want->kind == SplType::Tuple;
    Type wanted =
        isTuple ? want->attribute(e.type->attributes[i].first) : want->args[i % want->args.size()];
    if (!wanted)
      return {};
    if (element->type != wanted)
      return {element.get(), wanted};
  }
  return {};
}

bool sema::widens(Type from, Type to) {
  if (from->kind == SplType::List && to->kind == SplType::List)
    return widens(from->args[0], to->args[0]);
  if (from->isString())
    return to->isNumeric();
  if (from->isInteger() && to->isInteger())
    return to->bits() > from->bits() && (to->isSigned() || !from->isSigned());
  if (to->isDecimal())
    return from->isInteger();
  return to->isFloat() && (from->isInteger() || (from->isFloat() && to->bits() > from->bits()));
}

const typed::Prototype *sema::truncating(const typed::Expr &e) {
  auto *output = llvm::dyn_cast<typed::OutputFnExpr>(&e);
  auto *call = llvm::dyn_cast<typed::NativeCallExpr>(&e);
  const typed::Prototype *proto = output ? output->proto : call ? call->proto : nullptr;
  return proto && proto->facts.truncates ? proto : nullptr;
}

/// The type `formal` with `want` for the result of the prototype, as far as one is made of the
/// other; else null.
Type ConversionHints::argumentFor(const typed::Prototype &proto, Type formal, Type want) {
  if (formal == proto.result)
    return want;
  if (formal->kind == SplType::List && formal->args[0] == proto.result)
    return types.list(want);
  bool isElement = proto.result->kind == SplType::List && proto.result->args[0] == formal;
  return isElement ? want->args[0] : nullptr;
}

/// `Average((float64) a)` for a call of an output function whose result has the type of an
/// argument, or of another function that truncates: a cast of the result would come too late.
/// Empty for all other expressions.
std::string ConversionHints::castArgument(const typed::Expr &e, Type want) {
  auto *output = llvm::dyn_cast<typed::OutputFnExpr>(&e);
  const typed::Prototype *proto = output ? output->proto : truncating(e);
  if (!proto || proto->facts.isFold || !widens(e.type, want) || proto->typeVars.empty())
    return "";
  const std::vector<ExprPtr> &args =
      output ? output->args : llvm::cast<typed::NativeCallExpr>(e).args;
  for (auto [formal, arg] : llvm::zip(proto->params, args)) {
    Type type = argumentFor(*proto, formal, want);
    if (!type)
      continue;
    llvm::StringRef all = sema.diags.text(e.range), text = sema.diags.text(arg->range);
    auto [before, after] = std::pair(all.take_front(arg->range.begin - e.range.begin),
                                     all.take_back(e.range.end - arg->range.end));
    bool isSimple =
        llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    return (before + "(" + type->str() + ") " + (isSimple ? text : "(" + text.str() + ")") + after)
        .str();
  }
  return "";
}

/// A text in quotes for another kind of text, or for a member of an enumeration.
bool ConversionHints::noteQuoted(mlir::InFlightDiagnostic &d, const typed::ConstExpr &e,
                                 Type want) {
  llvm::StringRef text = sema.diags.text(e.range);
  if (!text.ends_with("\"") && !text.ends_with("'"))
    return false;
  if (want->kind == SplType::UString && e.type->kind == SplType::RString) {
    sema.diags.note(d, e.range, Diag::note_use_literal, text.str() + "u", want->str());
    return true;
  }
  if (e.type->isString())
    text = text.rtrim("ru").trim("\"'");
  if (!llvm::is_contained(want->members, text))
    return false;
  if (want == types.markers())
    sema.diags.note(d, e.range, Diag::note_did_you_mean, "Sys." + text.str());
  else if (want->kind == SplType::Enum)
    sema.diags.note(d, e.range, Diag::note_no_quotes, text);
  else
    return false;
  return true;
}

/// `300ub` for a number where another type of numbers is wanted; or that no literal has it.
bool ConversionHints::noteLiteral(mlir::InFlightDiagnostic &d, const typed::ConstExpr &e,
                                  Type want) {
  if (noteQuoted(d, e, want))
    return true;
  llvm::StringRef text = sema.diags.text(e.range);
  if (e.type->isString()) // a number in quotes
    text = text.rtrim("ru").trim("\"'");
  llvm::StringRef digits = text;
  if (!e.type->isString())
    digits.consume_front("-");
  bool isNumber =
      !digits.empty() && llvm::all_of(digits, [](char c) { return llvm::isDigit(c) || c == '.'; });
  bool hasPoint = text.contains('.');
  if (isNumber && want->kind == SplType::RString && !e.type->isString()) {
    sema.diags.note(d, e.range, Diag::note_use_literal, ("\"" + text + "\"").str(), want->str());
    return true;
  }
  if (!isNumber || !want->isNumeric() || (want->isInteger() && hasPoint))
    return false;
  ExprPtr result = converts(e, want);
  if (want->isInteger() && e.type->isInteger() &&
      isChanged(e, llvm::cast<typed::ConstExpr>(*result), /*isWritten=*/false)) {
    sema.diags.note(d, e.range, Diag::note_number_range, text, want->str());
    return true;
  }
  sema.diags.note(d, e.range, Diag::note_use_literal,
                  (want->isFloat() && !hasPoint ? text.str() + ".0" : text.str()) +
                      literalSuffix(want),
                  want->str());
  return true;
}

/// `0.5` for `"500ms"`: the text of a time with a unit, as a number of seconds; else empty.
static std::string secondsOf(llvm::StringRef text) {
  llvm::StringRef digits = text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  double factor = llvm::StringSwitch<double>(text.drop_front(digits.size()).ltrim())
                      .Cases({"s", "sec", "secs", "second", "seconds"}, 1)
                      .Cases({"ms", "msec", "milliseconds"}, 1e-3)
                      .Cases({"us", "microseconds"}, 1e-6)
                      .Cases({"m", "min", "minute", "minutes"}, 60)
                      .Cases({"h", "hour", "hours"}, 3600)
                      .Default(0);
  double number;
  if (factor == 0 || digits.getAsDouble(number))
    return "";
  std::string seconds = llvm::formatv("{0}", llvm::format("%.6g", number * factor)).str();
  return seconds.find_first_of(".e") == std::string::npos ? seconds + ".0" : seconds;
}

std::string ConversionHints::lengthOf(Type type, llvm::StringRef text) {
  return foreignMethod(sema.modules->hints(), type, "length", text, {});
}

void ConversionHints::noteMethod(mlir::InFlightDiagnostic &d, Range range, Type base,
                                 llvm::StringRef name, llvm::StringRef baseText,
                                 llvm::StringRef argument) {
  std::string call = foreignMethod(sema.modules->hints(), base, name, baseText, argument);
  if (!call.empty())
    sema.diags.note(d, range, Diag::note_did_you_mean, call);
}

void ConversionHints::noteTruth(mlir::InFlightDiagnostic &d, const typed::Expr &e, bool isNegated) {
  Type type = e.type;
  const Range *formal = sema.impl->formalUse(e);
  Range range = formal ? *formal : e.range;
  std::string text = sema.diags.text(range).str(), instead;
  if (!llvm::all_of(text,
                    [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }))
    text = "(" + text + ")";
  if (auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
      constant && !formal && type->isInteger())
    instead = (constant->integer() != 0) != isNegated ? "true" : "false";
  else if (type->kind == SplType::Optional)
    instead = (isNegated ? "!" : "") + text + "??";
  else if (type->isCollection())
    instead = lengthOf(type, sema.diags.text(range)) + (isNegated ? " == 0" : " > 0");
  else if (type->isString())
    instead =
        text + (isNegated ? " == " : " != ") + (type->kind == SplType::UString ? "\"\"u" : "\"\"");
  else if (type->isInteger() || type->isFloat() || type->isDecimal())
    instead = text + (isNegated ? " == " : " != ") + (type->isFloat() ? "0.0" : "0") +
              literalSuffix(type);
  if (!instead.empty())
    sema.diags.note(d, range, Diag::note_did_you_mean, instead);
}

/// `list[-1]` does not count from the end.
std::nullptr_t ConversionHints::negativeIndex(const ast::SubscriptExpr *e, Type base,
                                              int64_t index) {
  auto d = sema.diags.report(e->range, Diag::err_constant_fails, "the subscript is negative");
  llvm::StringRef text = sema.diags.text(e->base->range);
  sema.diags.note(d, e->range, Diag::note_did_you_mean,
                  (text + "[" + lengthOf(base, text) + " - " +
                   sema.diags.text(e->index->range).ltrim("-( ").rtrim(") ") + "]")
                      .str());
  return nullptr;
}

/// `counts.word` where `counts` is a list or a map of tuples.
void ConversionHints::noteElement(mlir::InFlightDiagnostic &d, Type type,
                                  const ast::MemberExpr &e) {
  if (type->kind == SplType::Map && type->args[0]->isString() &&
      type->args[1]->kind != SplType::Tuple) { // `counts.word` for `counts["word"]`
    llvm::StringRef key = e.name.text, end = type->args[0]->kind == SplType::UString ? "\"u" : "\"";
    return sema.diags.note(d, e.name.range, Diag::note_did_you_mean,
                           (sema.diags.text(e.base->range) + "[" +
                            (lookup(key) ? key.str() : "\"" + key.str() + end.str()) + "]")
                               .str());
  }
  bool isIndexed = type->kind == SplType::List || type->kind == SplType::Map;
  if (!isIndexed || type->args.back()->kind != SplType::Tuple ||
      !type->args.back()->attribute(e.name.text))
    return;
  llvm::StringRef index = type->kind == SplType::List ? "[0]." : "[key].";
  sema.diags.note(d, e.name.range, Diag::note_element_attribute,
                  (sema.diags.text(e.base->range) + index + e.name.text).str());
}

/// Which attribute of a tuple literal has the value `element`.
static std::string nameOf(const typed::Expr &literal, const typed::Expr &element) {
  auto &elements = llvm::cast<typed::AggregateExpr>(literal).elements;
  auto at = llvm::find_if(elements, [&](const ExprPtr &e) { return e.get() == &element; });
  return literal.type->attributes[at - elements.begin()].first;
}

void ConversionHints::noteAttribute(mlir::InFlightDiagnostic &d, Type tuple,
                                    const std::string &name, Type other) {
  std::optional<Range> range = sema.attributePlace(tuple, name);
  if (!range)
    return;
  if (sema.suspicions.withdraws(d, {Doubt::AttributeType, {.place = *range, .object = other}}))
    return;
  sema.diags.note(d, *range, Diag::note_attribute_declared, name, tuple->attribute(name)->str());
}

void ConversionHints::noteMembers(mlir::InFlightDiagnostic &d, Range range, Type enumeration) {
  sema.diags.note(d, range, Diag::note_enum_members,
                  "`" + llvm::join(enumeration->members, "`, `") + "`");
}

/// What stands for the difference of two times, and for a time in seconds. False if it is neither.
bool ConversionHints::noteTime(mlir::InFlightDiagnostic &d, const typed::Expr &e, Type want) {
  auto *difference = llvm::dyn_cast<typed::BinaryExpr>(&e);
  if (difference && e.type->kind == SplType::Timestamp && want->isNumeric() &&
      !canCast(e.type, want)) {
    sema.diags.note(d, e.range, Diag::note_seconds_between, sema.diags.text(difference->lhs->range),
                    sema.diags.text(difference->rhs->range), sema.modules->hints().role("between"));
    return true;
  }
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  if (!constant || !e.type->isString() || !want->isFloat())
    return false;
  std::string seconds = secondsOf(constant->text());
  if (!seconds.empty())
    sema.diags.note(d, e.range, Diag::note_time_in_seconds, seconds);
  return !seconds.empty();
}

/// How the value could be converted: by another literal, an argument of another type, or a cast.
void ConversionHints::noteCast(mlir::InFlightDiagnostic &d, const typed::Expr &e, Type want) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  bool isDate = constant && want->kind == SplType::Timestamp && e.type->isString() &&
                !llvm::StringRef(constant->text()).starts_with("(");
  llvm::StringRef instead = isDate ? sema.modules->hints().call("", want, {"literal"}) : "";
  if (!instead.empty())
    return sema.diags.note(d, e.range, Diag::note_foreign, instead);
  if (constant && e.type->isNumeric() && want->kind == SplType::Enum)
    return noteMembers(d, e.range, want);
  if (constant && !constant->isDefault() && noteLiteral(d, *constant, want))
    return;
  if (std::string call = castArgument(e, want); !call.empty())
    return sema.diags.note(d, e.range, Diag::note_cast_argument, call);
  sema.diags.note(d, e.range, Diag::note_use_cast, want->str());
}

/// How the user could get a value of type `want`: another literal, a suffix, or a cast.
void ConversionHints::noteConversion(mlir::InFlightDiagnostic &d, const typed::Expr &e, Type want) {
  if (isLiftedTo(want, e.type)) {
    noteUnwrap(d, e);
    return;
  }
  if (want == boolean() && (e.type->isNumeric() || e.type->isCollection()))
    return noteTruth(d, e);
  auto *conditional = llvm::dyn_cast<typed::ConditionalExpr>(&e);
  if (conditional && llvm::isa<typed::ConstExpr>(*conditional->then) &&
      e.type->kind != SplType::Enum)
    return noteConversion(d, *conditional->then, want);
  // The text of a collection is hardly what was meant.
  bool hasParts = e.type->isCollection() || e.type->kind == SplType::Tuple;
  bool helps = e.type != want && helpsToCast(e, want) && !(hasParts && want->isString());
  // The value of a formal has the type of the formal; it is converted where that is used.
  if (const Range *formal = sema.impl->formalUse(e)) {
    if (helps)
      sema.diags.note(d, *formal, Diag::note_did_you_mean,
                      ("(" + want->str() + ") " + sema.diags.text(*formal)).str());
    return;
  }
  llvm::StringRef literal = otherLiteral(e.type, want, sema.diags.text(e.range));
  if (!literal.empty())
    return sema.diags.note(d, e.range, Diag::note_literal_form, want->info().keyword, literal);
  if (auto [element, type] = wrongElement(e, want); element) {
    if (want->kind == SplType::Tuple)
      noteAttribute(d, want, nameOf(e, *element), element->type);
    return noteConversion(d, *element, type);
  }
  noteDifference(sema.diags, d, e.range, e.type, want);
  auto *field = llvm::dyn_cast<typed::FieldExpr>(&e);
  if (field && e.type != want && helpsToCast(e, want))
    noteAttribute(d, field->base->type, field->base->type->attributes[field->index].first, want);
  if (!noteTime(d, e, want) && helps)
    noteCast(d, e, want);
}

/// `=` for `==`, or `=~` of Perl. The side of an assignment that is one as well is `a = b = c`.
void ConversionHints::noteComparison(mlir::InFlightDiagnostic &d, const ast::AssignExpr *e) {
  auto *negated = llvm::dyn_cast<ast::UnaryExpr>(e->rhs);
  if (negated && negated->op == ast::UnaryOp::BitNot &&
      sema.diags.text(negated->operand->range).starts_with("\"") &&
      negated->range.begin == e->opRange.end)
    noteMethod(d, e->opRange, types.get(SplType::RString), "=~", sema.diags.text(e->lhs->range),
               sema.diags.text(negated->operand->range));
  else if (!e->compound)
    sema.diags.note(d, e->opRange, Diag::note_did_you_mean, "==");
}
