//===- Literal.cpp - numbers, strings, collections ------*- C++ -*-===//

#include "frontend/sema/expr/Literals.h"
#include "frontend/sema/expr/Operators.h"
#include "frontend/sema/expr/Warnings.h"
#include "frontend/sema/expr/hints/ConversionHints.h"
#include "sluice/decimal.h"
#include "sluice/xml.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Error.h"

using namespace sluice;
using namespace sluice::sema;

//===--- numbers ----------------------------------------------------------===//

namespace {
/// The text of a number, divided into digits and suffix.
struct NumberText {
  llvm::StringRef digits;
  char kind = 0, width = 0; // s u f d; b h w l q
  bool twice = false;
  explicit NumberText(llvm::StringRef text) {
    size_t end = text.find_last_of("0123456789.") + 1;
    digits = text.take_front(end);
    for (char c : text.drop_front(end)) {
      char &slot = llvm::StringRef("sufd").contains(c) ? kind : width;
      twice |= slot != 0;
      slot = c;
    }
  }
  bool isReal() const { return digits.find_first_of(".eE") != llvm::StringRef::npos; }
};
} // namespace

static SplType::Kind integerKind(bool isUnsigned, char width) {
  switch (width) {
  case 'b':
    return isUnsigned ? SplType::UInt8 : SplType::Int8;
  case 'h':
    return isUnsigned ? SplType::UInt16 : SplType::Int16;
  case 'l':
    return isUnsigned ? SplType::UInt64 : SplType::Int64;
  default:
    return isUnsigned ? SplType::UInt32 : SplType::Int32;
  }
}

static SplType::Kind decimalKind(char width) {
  return width == 'w'   ? SplType::Decimal32
         : width == 'q' ? SplType::Decimal128
                        : SplType::Decimal64;
}

/// What messages show of a number.
static std::string brief(llvm::StringRef text) {
  constexpr size_t most = 40;
  return text.size() <= most ? text.str() : text.take_front(most).str() + "...";
}

/// No integer type has more.
static constexpr size_t maxDigits = 20;

static bool fitsInteger(llvm::StringRef digits, bool negative, Type type) {
  llvm::APInt value;
  if (digits.size() > maxDigits || digits.getAsInteger(10, value))
    return false;
  unsigned bits = type->bits(), width = std::max(value.getBitWidth(), bits) + 1;
  llvm::APInt limit =
      type->isSigned() ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  // The least value has no positive counterpart: -128b is legal, 128b is not.
  return value.zext(width).ule(limit.zext(width) + (negative && type->isSigned() ? 1 : 0));
}

/// `99999999999l` for a number that is too large for its type.
void Literals::noteWiderInteger(mlir::InFlightDiagnostic &d, llvm::StringRef digits, bool negative,
                                Type type, Range range) {
  using K = SplType::Kind;
  for (K kind : {K::Int16, K::UInt16, K::Int32, K::UInt32, K::Int64, K::UInt64}) {
    Type wider = types.get(kind);
    bool isLast = kind == K::UInt64 && !negative;
    if ((wider->isSigned() != type->isSigned() && !isLast) || !fitsInteger(digits, negative, wider))
      continue;
    std::string literal = (negative ? "-" : "") + digits.str() + literalSuffix(wider);
    return sema.diags.note(d, range, Diag::note_use_literal, literal, wider->str());
  }
  sema.diags.note(d, range, Diag::note_no_integer);
}

ExprPtr Literals::decimalNumber(llvm::StringRef digits, char width, bool negative, Range range) {
  Type type = types.get(decimalKind(width));
  decimal::Value value;
  if (!decimal::read(digits.begin(), digits.end(), type->bits(), value))
    return error(range, Diag::err_number_range, brief(sema.diags.text(range)), type->str());
  std::string sign = negative ? "-" : "";
  return std::make_unique<typed::ConstExpr>(type, range, sign + digits.str());
}

