//===- ConstFold.cpp - operators on constants -------------------*- C++ -*-===//
//
// A node is folded when its operands are constants. What would fail at run time
// (division by zero, a subscript out of range) fails here.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <limits>

using namespace sluice;
using namespace sluice::sema;
using Op = ast::BinaryOp;

//===--- constants --------------------------------------------------------===//

bool sema::isConstant(const typed::Expr &e) {
  auto *literal = llvm::dyn_cast<typed::AggregateExpr>(&e);
  return llvm::isa<typed::ConstExpr>(e) ||
         (literal &&
          llvm::all_of(literal->elements, [](const ExprPtr &part) { return isConstant(*part); }));
}

/// The constant that `e` is, other than a default value; or null.
static const typed::ConstExpr *asScalar(const ExprPtr &e) {
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(e.get());
  return constant && !constant->isDefault() ? constant : nullptr;
}

Folded sema::foldTo(ExprPtr &e, typed::ConstExpr::Value value) {
  e = std::make_unique<typed::ConstExpr>(e->type, e->range, std::move(value));
  return {Folded::Done, ""};
}

Folded sema::foldToText(ExprPtr &e, std::string text) {
  if (e->type->bound && text.size() > e->type->bound)
    text.resize(e->type->bound);
  return foldTo(e, std::move(text));
}

/// Replaces `e` by a part of it, at the place of `e`.
static Folded foldToPart(ExprPtr &e, ExprPtr &part) {
  ExprPtr result = std::move(part);
  result->range = e->range;
  e = std::move(result);
  return {Folded::Done, ""};
}

//===--- operators --------------------------------------------------------===//

static Folded divide(ExprPtr &e, Op op, int64_t l, int64_t r) {
  Type type = e->type;
  if (r == 0)
    return {Folded::Fails, "division by zero"};
  if (!type->isSigned()) {
    uint64_t a = uint64_t(l), b = uint64_t(r);
    return foldTo(e, int64_t(op == Op::Div ? a / b : a % b));
  }
  int64_t least = std::numeric_limits<int64_t>::min() >> (64 - type->bits());
  if (l == least && r == -1)
    return {Folded::Fails, "the quotient is out of range"};
  return foldTo(e, op == Op::Div ? l / r : l % r);
}

/// The result of an operation of signed integers, which has lost bits if `exact` differs.
static Folded signedResult(ExprPtr &e, const llvm::APInt &exact) {
  foldTo(e, int64_t(exact.trunc(64).getZExtValue()));
  if (exact.getSignificantBits() <= e->type->bits())
    return {Folded::Done, ""};
  return {Folded::Wraps, llvm::toString(exact, 10, /*Signed=*/true)};
}

static Folded signedIntegers(ExprPtr &e, Op op, int64_t l, int64_t r) {
  llvm::APInt a(128, uint64_t(l), /*isSigned=*/true), b(128, uint64_t(r), /*isSigned=*/true);
  return signedResult(e, op == Op::Add ? a + b : op == Op::Sub ? a - b : a * b);
}

static Folded integers(ExprPtr &e, Op op, int64_t l, int64_t r) {
  if (e->type->isSigned() && (op == Op::Add || op == Op::Sub || op == Op::Mul))
    return signedIntegers(e, op, l, r);
  Type type = e->type;
  uint64_t a = uint64_t(l), b = uint64_t(r), count = b & (type->bits() - 1);
  switch (op) {
  case Op::Add:
    return foldTo(e, int64_t(a + b));
  case Op::Sub:
    return foldTo(e, int64_t(a - b));
  case Op::Mul:
    return foldTo(e, int64_t(a * b));
  case Op::Div:
  case Op::Rem:
    return divide(e, op, l, r);
  case Op::Shl:
    return foldTo(e, int64_t(a << count));
  case Op::Shr:
    return foldTo(e, type->isSigned() ? l >> count : int64_t(a >> count));
  case Op::BitAnd:
    return foldTo(e, l & r);
  case Op::BitOr:
    return foldTo(e, l | r);
  case Op::BitXor:
    return foldTo(e, l ^ r);
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
  case Op::In:
  case Op::And:
  case Op::Or:
    break;
  }
  return {};
}

