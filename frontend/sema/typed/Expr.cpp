//===- Expr.cpp - construction of typed expressions, walks ----------------===//

#include "frontend/sema/typed/Expr.h"
#include "frontend/sema/typed/Function.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::typed;

//===--- constants and literals -------------------------------------------===//

/// The low bits of `value` that `type` has room for, extended to 64.
static int64_t wrapped(Type type, int64_t value) {
  if (!type->isInteger())
    return value;
  unsigned unused = 64 - type->bits();
  uint64_t bits = uint64_t(value) << unused;
  return type->isSigned() ? int64_t(bits) >> unused : int64_t(bits >> unused);
}

ConstExpr::ConstExpr(Type type, Range range, Value given)
    : Expr(ExprKind::Const, type, range), value(std::move(given)) {
  if (auto *integer = std::get_if<int64_t>(&value)) {
    assert(type->isInteger() || type->kind == SplType::Boolean || type->kind == SplType::Enum);
    *integer = wrapped(type, *integer);
  } else if (auto *real = std::get_if<double>(&value)) {
    assert(type->isFloat());
    if (type->kind == SplType::Float32)
      *real = float(*real);
  } else {
    assert(isDefault() || type->isIn(type_class::String | type_class::Xml) || type->isDecimal());
  }
}

llvm::StringRef ConstExpr::text() const {
  auto *text = std::get_if<std::string>(&value);
  assert(text || isDefault());
  return text ? llvm::StringRef(*text) : llvm::StringRef();
}

static ExprKind literalKind(Type type) {
  if (type->kind == SplType::List)
    return ExprKind::ListLit;
  if (type->kind == SplType::Set)
    return ExprKind::SetLit;
  if (type->kind == SplType::Map)
    return ExprKind::MapLit;
  assert(type->kind == SplType::Tuple);
  return ExprKind::TupleLit;
}

AggregateExpr::AggregateExpr(Type type, Range range, std::vector<ExprPtr> elements)
    : Expr(literalKind(type), type, range), elements(std::move(elements)) {
  assert(kind != ExprKind::MapLit || this->elements.size() % 2 == 0);
  assert(kind != ExprKind::TupleLit || this->elements.size() == type->attributes.size());
}

//===--- names and parts --------------------------------------------------===//

VarExpr::VarExpr(const Variable &var, Range range)
    : Expr(ExprKind::Var, var.type, range), var(&var) {}

TupleExpr::TupleExpr(Type type, Range range, unsigned port)
    : Expr(ExprKind::Tuple, type, range), port(port) {
  assert(type->kind == SplType::Tuple);
}

HistoryExpr::HistoryExpr(Type type, Range range, unsigned port, unsigned back)
    : Expr(ExprKind::History, type, range), port(port), back(back) {
  assert(type->kind == SplType::Tuple && back <= kMost);
}

PunctExpr::PunctExpr(Type type, Range range) : Expr(ExprKind::Punct, type, range) {
  assert(type->kind == SplType::Enum);
}

FieldExpr::FieldExpr(Range range, ExprPtr tuple, unsigned index)
    : Expr(ExprKind::Field, tuple->type->attributes[index].second, range), base(std::move(tuple)),
      index(index) {}

IndexExpr::IndexExpr(Type type, Range range, ExprPtr of, ExprPtr at)
    : Expr(ExprKind::Index, type, range), base(std::move(of)), index(std::move(at)) {
  assert(base->type->kind == SplType::Map ? index->type == base->type->args[0]
                                          : index->type->isInteger());
}

SliceExpr::SliceExpr(Range range, ExprPtr of, ExprPtr low, ExprPtr high)
    : Expr(ExprKind::Slice, of->type, range), base(std::move(of)), low(std::move(low)),
      high(std::move(high)) {
  assert(type->kind == SplType::List || type->kind == SplType::Blob || type->isString());
}

//===--- operators --------------------------------------------------------===//

UnaryExpr::UnaryExpr(Range range, UnaryOp op, ExprPtr of)
    : Expr(ExprKind::Unary, of->type, range), op(op), operand(std::move(of)) {}

BinaryExpr::BinaryExpr(Type type, Range range, BinaryOperator op, ExprPtr lhs, ExprPtr rhs)
    : Expr(ExprKind::Binary, type, range), op(op), lhs(std::move(lhs)), rhs(std::move(rhs)) {
  assert(this->lhs && this->rhs);
}

LogicalExpr::LogicalExpr(Range range, bool isAnd, ExprPtr left, ExprPtr right)
    : Expr(ExprKind::Logical, left->type, range), isAnd(isAnd), lhs(std::move(left)),
      rhs(std::move(right)) {
  assert(type->kind == SplType::Boolean && rhs->type == type);
}

InExpr::InExpr(Type boolean, Range range, ExprPtr item, ExprPtr collection)
    : Expr(ExprKind::In, boolean, range), item(std::move(item)), collection(std::move(collection)) {
  assert(this->item->type == this->collection->type->args[0]);
}

