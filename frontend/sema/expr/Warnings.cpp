//===- Warnings.cpp - what is legal and hardly meant ------------------------===//

#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/call/Calls.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace sluice;
using namespace sluice::sema;
using Op = ast::BinaryOp;
using llvm::StringRef;

//===--- variables ----------------------------------------------------------===//

void Warnings::isOnlyWritten(const typed::Expr &place) {
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&typed::rootOf(place)))
    --sema.impl->reads[var->var];
}

void sema::warnUnread(Sema &sema, const std::deque<typed::Variable> &variables) {
  for (const typed::Variable &variable : variables) {
    bool isOwn = variable.kind == typed::Variable::Local || variable.kind == typed::Variable::State;
    if (isOwn && !sema.impl->reads.lookup(&variable))
      sema.diags.report(variable.range, Diag::warn_unread, variable.name);
  }
}

void Sema::warnUnread(const typed::Operator &op) { sema::warnUnread(*this, op.variables); }

//===--- statements ---------------------------------------------------------===//

static bool hasCall(const typed::Expr &e) {
  return typed::anyExpr(e, [](const typed::Expr &part) {
    return llvm::isa<typed::AnyCallExpr, typed::OutputFnExpr, typed::AssignExpr, typed::IncDecExpr,
                     typed::SubmitExpr>(part);
  });
}

/// A call may have been folded away.
void Warnings::warnNoEffect(const ast::Expr *written, const typed::Expr &e) {
  if (!llvm::isa<ast::CallExpr>(stripParens(written)) && !hasCall(e))
    sema.diags.report(written->range, Diag::warn_no_effect);
}

/// `remove(map, key);` for `removeM(map, key);`.
void Warnings::warnResultUnused(const ast::Expr *written, const typed::Expr &e) {
  auto *call = llvm::dyn_cast<typed::NativeCallExpr>(&e);
  if (!call || call->type->kind == SplType::Void || call->proto->native)
    return;
  const typed::Prototype &proto = *call->proto;
  bool isPure = !proto.isStateful && proto.facts.effects == spl::Effect::none &&
                !proto.facts.is(spl::CallTrait::waits) &&
                !llvm::is_contained(proto.isMutable, true);
  if (!isPure)
    return;
  auto d = sema.diags.report(written->range, Diag::warn_result_unused, proto.name);
  std::string changing = proto.name + "M";
  if (!Calls(checker).candidates("", changing, Reach::Namespace).empty())
    sema.diags.note(d, written->range, Diag::note_changing_call, changing);
}

/// `float64 mean = sum / count;`, where both are integers.
void Warnings::warnFractionDropped(const ast::Expr *written, const typed::Expr &value, Type want) {
  warnResultTruncated(value, want);
  auto *division = llvm::dyn_cast<ast::BinaryExpr>(stripParens(written));
  bool isDropped = division && division->op == Op::Div && !division->dotted &&
                   value.type->isInteger() && (want->isFloat() || want->isDecimal());
  if (!isDropped)
    return;
  auto d = sema.diags.report(division->range, Diag::warn_fraction_dropped, want->str());
  auto operand = [&](const ast::Expr *e) {
    bool isSimple = llvm::isa<ast::NameExpr, ast::LiteralExpr, ast::CallExpr, ast::ParenExpr>(e);
    std::string text = sema.diags.text(e->range).str();
    return "(" + want->str() + ") " + (isSimple ? text : "(" + text + ")");
  };
  sema.diags.note(d, division->range, Diag::note_convert_operands,
                  operand(division->lhs) + " / " + operand(division->rhs));
}

/// `(float64) Average(count)`, where `count` is an integer; also of lists, element by element.
void Warnings::warnResultTruncated(const typed::Expr &call, Type want) {
  const typed::Prototype *proto = truncating(call);
  bool areLists = call.type->kind == SplType::List && want->kind == SplType::List;
  Type from = areLists ? call.type->args[0] : call.type, to = areLists ? want->args[0] : want;
  bool isLost = from->isInteger() && (to->isFloat() || to->isDecimal());
  if (!proto || !isLost)
    return;
  auto d = sema.diags.report(call.range, Diag::warn_result_truncated, proto->name, want->str());
  if (std::string argument = ConversionHints(checker).castArgument(call, want); !argument.empty())
    sema.diags.note(d, call.range, Diag::note_cast_argument, argument);
}

