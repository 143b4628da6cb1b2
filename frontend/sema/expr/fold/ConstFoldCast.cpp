//===- ConstFoldCast.cpp - casts of constants -------------------*- C++ -*-===//

#include "frontend/sema/expr/Checker.h"
#include "sluice/decimal.h"
#include "sluice/xml.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Error.h"
#include <cmath>

using namespace sluice;
using namespace sluice::sema;

static Folded fails(llvm::StringRef text, Type to) {
  return {Folded::Fails, "\"" + text.str() + "\" is not a value of " + to->str()};
}

/// Truncates toward zero. A value out of range becomes the nearest one in range, NaN becomes 0.
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

/// Reads decimal digits with an optional sign and white space around them. A negative number
/// wraps in an unsigned type. False if the text is no number or out of range.
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

//===--- decimals -----------------------------------------------------------===//

static std::optional<decimal::Value> readDecimal(llvm::StringRef text, Type type) {
  text = text.trim(" \t\r\n\v\f");
  decimal::Value value;
  if (text.empty() || decimal::read(text.begin(), text.end(), type->bits(), value) != text.end())
    return std::nullopt;
  return value;
}

/// The text of an integer as a constant of a decimal type.
static Folded integerToDecimal(ExprPtr &e, const typed::ConstExpr &x) {
  return foldTo(e, x.type->isSigned() ? std::to_string(x.integer())
                                      : std::to_string(uint64_t(x.integer())));
}

/// To an integer or a float; the run time knows what becomes of the others.
static Folded fromDecimal(ExprPtr &e, const typed::ConstExpr &x, Type to) {
  decimal::Value value = *readDecimal(x.text(), x.type);
  llvm::SmallString<48> digits;
  llvm::APInt(128, {uint64_t(value.coefficient), uint64_t(value.coefficient >> 64)})
      .toStringUnsigned(digits);
  std::string text = (value.negative ? "-" : "") + digits.str().str();
  if (to->isFloat()) {
    llvm::APFloat real(to->bits() == 32 ? llvm::APFloat::IEEEsingle()
                                        : llvm::APFloat::IEEEdouble());
    text += "e" + std::to_string(value.exponent);
    llvm::cantFail(real.convertFromString(text, llvm::APFloat::rmNearestTiesToEven));
    return foldTo(e, to->bits() == 32 ? double(real.convertToFloat()) : real.convertToDouble());
  }
  if (!to->isInteger())
    return {};
  if (value.exponent < 0)
    digits.truncate(digits.size() - std::min<size_t>(digits.size(), size_t(-value.exponent)));
  else
    digits.append(std::min(value.exponent, 40), '0');
  int64_t integer = 0;
  bool fits =
      digits.empty() || parseInteger((value.negative ? "-" : "") + digits.str().str(), to, integer);
  return fits ? foldTo(e, integer) : Folded();
}

/// Two hexadecimal digits a byte.
static bool isHex(llvm::StringRef text) {
  return text.size() % 2 == 0 && llvm::all_of(text, [](char c) { return llvm::isHexDigit(c); });
}

static Folded fromText(ExprPtr &e, llvm::StringRef text, Type to) {
  int64_t integer = 0;
  double real = 0;
  if (to->isInteger())
    return parseInteger(text, to, integer) ? foldTo(e, integer) : fails(text, to);
  if (to->isFloat())
    return parseReal(text, to, real) ? foldTo(e, real) : fails(text, to);
  if (to->isDecimal())
    return readDecimal(text, to) ? foldTo(e, text.trim(" \t\r\n\v\f").str()) : fails(text, to);
  if (to->kind == SplType::Boolean) {
    llvm::StringRef word = text.trim();
    return word == "true" || word == "false" ? foldTo(e, int64_t(word == "true")) : fails(text, to);
  }
  if (to->kind == SplType::Enum) {
    auto at = llvm::find(to->members, text);
    return at != to->members.end() ? foldTo(e, int64_t(at - to->members.begin())) : fails(text, to);
  }
  if (to->kind == SplType::Blob && !isHex(text.trim(" \t\r\n\v\f")))
    return fails(text, to);
  if (to->kind == SplType::Xml)
    if (std::optional<std::string> problem = xmlProblem(text))
      return {Folded::Fails, "the text is no well-formed XML: " + *problem};
  return {}; // timestamps and collections are parsed at run time
}

static bool isUtf8(llvm::StringRef text) {
  auto *p = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  return llvm::isLegalUTF8String(&p, reinterpret_cast<const llvm::UTF8 *>(text.end()));
}

static Folded toText(ExprPtr &e, const typed::ConstExpr &x) {
  if (x.type->isString())
    return isUtf8(x.text()) || e->type->kind == SplType::RString ? foldToText(e, x.text().str())
                                                                 : Folded();
  if (x.type->kind == SplType::Boolean)
    return foldToText(e, x.integer() ? "true" : "false");
  if (x.type->kind == SplType::Enum)
    return foldToText(e, x.type->members[x.integer()]);
  if (x.type->isInteger())
    return foldToText(e, x.type->isSigned() ? std::to_string(x.integer())
                                            : std::to_string(uint64_t(x.integer())));
  return {}; // the run time knows the text form of the others
}

/// From a number to an integer or a float.
static Folded toNumber(ExprPtr &e, const typed::ConstExpr &x, Type to) {
  Type from = x.type;
  if (to->isInteger())
    return foldTo(e, from->isFloat() ? toInteger(x.real(), to) : x.integer());
  if (from->isFloat())
    return foldTo(e, x.real());
  uint64_t bits = uint64_t(x.integer());
  if (to->kind == SplType::Float32) // rounds once
    return foldTo(e, double(from->isSigned() ? float(x.integer()) : float(bits)));
  return foldTo(e, from->isSigned() ? double(x.integer()) : double(bits));
}

static Folded toEnum(ExprPtr &e, int64_t position, Type to) {
  if (position >= 0 && uint64_t(position) < to->members.size())
    return foldTo(e, position);
  return {Folded::Fails, "the enumeration has no member at position " + std::to_string(position)};
}

/// A complex number is made of a list of two numbers.
static Folded toComplex(const typed::AggregateExpr &list) {
  if (list.elements.size() == 2)
    return {};
  return {Folded::Fails, "a complex number is made of a list of 2 numbers, not of " +
                             std::to_string(list.elements.size())};
}

Folded sema::foldCast(ExprPtr &e) {
  auto *list = llvm::dyn_cast<typed::AggregateExpr>(llvm::cast<typed::CastExpr>(*e).operand.get());
  if (list && e->type->isComplex() && isConstant(*list))
    return toComplex(*list);
  auto *x = llvm::dyn_cast<typed::ConstExpr>(llvm::cast<typed::CastExpr>(*e).operand.get());
  if (!x || x->isDefault())
    return {};
  Type from = x->type, to = e->type;
  bool fromNumber = from->isInteger() || from->isFloat();
  if (to->isString())
    return toText(e, *x);
  if (from->isString())
    return fromText(e, x->text(), to);
  if (from->isDecimal())
    return fromDecimal(e, *x, to);
  if (to->isDecimal())
    return from->isInteger() ? integerToDecimal(e, *x) : Folded();
  if (fromNumber && (to->isInteger() || to->isFloat()))
    return toNumber(e, *x, to);
  if (from->kind == SplType::Enum && to->isInteger())
    return foldTo(e, x->integer());
  if (from->isInteger() && to->kind == SplType::Enum)
    return toEnum(e, x->integer(), to);
  return {};
}