ConditionalExpr::ConditionalExpr(Range range, ExprPtr condition, ExprPtr yes, ExprPtr no)
    : Expr(ExprKind::Conditional, yes->type, range), condition(std::move(condition)),
      then(std::move(yes)), otherwise(std::move(no)) {
  assert(this->condition->type->kind == SplType::Boolean && otherwise->type == type);
}

CastExpr::CastExpr(Type to, Range range, ExprPtr operand)
    : Expr(ExprKind::Cast, to, range), operand(std::move(operand)) {
  assert(this->operand);
}

InRangeExpr::InRangeExpr(std::string word, bool positive, ExprPtr operand)
    : Expr(ExprKind::InRange, operand->type, operand->range), word(std::move(word)),
      positive(positive), operand(std::move(operand)) {
  source = this->operand->source;
}

//===--- optional values --------------------------------------------------===//

PresentExpr::PresentExpr(Type boolean, Range range, ExprPtr of)
    : Expr(ExprKind::Present, boolean, range), operand(std::move(of)) {
  assert(operand->type->kind == SplType::Optional);
}

UnwrapExpr::UnwrapExpr(Range range, ExprPtr of)
    : Expr(ExprKind::Unwrap, of->type->args[0], range), operand(std::move(of)) {}

OrElseExpr::OrElseExpr(Range range, ExprPtr of, ExprPtr other)
    : Expr(ExprKind::OrElse, other->type, range), lhs(std::move(of)), otherwise(std::move(other)) {
  assert(lhs->type->args[0] == type);
}

//===--- calls ------------------------------------------------------------===//

AnyCallExpr::AnyCallExpr(ExprKind kind, Type type, Range range, std::vector<ExprPtr> args)
    : Expr(kind, type, range), args(std::move(args)) {}

bool AnyCallExpr::isMutable(unsigned i) const {
  if (auto *native = llvm::dyn_cast<NativeCallExpr>(this))
    return i < native->proto->isMutable.size() && native->proto->isMutable[i];
  return llvm::cast<CallExpr>(this)->callee->params[i]->isMutable;
}

bool AnyCallExpr::isStateful() const {
  if (auto *native = llvm::dyn_cast<NativeCallExpr>(this))
    return native->proto->isStateful;
  return llvm::cast<CallExpr>(this)->callee->isStateful;
}

CallExpr::CallExpr(Range range, const Function &callee, std::vector<ExprPtr> args)
    : AnyCallExpr(ExprKind::Call, callee.result, range, std::move(args)), callee(&callee) {
  assert(this->args.size() == callee.params.size());
}

NativeCallExpr::NativeCallExpr(Type type, Range range, const Prototype &proto,
                               std::vector<Type> typeArgs, std::vector<ExprPtr> args)
    : AnyCallExpr(ExprKind::NativeCall, type, range, std::move(args)), proto(&proto),
      typeArgs(std::move(typeArgs)) {
  assert(this->args.size() >= proto.params.size());
  assert(this->typeArgs.size() == proto.typeVars.size());
}

OutputFnExpr::OutputFnExpr(Type type, Range range, const Prototype &proto,
                           std::vector<ExprPtr> args)
    : Expr(ExprKind::OutputFn, type, range), proto(&proto), args(std::move(args)) {}

//===--- effects ----------------------------------------------------------===//

AssignExpr::AssignExpr(Type voidType, Range range, std::optional<BinaryOperator> compound,
                       ExprPtr target, ExprPtr value)
    : Expr(ExprKind::Assign, voidType, range), compound(compound), target(std::move(target)),
      value(std::move(value)) {
  assert(hasPlaceRoot(*this->target));
  assert(compound || this->value->type == this->target->type);
}

IncDecExpr::IncDecExpr(Range range, bool isPrefix, bool isDecrement, ExprPtr of)
    : Expr(ExprKind::IncDec, of->type, range), isPrefix(isPrefix), isDecrement(isDecrement),
      place(std::move(of)) {
  assert(hasPlaceRoot(*place) && type->isNumeric());
}

SubmitExpr::SubmitExpr(Type voidType, Range range, ExprPtr value, unsigned port)
    : Expr(ExprKind::Submit, voidType, range), value(std::move(value)), port(port) {
  assert(isPunct() || this->value->type->kind == SplType::Tuple);
}

SubmissionValueExpr::SubmissionValueExpr(Type type, Range range, unsigned index,
                                         std::vector<std::string> defaults)
    : Expr(ExprKind::SubmissionValue, type, range), index(index), defaults(std::move(defaults)) {}

//===--- walks ------------------------------------------------------------===//

using Visit = llvm::function_ref<bool(const Expr &)>;

static bool anyOf(llvm::ArrayRef<ExprPtr> exprs, Visit visit) {
  return llvm::any_of(exprs, [&](const ExprPtr &e) { return visit(*e); });
}