/// Whether elements that are texts become values of other types, or the other way round.
static bool convertsTexts(Type have, Type want) {
  if (have->kind != want->kind)
    return have->isString() != want->isString();
  return llvm::any_of(llvm::zip(have->args, want->args), [](auto pair) {
    return convertsTexts(std::get<0>(pair), std::get<1>(pair));
  });
}

/// `list<int32> words = tokenize(line, " ", false);`, `rstring words = tokenize(line, " ",
/// false);`.
void Warnings::warnTextConverted(const ast::Expr *written, Type have, Type want) {
  bool areValues = have->isPrimitive() && want->isPrimitive();
  if (areValues || !convertsTexts(have, want))
    return;
  auto d = sema.diags.report(written->range, Diag::warn_text_converted, have->str(), want->str());
  sema.diags.note(d, written->range, Diag::note_cast_if_meant,
                  "(" + want->str() + ") " + sema.diags.text(written->range).str());
}

/// `{"a" : 1, "a" : 2}`.
void Warnings::warnKeyTwice(llvm::ArrayRef<ExprPtr> keys) {
  llvm::StringMap<Range> seen;
  for (const ExprPtr &key : keys) {
    auto *constant = llvm::dyn_cast<typed::ConstExpr>(key.get());
    if (!constant || !(key->type->isString() || key->type->isInteger()))
      continue;
    std::string value =
        key->type->isString() ? constant->text().str() : std::to_string(constant->integer());
    auto [first, isNew] = seen.try_emplace(value, key->range);
    if (isNew)
      continue;
    auto d = sema.diags.report(key->range, Diag::warn_map_key_twice, sema.diags.text(key->range));
    sema.diags.note(d, first->second, Diag::note_previous_here);
  }
}

/// What `x++` and the like change; null for all else.
static const ast::Expr *operandOfStep(const ast::Expr *e) {
  using U = ast::UnaryOp;
  using P = ast::PostfixOp;
  if (auto *before = llvm::dyn_cast<ast::UnaryExpr>(e))
    return before->op == U::PreInc || before->op == U::PreDec ? before->operand : nullptr;
  auto *behind = llvm::dyn_cast<ast::PostfixExpr>(e);
  return behind && (behind->op == P::Inc || behind->op == P::Dec) ? behind->operand : nullptr;
}

void Warnings::warnSelfAssign(const ast::AssignExpr *e) {
  StringRef left = sema.diags.text(e->lhs->range);
  if (const ast::Expr *stepped = operandOfStep(stripParens(e->rhs));
      stepped && left == sema.diags.text(stepped->range))
    sema.diags.report(e->range, Diag::warn_assigned_step, left, sema.diags.text(e->rhs->range));
  if (left == sema.diags.text(e->rhs->range) && left.find_first_of("([") == StringRef::npos)
    sema.diags.report(e->range, Diag::warn_self_assign, left);
}

//===--- operators ----------------------------------------------------------===//

static bool isZero(const typed::Expr &e) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&e);
  return constant && constant->type->isInteger() && constant->integer() == 0;
}

/// The constant result of `l op l`, if there is one.
static std::optional<bool> ofEquals(Op op) {
  if (op == Op::Le || op == Op::Ge || op == Op::Eq)
    return true;
  if (op == Op::Lt || op == Op::Gt || op == Op::Ne)
    return false;
  return std::nullopt;
}

static bool hasNaN(Type type) { return type->isNumeric() && !type->isInteger(); }

void Warnings::warnComparison(const ast::BinaryExpr *e, const typed::Expr &l,
                              const typed::Expr &r) {
  std::optional<bool> same = ofEquals(e->op);
  if (!same || (isConstant(l) && isConstant(r)))
    return;
  StringRef left = sema.diags.text(e->lhs->range);
  // NaN differs from itself.
  if (left == sema.diags.text(e->rhs->range) && !hasNaN(l.type) && !hasCall(l))
    sema.diags.report(e->range, Diag::warn_self_compare, left, *same ? "true" : "false");
  bool isUnsigned = l.type->isInteger() && !l.type->isSigned();
  bool below = (e->op == Op::Lt && isZero(r)) || (e->op == Op::Gt && isZero(l));
  bool notBelow = (e->op == Op::Ge && isZero(r)) || (e->op == Op::Le && isZero(l));
  if (isUnsigned && (below || notBelow))
    sema.diags.report(e->range, Diag::warn_unsigned_compare, l.type->str(),
                      below ? "false" : "true");
}