static Folded reals(ExprPtr &e, Op op, double l, double r) {
  switch (op) {
  case Op::Add:
    return foldTo(e, l + r);
  case Op::Sub:
    return foldTo(e, l - r);
  case Op::Mul:
    return foldTo(e, l * r);
  case Op::Div:
    return foldTo(e, l / r);
  case Op::Rem:
  case Op::Shl:
  case Op::Shr:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
  case Op::BitAnd:
  case Op::BitXor:
  case Op::BitOr:
  case Op::In:
  case Op::And:
  case Op::Or:
    break;
  }
  return {};
}

static Folded booleans(ExprPtr &e, Op op, int64_t l, int64_t r) {
  return foldTo(e, op == Op::BitAnd ? l & r : op == Op::BitOr ? l | r : l ^ r);
}

template <typename T> static bool compare(Op op, const T &l, const T &r) {
  switch (op) {
  case Op::Lt:
    return l < r;
  case Op::Le:
    return l <= r;
  case Op::Gt:
    return l > r;
  case Op::Ge:
    return l >= r;
  case Op::Eq:
    return l == r;
  case Op::Ne:
    return l != r;
  case Op::Mul:
  case Op::Div:
  case Op::Rem:
  case Op::Add:
  case Op::Sub:
  case Op::Shl:
  case Op::Shr:
  case Op::BitAnd:
  case Op::BitXor:
  case Op::BitOr:
  case Op::In:
  case Op::And:
  case Op::Or:
    break;
  }
  llvm_unreachable("not a comparison");
}

static Folded binary(ExprPtr &e) {
  auto &node = llvm::cast<typed::BinaryExpr>(*e);
  const typed::ConstExpr *l = asScalar(node.lhs), *r = asScalar(node.rhs);
  if (node.op.lift != typed::Lift::None || !l || !r)
    return {};
  Type type = l->type;
  if (type->isDecimal())
    return {}; // the runtime computes with them
  Op op = node.op.op;
  bool isComparison = op >= Op::Lt && op <= Op::Ne;
  if (type->isFloat())
    return isComparison ? foldTo(e, int64_t(compare(op, l->real(), r->real())))
                        : reals(e, op, l->real(), r->real());
  if (type->isString())
    return isComparison ? foldTo(e, int64_t(compare(op, l->text().compare(r->text()), 0)))
                        : foldToText(e, (l->text() + r->text()).str()); // only + is defined
  if (isComparison && type->kind == SplType::UInt64)
    return foldTo(e, int64_t(compare(op, uint64_t(l->integer()), uint64_t(r->integer()))));
  if (isComparison)
    return foldTo(e, int64_t(compare(op, l->integer(), r->integer())));
  return type->kind == SplType::Boolean ? booleans(e, op, l->integer(), r->integer())
                                        : integers(e, op, l->integer(), r->integer());
}

static Folded unary(ExprPtr &e) {
  auto &node = llvm::cast<typed::UnaryExpr>(*e);
  const typed::ConstExpr *x = asScalar(node.operand);
  if (!x)
    return {};
  switch (node.op) {
  case typed::UnaryOp::Neg:
    if (e->type->isDecimal())
      return foldTo(e, x->text().starts_with("-") ? x->text().drop_front().str()
                                                  : "-" + x->text().str());
    return e->type->isFloat() ? foldTo(e, -x->real())
                              : foldTo(e, int64_t(0 - uint64_t(x->integer())));
  case typed::UnaryOp::Not:
    return foldTo(e, int64_t(!x->integer()));
  case typed::UnaryOp::BitNot:
    return foldTo(e, ~x->integer());
  }
  llvm_unreachable("all unary operators are covered");
}