/// Null operands are skipped.
template <typename... Operands> static bool anyOf(Visit visit, const Operands &...operands) {
  return ((operands && visit(*operands)) || ...);
}

bool typed::anyOperand(const Expr &e, Visit visit) {
  switch (e.kind) {
  case ExprKind::Const:
  case ExprKind::Var:
  case ExprKind::Tuple:
  case ExprKind::History:
  case ExprKind::Punct:
  case ExprKind::Supplied:
  case ExprKind::SubmissionValue:
    return false;
  case ExprKind::Field:
    return anyOf(visit, llvm::cast<FieldExpr>(e).base);
  case ExprKind::Index: {
    auto &index = llvm::cast<IndexExpr>(e);
    return anyOf(visit, index.base, index.index);
  }
  case ExprKind::Slice: {
    auto &slice = llvm::cast<SliceExpr>(e);
    return anyOf(visit, slice.base, slice.low, slice.high);
  }
  case ExprKind::ListLit:
  case ExprKind::SetLit:
  case ExprKind::MapLit:
  case ExprKind::TupleLit:
    return anyOf(llvm::cast<AggregateExpr>(e).elements, visit);
  case ExprKind::Unary:
    return anyOf(visit, llvm::cast<UnaryExpr>(e).operand);
  case ExprKind::Binary: {
    auto &binary = llvm::cast<BinaryExpr>(e);
    return anyOf(visit, binary.lhs, binary.rhs);
  }
  case ExprKind::Logical: {
    auto &logical = llvm::cast<LogicalExpr>(e);
    return anyOf(visit, logical.lhs, logical.rhs);
  }
  case ExprKind::In: {
    auto &in = llvm::cast<InExpr>(e);
    return anyOf(visit, in.item, in.collection);
  }
  case ExprKind::Conditional: {
    auto &conditional = llvm::cast<ConditionalExpr>(e);
    return anyOf(visit, conditional.condition, conditional.then, conditional.otherwise);
  }
  case ExprKind::Cast:
    return anyOf(visit, llvm::cast<CastExpr>(e).operand);
  case ExprKind::InRange:
    return anyOf(visit, llvm::cast<InRangeExpr>(e).operand);
  case ExprKind::Present:
    return anyOf(visit, llvm::cast<PresentExpr>(e).operand);
  case ExprKind::Unwrap:
    return anyOf(visit, llvm::cast<UnwrapExpr>(e).operand);
  case ExprKind::OrElse:
    return anyOf(visit, llvm::cast<OrElseExpr>(e).lhs, llvm::cast<OrElseExpr>(e).otherwise);
  case ExprKind::Call:
  case ExprKind::NativeCall:
    return anyOf(llvm::cast<AnyCallExpr>(e).args, visit);
  case ExprKind::OutputFn:
    return anyOf(llvm::cast<OutputFnExpr>(e).args, visit);
  case ExprKind::Assign: {
    auto &assign = llvm::cast<AssignExpr>(e);
    return anyOf(visit, assign.target, assign.value);
  }
  case ExprKind::IncDec:
    return anyOf(visit, llvm::cast<IncDecExpr>(e).place);
  case ExprKind::Submit:
    return anyOf(visit, llvm::cast<SubmitExpr>(e).value);
  }
  llvm_unreachable("all kinds of expressions are covered");
}

void typed::forEachOperand(const Expr &e, llvm::function_ref<void(const Expr &)> visit) {
  anyOperand(e, [&](const Expr &operand) {
    visit(operand);
    return false;
  });
}

bool typed::anyExpr(const Expr &e, Visit visit) {
  return visit(e) || anyOperand(e, [&](const Expr &operand) { return anyExpr(operand, visit); });
}

const Expr *typed::baseOf(const Expr &e) {
  if (auto *field = llvm::dyn_cast<FieldExpr>(&e))
    return field->base.get();
  if (auto *index = llvm::dyn_cast<IndexExpr>(&e))
    return index->base.get();
  if (auto *slice = llvm::dyn_cast<SliceExpr>(&e))
    return slice->base.get();
  if (auto *unwrap = llvm::dyn_cast<UnwrapExpr>(&e))
    return unwrap->operand.get();
  return nullptr;
}

const Expr &typed::rootOf(const Expr &e) {
  const Expr *base = baseOf(e);
  return base ? rootOf(*base) : e;
}

bool typed::hasPlaceRoot(const Expr &e) { return llvm::isa<VarExpr, TupleExpr>(rootOf(e)); }

std::optional<unsigned> typed::tuplePort(const Expr &e) {
  if (auto *tuple = llvm::dyn_cast<TupleExpr>(&e))
    return tuple->port;
  if (auto *history = llvm::dyn_cast<HistoryExpr>(&e))
    return history->port;
  return std::nullopt;
}