/// `2 ^ 10`, as it is written: `(2) ^ 10` means bits.
void Warnings::warnPower(const ast::BinaryExpr *e) {
  auto decimal = [&](const ast::Expr *operand, uint64_t &value) {
    return operand->kind == ast::ExprKind::Int &&
           !sema.diags.text(operand->range).getAsInteger(10, value);
  };
  uint64_t base = 0, exponent = 0;
  bool isPower = e->op == Op::BitXor && decimal(e->lhs, base) && decimal(e->rhs, exponent) &&
                 (base == 2 || base == 10);
  if (!isPower)
    return;
  auto warning =
      sema.diags.report(e->range, Diag::warn_xor_power, sema.diags.text(e->range), base ^ exponent);
  sema.diags.note(warning, e->range, Diag::note_power, "^", std::to_string(base),
                  std::to_string(exponent), sema.modules->hints().role("power"));
}

void Warnings::warnOperands(typed::BinaryOperator op, Range range, const typed::Expr &lhs,
                            const typed::Expr &rhs) {
  auto *right = llvm::dyn_cast<typed::ConstExpr>(&rhs);
  if (!right || !right->type->isInteger())
    return;
  Type element = lhs.type->isCollection() ? lhs.type->args.back() : lhs.type;
  bool isDivision = op.op == Op::Div || op.op == Op::Rem;
  if (isDivision && isZero(rhs) && !llvm::isa<typed::ConstExpr>(lhs)) // else it is an error
    sema.diags.report(range, Diag::warn_divisor_zero);
  if ((op.op != Op::Shl && op.op != Op::Shr) || !element->isInteger())
    return;
  int64_t count = right->integer(), bits = element->bits();
  if (count < 0 || count >= bits)
    sema.diags.report(range, Diag::warn_shift_width, element->str(), count, bits,
                      count & (bits - 1));
}

//===--- conversions --------------------------------------------------------===//

static llvm::APSInt exactInteger(const typed::ConstExpr &e) {
  return llvm::APSInt(llvm::APInt(64, uint64_t(e.integer())), !e.type->isSigned());
}

static std::string numberText(const typed::ConstExpr &e) {
  if (e.type->isInteger())
    return llvm::toString(exactInteger(e), 10);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.15g", e.real());
  return text;
}

/// Whether the integer `from` lies in none of the ranges that the bits of `to` can stand for.
static bool losesBits(const typed::ConstExpr &from, Type to) {
  llvm::APSInt value = exactInteger(from);
  return value.isNegative() ? value.getSignificantBits() > to->bits()
                            : value.getActiveBits() > to->bits();
}

/// Whether the constant stands for bits more than for a number: `(uint8) -1`, `(int32) ~0u`.
static bool isOfBits(const typed::ConstExpr &e, StringRef text) {
  return text.find_first_of("~&|^") != StringRef::npos || text.contains("0x") ||
         text.contains("<<") || (e.type->isSigned() && e.integer() == -1);
}

bool sema::isChanged(const typed::ConstExpr &from, const typed::ConstExpr &to, bool isWritten) {
  if (from.type->isInteger() && to.type->isInteger())
    return !llvm::APSInt::isSameValue(exactInteger(from), exactInteger(to));
  if (from.type->isFloat() && to.type->isFloat())
    return std::isinf(to.real()) && !std::isinf(from.real());
  if (from.type->isFloat()) {
    double kept = isWritten ? std::trunc(from.real()) : from.real();
    return kept != (to.type->isSigned() ? double(to.integer()) : double(uint64_t(to.integer())));
  }
  double real = from.type->isSigned() ? double(from.integer()) : double(uint64_t(from.integer()));
  return !isWritten && real != to.real();
}

void sema::warnChanged(Diagnostics &diags, const typed::ConstExpr &from, const typed::Expr &to,
                       bool isWritten) {
  auto *result = llvm::dyn_cast<typed::ConstExpr>(&to);
  if (!result)
    return;
  StringRef text = diags.text(from.range);
  bool isHex = text.starts_with("0x") && from.type->isInteger();
  bool areIntegers = from.type->isInteger() && result->type->isInteger();
  bool isPattern = areIntegers && (isHex || (isWritten && isOfBits(from, text)));
  bool isWider = result->type->isInteger() && result->type->bits() > from.type->bits();
  if (isHex && !isWritten && isWider && from.integer() < 0 && !text.ends_with("s"))
    diags.report(from.range, Diag::warn_hex_sign, text, from.type->str(), from.integer());
  else if (isPattern ? losesBits(from, result->type) : isChanged(from, *result, isWritten || isHex))
    diags.report(from.range, Diag::warn_constant_changes, "`" + numberText(from) + "`",
                 result->type->str(), numberText(*result));
}