ExprPtr Literals::number(const ast::LiteralExpr *e, bool negative, Range range) {
  NumberText text(e->text);
  char kind = text.kind ? text.kind : text.isReal() ? 'f' : 's';
  bool isInteger = kind == 's' || kind == 'u';
  bool fits = isInteger
                  ? text.width != 'q' && !text.isReal()
                  : text.width != 'b' && text.width != 'h' && (text.width != 'q' || kind == 'd');
  if (text.twice || !fits)
    return error(e->range, Diag::err_bad_suffix, brief(e->text));
  if (kind == 'd')
    return decimalNumber(text.digits, text.width, negative, range);
  if (!isInteger) {
    Type type = types.get(text.width == 'w' ? SplType::Float32 : SplType::Float64);
    llvm::APFloat real(type->bits() == 32 ? llvm::APFloat::IEEEsingle()
                                          : llvm::APFloat::IEEEdouble());
    auto status = real.convertFromString(text.digits, llvm::APFloat::rmNearestTiesToEven);
    if (!status)
      llvm::consumeError(status.takeError());
    if (!status || real.isInfinity())
      return error(range, Diag::err_number_range, brief(e->text), type->str());
    double value = type->bits() == 32 ? real.convertToFloat() : real.convertToDouble();
    return std::make_unique<typed::ConstExpr>(type, range, negative ? -value : value);
  }
  Type type = types.get(integerKind(kind == 'u', text.width));
  uint64_t value = 0;
  if (!fitsInteger(text.digits, negative, type) || text.digits.getAsInteger(10, value)) {
    auto d = sema.diags.report(range, Diag::err_number_range, brief(e->text), type->str());
    noteWiderInteger(d, text.digits, negative, type, range);
    return nullptr;
  }
  return makeInt(int64_t(negative ? 0 - value : value), type, range);
}

/// The number of digits determines the width. The type is signed unless `u` follows.
ExprPtr Literals::hex(const ast::LiteralExpr *e) {
  llvm::StringRef digits = e->text.drop_front(2);
  bool isUnsigned = digits.consume_back("u");
  if (!isUnsigned)
    digits.consume_back("s");
  uint64_t value = 0;
  if (digits.size() > 16 || digits.getAsInteger(16, value))
    return error(e->range, Diag::err_long_hex, brief(e->text));
  char width = digits.size() <= 2 ? 'b' : digits.size() <= 4 ? 'h' : digits.size() <= 8 ? 'w' : 'l';
  return makeInt(int64_t(value), types.get(integerKind(isUnsigned, width)), e->range);
}

//===--- strings ----------------------------------------------------------===//

static void appendUtf8(uint32_t codePoint, std::string &out) {
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = buffer;
  if (llvm::ConvertCodePointToUTF8(codePoint, end))
    out.append(buffer, end);
  else
    out += "\xEF\xBF\xBD"; // a lone surrogate: the replacement character
}

/// Reads the four digits after `\u` at `i`; leaves `i` on the last one.
static uint32_t utf16Unit(llvm::StringRef body, size_t &i) {
  uint32_t unit = 0;
  body.substr(i + 1, 4).getAsInteger(16, unit);
  i += 4;
  return unit;
}

/// The character of an escape of one letter; others stand for themselves.
static char escaped(char letter) {
  static constexpr llvm::StringLiteral letters("abfnrtv0");
  static constexpr char meanings[] = "\a\b\f\n\r\t\v\0";
  size_t at = letters.find(letter);
  return at == llvm::StringRef::npos ? letter : meanings[at];
}

