//===- ConstFoldCast.cpp - casts of constants -------------------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Error.h"
#include <cmath>

using namespace sluice;
using namespace sluice::sema;

static Folded fails(llvm::StringRef text, Type to) {
  return {Folded::Fails, "\"" + text.str() + "\" is not a value of " + to->str()};
}

/// Truncates toward zero; out of range the nearest value, NaN is 0.
static int64_t toInteger(double real, Type to) {
  if (std::isnan(real))
    return 0;
  unsigned bits = to->bits();
  double low = to->isSigned() ? -std::ldexp(1.0, bits - 1) : 0;
  double high = std::ldexp(1.0, to->isSigned() ? bits - 1 : bits);
  if (real <= low)
    return to->isSigned() ? INT64_MIN >> (64 - bits) : 0;
  if (real >= high)
    return to->isSigned() ? INT64_MAX >> (64 - bits) : int64_t(UINT64_MAX >> (64 - bits));
  return to->isSigned() ? int64_t(real) : int64_t(uint64_t(real));
}

/// White space around it, a sign, decimal digits; a negative number wraps in
/// an unsigned type.
static bool parseInteger(llvm::StringRef text, Type to, int64_t &value) {
  text = text.trim(" \t\r\n\v\f");
  bool negative = text.consume_front("-");
  if (!negative)
    text.consume_front("+");
  llvm::APInt number;
  bool isDigits = !text.empty() && llvm::all_of(text, [](char c) { return llvm::isDigit(c); });
  if (!isDigits || text.getAsInteger(10, number))
    return false;
  unsigned bits = to->bits(), width = std::max(number.getBitWidth(), 64u) + 1;
  llvm::APInt max = to->isSigned() ? llvm::APInt::getSignedMaxValue(bits).zext(width) + negative
                                   : llvm::APInt::getMaxValue(bits).zext(width);
  number = number.zext(width);
  if (number.ugt(max))
    return false;
  uint64_t magnitude = number.trunc(64).getZExtValue();
  value = int64_t(negative ? 0 - magnitude : magnitude);
  return true;
}

static bool parseReal(llvm::StringRef text, Type to, double &value) {
  text = text.trim(" \t\r\n\v\f");
  bool isNumber =
      !text.empty() && text.find_first_not_of("0123456789+-.eE") == llvm::StringRef::npos;
  if (!isNumber)
    return false;
  text.consume_front("+");
  llvm::APFloat real(to->bits() == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble());
  auto status = real.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return false;
  }
  value = to->bits() == 32 ? real.convertToFloat() : real.convertToDouble();
  return !real.isInfinity();
}

static Folded fromText(ExprPtr &e, const std::string &text, Type to) {
  int64_t integer = 0;
  double real = 0;
  bool ok = true;
  if (to->isInteger()) {
    ok = parseInteger(text, to, integer);
  } else if (to->isFloat()) {
    ok = parseReal(text, to, real);
  } else if (to->kind == SplType::Boolean) {
    llvm::StringRef word = llvm::StringRef(text).trim();
    ok = word == "true" || word == "false";
    integer = word == "true";
  } else if (to->kind == SplType::Enum) {
    auto at = llvm::find(to->members, text);
    ok = at != to->members.end();
    integer = at - to->members.begin();
  } else {
    return {}; // timestamps and collections are parsed at run time
  }
  if (!ok)
    return fails(text, to);
  e->kind = TK::Const;
  e->integer = integer;
  e->real = real;
  e->args.clear();
  return {Folded::Done, ""};
}

static Folded toText(ExprPtr &e, const typed::Expr &x) {
  std::string text;
  if (x.type->kind == SplType::Boolean)
    text = x.integer ? "true" : "false";
  else if (x.type->kind == SplType::Enum)
    text = x.type->members[x.integer];
  else if (x.type->isInteger())
    text = x.type->isSigned() ? std::to_string(x.integer) : std::to_string(uint64_t(x.integer));
  else
    return {}; // the run time knows the text form of the others
  e->kind = TK::Const;
  e->text = std::move(text);
  e->args.clear();
  return {Folded::Done, ""};
}

Folded sema::foldCast(ExprPtr &e) {
  if (e->args[0]->kind != TK::Const || e->args[0]->isDefault)
    return {};
  ExprPtr x = std::move(e->args[0]);
  Type from = x->type, to = e->type;
  Folded result;
  if (from->kind == SplType::RString) {
    result = fromText(e, x->text, to);
  } else if (to->kind == SplType::RString) {
    result = toText(e, *x);
  } else if ((from->isInteger() || from->isFloat()) && (to->isInteger() || to->isFloat())) {
    e->kind = TK::Const;
    e->integer = from->isFloat() && to->isInteger() ? toInteger(x->real, to) : x->integer;
    e->real = from->isFloat()    ? x->real
              : from->isSigned() ? double(x->integer)
                                 : double(uint64_t(x->integer));
    if (to->kind == SplType::Float32 && from->isInteger()) // rounds once
      e->real = from->isSigned() ? float(x->integer) : float(uint64_t(x->integer));
    result.result = Folded::Done;
  } else if (from->kind == SplType::Enum && to->isInteger()) {
    e->kind = TK::Const;
    e->integer = x->integer;
    result.result = Folded::Done;
  } else if (from->isInteger() && to->kind == SplType::Enum) {
    bool isMember = x->integer >= 0 && uint64_t(x->integer) < to->members.size();
    if (!isMember)
      return {Folded::Fails,
              "the enumeration has no member at position " + std::to_string(x->integer)};
    e->kind = TK::Const;
    e->integer = x->integer;
    result.result = Folded::Done;
  }
  if (result.result == Folded::Done) {
    e->args.clear();
    normalize(*e);
  } else if (!e->args.empty()) {
    e->args[0] = std::move(x);
  }
  return result;
}