//===--- parts ------------------------------------------------------------===//

static Folded logical(ExprPtr &e) {
  auto &node = llvm::cast<typed::LogicalExpr>(*e);
  const typed::ConstExpr *lhs = asScalar(node.lhs);
  if (!lhs)
    return {};
  if (bool(lhs->integer()) == node.isAnd)
    return foldToPart(e, node.rhs);
  return foldTo(e, int64_t(!node.isAnd));
}

static Folded conditional(ExprPtr &e) {
  auto &node = llvm::cast<typed::ConditionalExpr>(*e);
  const typed::ConstExpr *condition = asScalar(node.condition);
  if (!condition)
    return {};
  return foldToPart(e, condition->integer() ? node.then : node.otherwise);
}

static Folded field(ExprPtr &e) {
  auto &node = llvm::cast<typed::FieldExpr>(*e);
  auto *tuple = llvm::dyn_cast<typed::AggregateExpr>(node.base.get());
  if (!tuple || !isConstant(*tuple))
    return {};
  return foldToPart(e, tuple->elements[node.index]);
}

static Folded index(ExprPtr &e) {
  auto &node = llvm::cast<typed::IndexExpr>(*e);
  Type base = node.base->type;
  const typed::ConstExpr *at = asScalar(node.index);
  bool isKnown = base->kind == SplType::List || base->kind == SplType::RString;
  if (!at || !isKnown)
    return {};
  auto *list = llvm::dyn_cast<typed::AggregateExpr>(node.base.get());
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(node.base.get());
  bool isNegative = at->type->isSigned() && at->integer() < 0;
  if (!list && !constant) // the size is not known, the sign is
    return isNegative ? Folded{Folded::Fails, "the subscript is negative"} : Folded();
  // A constant list that is no literal is empty.
  size_t size = list                             ? list->elements.size()
                : base->kind == SplType::RString ? constant->text().size()
                                                 : 0;
  size_t i = size_t(at->integer());
  if (isNegative || i >= size)
    return {Folded::Fails, "the subscript is out of range"};
  if (constant)
    return foldTo(e, std::string(1, constant->text()[i]));
  return isConstant(*list) ? foldToPart(e, list->elements[i]) : Folded();
}

/// The size is not looked at, the sign of the lower bound is.
static Folded slice(const typed::SliceExpr &node) {
  const typed::ConstExpr *lo = node.low ? asScalar(node.low) : nullptr;
  bool isNegative = lo && lo->type->isSigned() && lo->integer() < 0;
  return isNegative ? Folded{Folded::Fails, "the slice begins before the first element"} : Folded();
}

Folded sema::foldNode(ExprPtr &e) {
  using Kind = typed::ExprKind;
  switch (e->kind) {
  case Kind::Unary:
    return unary(e);
  case Kind::Binary:
    return binary(e);
  case Kind::Logical:
    return logical(e);
  case Kind::Conditional:
    return conditional(e);
  case Kind::Cast:
    return foldCast(e);
  case Kind::Index:
    return index(e);
  case Kind::Field:
    return field(e);
  case Kind::Slice:
    return slice(llvm::cast<typed::SliceExpr>(*e));
  case Kind::In:
  case Kind::Call:
  case Kind::NativeCall:
  case Kind::OutputFn: // computed at run time, even of constants
  case Kind::Const:
  case Kind::ListLit:
  case Kind::SetLit:
  case Kind::MapLit:
  case Kind::TupleLit: // constant already, if their elements are
  case Kind::Var:
  case Kind::Tuple:
  case Kind::History:
  case Kind::Punct:
  case Kind::Present:
  case Kind::Unwrap:
  case Kind::OrElse:
  case Kind::InRange: // of a number that is no constant
  case Kind::Supplied:
  case Kind::SubmissionValue:
  case Kind::Assign:
  case Kind::IncDec:
  case Kind::Submit:
    return {};
  }
  llvm_unreachable("all kinds of expressions are covered");
}
