//===- ConstFold.cpp - operators on constants -------------------*- C++ -*-===//
//
// A node is folded when its operands are constants. What would fail at run time
// (division by zero, a subscript out of range) fails here.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/expr/Checker.h"
#include <cmath>
#include <limits>

using namespace sluice;
using namespace sluice::sema;
using Op = ast::BinaryOp;

//===--- constants --------------------------------------------------------===//

bool sema::isConstant(const typed::Expr &e) {
  if (e.kind == TK::Const)
    return true;
  bool isLiteral = e.kind == TK::ListLit || e.kind == TK::SetLit || e.kind == TK::MapLit ||
                   e.kind == TK::TupleLit;
  return isLiteral && llvm::all_of(e.args, [](const ExprPtr &a) { return isConstant(*a); });
}

ExprPtr sema::clone(const typed::Expr &e) {
  auto copy = std::make_unique<typed::Expr>();
  copy->kind = e.kind;
  copy->type = e.type;
  copy->range = e.range;
  copy->isDefault = e.isDefault;
  copy->integer = e.integer;
  copy->real = e.real;
  copy->text = e.text;
  for (const ExprPtr &arg : e.args)
    copy->args.push_back(clone(*arg));
  return copy;
}

void sema::normalize(typed::Expr &e) {
  if (e.type->kind == SplType::Float32)
    e.real = float(e.real);
  if (!e.type->isInteger())
    return;
  unsigned unused = 64 - e.type->bits();
  uint64_t bits = uint64_t(e.integer) << unused;
  e.integer = e.type->isSigned() ? int64_t(bits) >> unused : int64_t(bits >> unused);
}

static bool isScalar(const typed::Expr &e) { return e.kind == TK::Const && !e.isDefault; }

/// Turns `e` into a constant of its own type.
static Folded become(ExprPtr &e, int64_t integer) {
  e->kind = TK::Const;
  e->args.clear();
  e->integer = integer;
  normalize(*e);
  return {Folded::Done, ""};
}
static Folded becomeReal(ExprPtr &e, double real) {
  e->kind = TK::Const;
  e->args.clear();
  e->real = real;
  normalize(*e);
  return {Folded::Done, ""};
}
static Folded replace(ExprPtr &e, ExprPtr by) {
  by->range = e->range;
  e = std::move(by);
  return {Folded::Done, ""};
}

//===--- operators --------------------------------------------------------===//

static Folded divide(ExprPtr &e, int64_t l, int64_t r) {
  Type type = e->type;
  bool isDiv = e->op == Op::Div;
  if (r == 0)
    return {Folded::Fails, "division by zero"};
  if (!type->isSigned()) {
    uint64_t a = uint64_t(l), b = uint64_t(r);
    return become(e, int64_t(isDiv ? a / b : a % b));
  }
  int64_t least = std::numeric_limits<int64_t>::min() >> (64 - type->bits());
  if (l == least && r == -1)
    return {Folded::Fails, "the quotient is out of range"};
  return become(e, isDiv ? l / r : l % r);
}

static Folded integers(ExprPtr &e, int64_t l, int64_t r) {
  Type type = e->type;
  uint64_t a = uint64_t(l), b = uint64_t(r), count = b & (type->bits() - 1);
  switch (e->op) {
  case Op::Add:
    return become(e, int64_t(a + b));
  case Op::Sub:
    return become(e, int64_t(a - b));
  case Op::Mul:
    return become(e, int64_t(a * b));
  case Op::Div:
  case Op::Rem:
    return divide(e, l, r);
  case Op::Shl:
    return become(e, int64_t(a << count));
  case Op::Shr:
    return become(e, type->isSigned() ? l >> count : int64_t(a >> count));
  case Op::BitAnd:
    return become(e, l & r);
  case Op::BitOr:
    return become(e, l | r);
  case Op::BitXor:
    return become(e, l ^ r);
  default:
    return {};
  }
}

static Folded reals(ExprPtr &e, double l, double r) {
  switch (e->op) {
  case Op::Add:
    return becomeReal(e, l + r);
  case Op::Sub:
    return becomeReal(e, l - r);
  case Op::Mul:
    return becomeReal(e, l * r);
  case Op::Div:
    return becomeReal(e, l / r);
  default:
    return {};
  }
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
  default:
    return l != r;
  }
}