/// Reads the code point of `\uXXXX` at `i`, of two such if they are a surrogate pair; leaves `i`
/// on the last digit.
static uint32_t codePoint(llvm::StringRef body, size_t &i) {
  uint32_t unit = utf16Unit(body, i);
  bool isHigh = unit >= 0xD800 && unit < 0xDC00;
  if (!isHigh || !body.substr(i + 1).starts_with("\\u"))
    return unit;
  size_t next = i + 2;
  uint32_t low = utf16Unit(body, next);
  if (low < 0xDC00 || low >= 0xE000)
    return unit;
  i = next;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

static std::string unescape(llvm::StringRef body) {
  std::string out;
  for (size_t i = 0; i < body.size(); ++i) {
    bool isEscape = body[i] == '\\' && i + 1 < body.size();
    if (!isEscape)
      out += body[i];
    else if (body[++i] == 'u')
      appendUtf8(codePoint(body, i), out);
    else
      out += escaped(body[i]);
  }
  return out;
}

ExprPtr Literals::string(const ast::LiteralExpr *e) {
  llvm::StringRef text = e->text;
  Type type = types.get(text.consume_back("u") ? SplType::UString : SplType::RString);
  text.consume_back("r");
  return std::make_unique<typed::ConstExpr>(type, e->range,
                                            unescape(text.drop_front().drop_back()));
}

ExprPtr Literals::xml(const ast::LiteralExpr *e) {
  std::string document = unescape(e->text.drop_front().drop_back(2));
  if (std::optional<std::string> problem = xmlProblem(document))
    return error(e->range, Diag::err_bad_xml, *problem);
  return std::make_unique<typed::ConstExpr>(types.xml(""), e->range, std::move(document));
}

//===--- collections ------------------------------------------------------===//

bool sema::isEmptyLiteral(const ast::Expr *e) {
  e = stripParens(e);
  if (auto *list = llvm::dyn_cast<ast::ListExpr>(e))
    return list->elements.empty();
  auto *brace = llvm::dyn_cast<ast::BraceExpr>(e);
  return brace && brace->entries.empty();
}

bool sema::isEmptyValueOf(const ast::Expr *literal, Type type) {
  if (stripParens(literal)->kind == ast::ExprKind::List)
    return type->kind == SplType::List || type->kind == SplType::Blob;
  return type->kind == SplType::Set || type->kind == SplType::Map || type->kind == SplType::Tuple;
}

ExprPtr Literals::emptyLiteral(const ast::Expr *e, Type hint) {
  bool isList = e->kind == ast::ExprKind::List;
  if (!hint) {
    error(e->range, Diag::err_empty_literal, isList ? "[]" : "{}");
    return nullptr;
  }
  if (isError(hint))
    return nullptr;
  if (!isEmptyValueOf(e, hint)) {
    auto d = sema.diags.report(e->range, Diag::err_expected_type, hint->str(),
                               isList ? "an empty list" : "an empty set, map or tuple");
    if (hint->isCollection())
      sema.diags.note(d, e->range, Diag::note_literal_form,
                      (llvm::Twine(hint->info().keyword) + " without elements").str(),
                      isList ? "{}" : "[]");
    return nullptr;
  }
  return std::make_unique<typed::ConstExpr>(hint, e->range);
}

/// Elements of one type. Without a hint the first one that is not an empty
/// literal gives the type to the others. If one is optional or null, all are optional.
bool Literals::elements(llvm::ArrayRef<const ast::Expr *> exprs, Type hint, bool init,
                        llvm::StringRef what, std::vector<ExprPtr> &out, Type &elem) {
  out.resize(exprs.size());
  bool ok = true;
  auto check = [&](unsigned i, Type want) {
    out[i] = checker.value(exprs[i], want, init);
    ok &= bool(out[i]);
    if (out[i] && !elem)
      elem = out[i]->type;
  };
  for (unsigned i = 0; i < exprs.size(); ++i)
    if (!takesItsType(exprs[i]))
      check(i, hint);
  if (elem && llvm::any_of(exprs, isNull))
    elem = Operators(checker).nullable(elem);
  for (const ExprPtr &e : out)
    if (e && elem && isLiftedTo(elem, e->type))
      elem = e->type;
  for (ExprPtr &e : out)
    e = Operators(checker).lifted(std::move(e), elem);
  for (unsigned i = 0; i < exprs.size(); ++i)
    if (takesItsType(exprs[i]))
      check(i, elem ? elem : hint);
  for (unsigned i = 0; ok && i < exprs.size(); ++i)
    if (out[i]->type != elem) {
      auto d = sema.diags.report(exprs[i]->range, Diag::err_heterogeneous, what, elem->str(),
                                 out[i]->type->str());
      ConversionHints(checker).noteConversion(d, *out[i], elem);
      ok = false;
    }
  return ok;
}

ExprPtr Literals::list(const ast::ListExpr *e, Type hint, bool init) {
  if (e->elements.empty())
    return emptyLiteral(e, hint);
  Type want = hint && hint->kind == SplType::List ? hint->args[0] : nullptr, elem = nullptr;
  std::vector<const ast::Expr *> exprs(e->elements.begin(), e->elements.end());
  if (hint && hint->kind == SplType::Tuple)
    return noTuple(e->range, hint, "a list", {}, exprs);
  std::vector<ExprPtr> args;
  if (!elements(exprs, want, init, "list elements", args, elem))
    return nullptr;
  return std::make_unique<typed::AggregateExpr>(types.list(elem), e->range, std::move(args));
}

ExprPtr Literals::brace(const ast::BraceExpr *e, Type hint, bool init) {
  if (e->entries.empty())
    return emptyLiteral(e, hint);
  auto isAttribute = [](const ast::BraceExpr::Entry &entry) {
    auto *a = llvm::dyn_cast<ast::AssignExpr>(entry.key);
    auto *n = a && !a->compound ? llvm::dyn_cast<ast::NameExpr>(a->lhs) : nullptr;
    return !entry.value && n && n->path.parts.empty();
  };
  if (llvm::any_of(e->entries, isAttribute)) {
    for (auto &entry : e->entries)
      if (!isAttribute(entry))
        return error(entry.key->range, Diag::err_tuple_entry);
    return tupleLiteral(e, hint, init);
  }
  auto isMapEntry = [](const ast::BraceExpr::Entry &entry) {
    return entry.value || llvm::isa<ast::AssignExpr>(entry.key); // `{"a" = 1}` for `{"a" : 1}`
  };
  if (llvm::any_of(e->entries, isMapEntry))
    return mapLiteral(e, hint, init);
  Type want = hint && hint->kind == SplType::Set ? hint->args[0] : nullptr, elem = nullptr;
  std::vector<const ast::Expr *> exprs;
  for (auto &entry : e->entries)
    exprs.push_back(entry.key);
  if (hint && hint->kind == SplType::Tuple)
    return noTuple(e->range, hint, "a set", {}, exprs);
  std::vector<ExprPtr> args;
  if (!elements(exprs, want, init, "set elements", args, elem))
    return nullptr;
  return std::make_unique<typed::AggregateExpr>(types.set(elem), e->range, std::move(args));
}

std::nullptr_t Literals::noTuple(Range range, Type tuple, llvm::StringRef what,
                                 llvm::ArrayRef<const ast::Expr *> names,
                                 llvm::ArrayRef<const ast::Expr *> values) {
  constexpr size_t most = 4;
  std::vector<std::string> entries;
  for (auto [i, value] : llvm::enumerate(values)) {
    llvm::StringRef name;
    if (!names.empty())
      name = sema.diags.text(names[i]->range).trim("\"'");
    else if (i < tuple->attributes.size())
      name = tuple->attributes[i].first;
    if (tuple->attribute(name))
      entries.push_back((name + " = " + sema.diags.text(value->range)).str());
  }
  bool isWhole = entries.size() == values.size() && entries.size() <= most;
  auto d = sema.diags.report(range, Diag::err_expected_type, tuple->str(), what);
  sema.diags.note(d, range, Diag::note_literal_form, "tuple",
                  isWhole ? "{" + llvm::join(entries, ", ") + "}" : "{name = value}");
  return nullptr;
}

ExprPtr Literals::tupleLiteral(const ast::BraceExpr *e, Type hint, bool init) {
  std::vector<SplType::Attribute> attributes;
  std::vector<ExprPtr> args;
  llvm::StringMap<Range> seen;
  bool ok = true;
  for (auto &entry : e->entries) {
    auto *a = llvm::cast<ast::AssignExpr>(entry.key);
    const ast::Ident &name = llvm::cast<ast::NameExpr>(a->lhs)->name;
    if (auto [it, isNew] = seen.try_emplace(name.text, name.range); !isNew) {
      auto d = sema.diags.report(name.range, Diag::err_repeated_attribute, name.text);
      sema.diags.note(d, it->second, Diag::note_previous_here);
      ok = false;
      continue;
    }
    Type want = hint && hint->kind == SplType::Tuple ? hint->attribute(name.text) : nullptr;
    args.push_back(checker.value(a->rhs, want, init));
    ok &= bool(args.back());
    if (args.back())
      attributes.push_back({name.text.str(), args.back()->type});
  }
  if (!ok)
    return nullptr;
  return std::make_unique<typed::AggregateExpr>(types.tuple(attributes), e->range, std::move(args));
}

/// `{name : "a", age : 1}`: true after the report of a key that is a name and unknown, if all are
/// names.
bool Literals::isMeantAsTuple(llvm::ArrayRef<const ast::Expr *> keys) {
  const ast::NameExpr *unknown = nullptr;
  for (const ast::Expr *key : keys) {
    auto *name = llvm::dyn_cast<ast::NameExpr>(key);
    if (!name || !name->path.parts.empty())
      return false;
    llvm::StringRef text = name->name.text;
    if (!unknown && !lookup(text) && !sema.modules->findEnumMember(scope.file(), "", text))
      unknown = name;
  }
  if (!unknown)
    return false;
  auto d = sema.diags.report(unknown->range, Diag::err_unknown_name, unknown->name.text);
  sema.diags.note(d, unknown->range, Diag::note_foreign,
                  ("`{" + unknown->name.text + " = ...}` for a tuple").str());
  return true;
}

ExprPtr Literals::mapLiteral(const ast::BraceExpr *e, Type hint, bool init) {
  bool isMap = hint && hint->kind == SplType::Map;
  Type wantKey = isMap ? hint->args[0] : nullptr, wantValue = isMap ? hint->args[1] : nullptr;
  std::vector<const ast::Expr *> keyExprs, valueExprs;
  for (auto &entry : e->entries) {
    if (!entry.value)
      return error(entry.key->range, Diag::err_map_entry);
    keyExprs.push_back(entry.key);
    valueExprs.push_back(entry.value);
  }
  if (hint && hint->kind == SplType::Tuple)
    return noTuple(e->range, hint, "a map", keyExprs, valueExprs);
  if (!hint && isMeantAsTuple(keyExprs))
    return nullptr;
  std::vector<ExprPtr> keys, values;
  Type key = nullptr, val = nullptr;
  if (init && isMap) { // initialisers convert each key and value on its own
    for (unsigned i = 0; i < keyExprs.size(); ++i) {
      keys.push_back(
          checker.converted(keyExprs[i], wantKey, Sema::Initialiser, Diag::err_bad_initialiser));
      values.push_back(checker.converted(valueExprs[i], wantValue, Sema::Initialiser,
                                         Diag::err_bad_initialiser));
      if (!keys.back() || !values.back())
        return nullptr;
    }
    key = wantKey, val = wantValue;
  } else {
    bool ok = elements(keyExprs, wantKey, init, "map keys", keys, key);
    ok &= elements(valueExprs, wantValue, init, "map values", values, val);
    if (!ok)
      return nullptr;
  }
  Warnings(checker).warnKeyTwice(keys);
  std::vector<ExprPtr> elements;
  for (unsigned i = 0; i < keys.size(); ++i) {
    elements.push_back(std::move(keys[i]));
    elements.push_back(std::move(values[i]));
  }
  return std::make_unique<typed::AggregateExpr>(types.map(key, val), e->range, std::move(elements));
}