static Folded binary(ExprPtr &e) {
  const typed::Expr &l = *e->args[0], &r = *e->args[1];
  if (e->lift != typed::Expr::NoLift || !isScalar(l) || !isScalar(r))
    return {};
  Type type = l.type;
  bool isComparison = e->op >= Op::Lt && e->op <= Op::Ne;
  if (type->isFloat())
    return isComparison ? become(e, compare(e->op, l.real, r.real)) : reals(e, l.real, r.real);
  if (type->kind == SplType::RString) {
    if (isComparison)
      return become(e, compare(e->op, llvm::StringRef(l.text).compare(r.text), 0));
    std::string text = l.text + r.text; // only + is defined
    e->kind = TK::Const;
    e->text = std::move(text);
    e->args.clear();
    return {Folded::Done, ""};
  }
  bool isInteger =
      type->isInteger() || type->kind == SplType::Boolean || type->kind == SplType::Enum;
  if (!isInteger)
    return {};
  if (!isComparison)
    return type->kind == SplType::Boolean ? become(e, e->op == Op::BitAnd  ? l.integer & r.integer
                                                      : e->op == Op::BitOr ? l.integer | r.integer
                                                                           : l.integer ^ r.integer)
                                          : integers(e, l.integer, r.integer);
  if (type->kind == SplType::UInt64)
    return become(e, compare(e->op, uint64_t(l.integer), uint64_t(r.integer)));
  return become(e, compare(e->op, l.integer, r.integer));
}

static Folded unary(ExprPtr &e) {
  const typed::Expr &x = *e->args[0];
  if (!isScalar(x))
    return {};
  switch (e->kind) {
  case TK::Neg:
    if (e->type->isFloat())
      return becomeReal(e, -x.real);
    return e->type->isInteger() ? become(e, int64_t(0 - uint64_t(x.integer))) : Folded();
  case TK::Not:
    return become(e, !x.integer);
  default:
    return become(e, ~x.integer);
  }
}

//===--- parts ------------------------------------------------------------===//

static Folded index(ExprPtr &e) {
  typed::Expr &base = *e->args[0], &at = *e->args[1];
  if (!isScalar(at) || !at.type->isInteger())
    return {};
  bool isNegative = at.type->isSigned() && at.integer < 0;
  bool isText = base.type->kind == SplType::RString && isScalar(base);
  bool isList = base.kind == TK::ListLit ||
                (base.kind == TK::Const && base.isDefault && base.type->kind == SplType::List);
  if (!isText && !isList) // the size is not known, the sign is
    return isNegative && base.type->kind != SplType::Map
               ? Folded{Folded::Fails, "the subscript is negative"}
               : Folded();
  size_t size = isText ? base.text.size() : base.args.size(), i = size_t(at.integer);
  if (isNegative || i >= size)
    return {Folded::Fails, "the subscript is out of range"};
  if (isText) {
    std::string text(1, base.text[i]);
    e->kind = TK::Const;
    e->text = text;
    e->args.clear();
    return {Folded::Done, ""};
  }
  if (!isConstant(base))
    return {};
  return replace(e, std::move(base.args[i]));
}

Folded sema::foldNode(ExprPtr &e) {
  switch (e->kind) {
  case TK::Neg:
  case TK::Not:
  case TK::BitNot:
    return unary(e);
  case TK::Binary:
    return binary(e);
  case TK::Cast:
    return foldCast(e);
  case TK::Index:
    return index(e);
  case TK::Field:
    if (isConstant(*e->args[0]) && e->args[0]->kind == TK::TupleLit)
      return replace(e, std::move(e->args[0]->args[e->index]));
    return {};
  case TK::And:
  case TK::Or:
    if (!isScalar(*e->args[0]))
      return {};
    if (bool(e->args[0]->integer) == (e->kind == TK::And))
      return replace(e, std::move(e->args[1]));
    return become(e, e->kind == TK::Or);
  case TK::Conditional:
    if (isScalar(*e->args[0]))
      return replace(e, std::move(e->args[e->args[0]->integer ? 1 : 2]));
    return {};
  default:
    return {};
  }
}
