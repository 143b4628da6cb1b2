//===- Scalars.cpp - literals and operators ---------------------===//
#include "codegen/convert/ConvertSpl.h"
#include "ir/Kinds.h"
#include "sluice/abi.h"
#include "sluice/decimal.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;
using mlir::Type;

Form sluice::formOf(Type type) {
  switch (kindOf(type)) {
  case Kind::Boolean:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Enum:
    return Form::Unsigned;
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
    return Form::Signed;
  case Kind::Float32:
  case Kind::Float64:
    return Form::Float;
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return Form::Decimal;
  case Kind::Complex32:
  case Kind::Complex64:
    return Form::Complex;
  case Kind::Timestamp:
    return Form::Timestamp;
  case Kind::RString:
  case Kind::UString:
  case Kind::Blob:
  case Kind::Xml:
    return Form::Text;
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
  case Kind::Optional:
  case Kind::Tuple:
    return Form::Aggregate;
  }
  llvm_unreachable("unknown kind");
}

//===--- literals -----------------------------------------------------------===//

static uint64_t littleEndian(StringRef bytes) {
  uint64_t word = 0;
  for (size_t i = bytes.size(); i-- > 0;)
    word = word << 8 | uint8_t(bytes[i]);
  return word;
}

/// Both words of a Str: the length and four bytes, then the rest or a pointer.
static Value stringConstant(Emitter &e, StringRef text) {
  uint64_t head = uint32_t(text.size()) | littleEndian(text.take_front(4)) << 32;
  Value tail;
  if (text.size() <= Str::kInline) {
    tail = e.i64(littleEndian(text.drop_front(std::min<size_t>(4, text.size()))));
  } else {
    Value address = addressOf(e.b, e.loc, e.constants.bytes(text));
    tail = LLVM::PtrToIntOp::create(e.b, e.loc, e.b.getI64Type(), address);
  }
  Value result =
      LLVM::PoisonOp::create(e.b, e.loc, layout::loweredType(RStringType::get(e.b.getContext())));
  return e.insert(e.insert(result, e.i64(head), 0), tail, 1);
}

static Value decimalConstant(Emitter &e, Type type, StringRef text) {
  unsigned bits = 8 * layout::sizeOf(type);
  decimal::Value number;
  decimal::read(text.begin(), text.end(), bits, number);
  decimal::Bits word = decimal::encode(number, bits);
  if (bits < 128)
    return e.integer(bits, int64_t(word.low));
  Value result = LLVM::PoisonOp::create(e.b, e.loc, layout::loweredType(type));
  return e.insert(e.insert(result, e.i64(int64_t(word.low)), 0), e.i64(int64_t(word.high)), 1);
}

/// A number as one of a type of floats.
static Value realConstant(Emitter &e, FloatType type, APFloat real) {
  bool inexact;
  real.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return LLVM::ConstantOp::create(e.b, e.loc, type, FloatAttr::get(type, real));
}

Value sluice::emitLiteral(Emitter &e, ConstOp op) {
  Type type = op.getType(), lowered = layout::loweredType(type);
  Attribute value = op.getValueAttr();
  if (!value)
    return e.zero(lowered);
  if (auto text = dyn_cast<StringAttr>(value))
    return isa<DecimalType>(type) ? decimalConstant(e, type, text.getValue())
                                  : stringConstant(e, text.getValue());
  if (auto complex = dyn_cast<mlir::ComplexType>(type)) {
    auto part = cast<FloatType>(complex.getElementType());
    return e.insert(e.zero(lowered), realConstant(e, part, cast<FloatAttr>(value).getValue()), 0);
  }
  if (auto number = dyn_cast<FloatAttr>(value))
    return realConstant(e, cast<FloatType>(type), number.getValue());
  APInt bits = cast<IntegerAttr>(value).getValue().sextOrTrunc(lowered.getIntOrFloatBitWidth());
  return LLVM::ConstantOp::create(e.b, e.loc, lowered, IntegerAttr::get(lowered, bits));
}

static Value emitConst(ConstOp op, ConstOp::Adaptor, OpEmitter &e) { return emitLiteral(e, op); }

//===--- operators that cannot fail -----------------------------------------===//

/// Decimals and complex numbers: the runtime computes. A unary operator has one operand twice.
static Value emitArithmetic(Arithmetic kind, Type type, Value x, Value y, OpEmitter &e) {
  Value result = e.slot(type);
  e.runtime("sl_arithmetic",
            {e.typeDesc(type), e.i32(int64_t(kind)), result, e.spill(type, x), e.spill(type, y)});
  return e.load(type, result);
}

static Arithmetic arithmeticOf(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::add:
    return Arithmetic::Add;
  case BinaryKind::sub:
    return Arithmetic::Sub;
  case BinaryKind::mul:
    return Arithmetic::Mul;
  case BinaryKind::bit_and:
  case BinaryKind::bit_or:
  case BinaryKind::bit_xor:
  case BinaryKind::shl:
  case BinaryKind::shr:
    break;
  }
  llvm_unreachable("the verifier refuses it");
}

static Value emitUnary(UnaryOp op, UnaryOp::Adaptor in, OpEmitter &e) {
  Value x = in.getOperand();
  switch (formOf(op.getType())) {
  case Form::Decimal:
  case Form::Complex:
    return emitArithmetic(Arithmetic::Neg, op.getType(), x, x, e);
  case Form::Float:
    return LLVM::FNegOp::create(e.b, e.loc, x);
  case Form::Unsigned:
  case Form::Signed:
    break;
  case Form::Timestamp:
  case Form::Text:
  case Form::Aggregate:
    llvm_unreachable("the verifier refuses it");
  }
  unsigned width = x.getType().getIntOrFloatBitWidth();
  if (op.getKind() == UnaryKind::neg)
    return LLVM::SubOp::create(e.b, e.loc, e.integer(width, 0), x);
  return LLVM::XOrOp::create(e.b, e.loc, x, e.integer(width, -1));
}

static constexpr int64_t kNanosPerSecond = 1000000000;

/// Seconds and nanoseconds, normalised once; the machine id is the left one's. What lies before the
/// first timestamp or behind the last one becomes that one, as in `add`: the seconds have more bits
/// until they are known to fit.
static Value emitTimestamp(bool add, Value lhs, Value rhs, OpEmitter &e) {
  OpBuilder &b = e.b;
  Type i64 = b.getI64Type(), i32 = b.getI32Type(), wide = b.getIntegerType(128);
  auto seconds = [&](Value t) -> Value {
    return LLVM::SExtOp::create(b, e.loc, wide, e.extract(t, 0));
  };
  auto nanos = [&](Value t) -> Value {
    return LLVM::ZExtOp::create(b, e.loc, i64, e.extract(t, 1));
  };
  auto combine = [&](bool plus, Value x, Value y) -> Value {
    if (plus)
      return LLVM::AddOp::create(b, e.loc, x, y);
    return LLVM::SubOp::create(b, e.loc, x, y);
  };
  auto select = [&](Value condition, Value x, Value y) -> Value {
    return LLVM::SelectOp::create(b, e.loc, condition, x, y);
  };
  Value whole = combine(add, seconds(lhs), seconds(rhs)),
        part = combine(add, nanos(lhs), nanos(rhs));
  auto predicate = add ? LLVM::ICmpPredicate::sge : LLVM::ICmpPredicate::slt;
  Value limit = e.i64(add ? kNanosPerSecond : 0),
        carry = LLVM::ICmpOp::create(b, e.loc, predicate, part, limit);
  whole = combine(add, whole, LLVM::ZExtOp::create(b, e.loc, wide, carry));
  part = select(carry, combine(!add, part, e.i64(kNanosPerSecond)), part);

  Value kept = LLVM::TruncOp::create(b, e.loc, i64, whole),
        fits = LLVM::ICmpOp::create(b, e.loc, LLVM::ICmpPredicate::eq,
                                    LLVM::SExtOp::create(b, e.loc, wide, kept), whole),
        isEarly =
            LLVM::ICmpOp::create(b, e.loc, LLVM::ICmpPredicate::slt, e.extract(lhs, 0), e.i64(0));
  kept = select(fits, kept, select(isEarly, e.i64(INT64_MIN), e.i64(INT64_MAX)));
  part = select(fits, part, select(isEarly, e.i64(0), e.i64(kNanosPerSecond - 1)));
  return e.insert(e.insert(lhs, kept, 0), LLVM::TruncOp::create(b, e.loc, i32, part), 1);
}

static Value emitConcat(Value lhs, Value rhs, Type type, OpEmitter &e) {
  Value result = e.slot(type);
  e.runtime("sl_str_concat", {e.ctx(), result, e.spill(type, lhs), e.spill(type, rhs)});
  if (uint32_t most = boundOf(type)) // does not fail
    e.runtime("sl_str_slice",
              {e.ctx(), result, result, e.i64(0), e.i64(most), e.integer(8, 1), e.integer(8, 1)});
  return e.load(type, result);
}

static Value emitFloat(BinaryKind kind, Value x, Value y, OpEmitter &e) {
  switch (kind) {
  case BinaryKind::add:
    return LLVM::FAddOp::create(e.b, e.loc, x, y);
  case BinaryKind::sub:
    return LLVM::FSubOp::create(e.b, e.loc, x, y);
  case BinaryKind::mul:
    return LLVM::FMulOp::create(e.b, e.loc, x, y);
  case BinaryKind::bit_and:
  case BinaryKind::bit_or:
  case BinaryKind::bit_xor:
  case BinaryKind::shl:
  case BinaryKind::shr:
    break;
  }
  llvm_unreachable("the verifier refuses it");
}

/// The count modulo the width, which is a power of two.
static Value shiftCount(Value x, Value count, OpEmitter &e) {
  unsigned width = x.getType().getIntOrFloatBitWidth(),
           has = count.getType().getIntOrFloatBitWidth();
  if (has > width)
    count = LLVM::TruncOp::create(e.b, e.loc, x.getType(), count);
  else if (has < width)
    count = LLVM::ZExtOp::create(e.b, e.loc, x.getType(), count);
  return LLVM::AndOp::create(e.b, e.loc, count, e.integer(width, width - 1));
}

static Value emitInteger(BinaryKind kind, bool isSigned, Value x, Value y, OpEmitter &e) {
  switch (kind) {
  case BinaryKind::add:
    return LLVM::AddOp::create(e.b, e.loc, x, y);
  case BinaryKind::sub:
    return LLVM::SubOp::create(e.b, e.loc, x, y);
  case BinaryKind::mul:
    return LLVM::MulOp::create(e.b, e.loc, x, y);
  case BinaryKind::bit_and:
    return LLVM::AndOp::create(e.b, e.loc, x, y);
  case BinaryKind::bit_or:
    return LLVM::OrOp::create(e.b, e.loc, x, y);
  case BinaryKind::bit_xor:
    return LLVM::XOrOp::create(e.b, e.loc, x, y);
  case BinaryKind::shl:
    return LLVM::ShlOp::create(e.b, e.loc, x, shiftCount(x, y, e));
  case BinaryKind::shr:
    break;
  }
  if (isSigned)
    return LLVM::AShrOp::create(e.b, e.loc, x, shiftCount(x, y, e));
  return LLVM::LShrOp::create(e.b, e.loc, x, shiftCount(x, y, e));
}

static Value emitBinary(BinaryOp op, BinaryOp::Adaptor in, OpEmitter &e) {
  Type type = op.getType();
  Value x = in.getLhs(), y = in.getRhs();
  switch (Form form = formOf(type)) {
  case Form::Unsigned:
  case Form::Signed:
    return emitInteger(op.getKind(), form == Form::Signed, x, y, e);
  case Form::Float:
    return emitFloat(op.getKind(), x, y, e);
  case Form::Decimal:
  case Form::Complex:
    return emitArithmetic(arithmeticOf(op.getKind()), type, x, y, e);
  case Form::Timestamp:
    return emitTimestamp(op.getKind() == BinaryKind::add, x, y, e);
  case Form::Text:
    return emitConcat(x, y, type, e);
  case Form::Aggregate:
    break;
  }
  llvm_unreachable("the verifier refuses it");
}

//===--- division -----------------------------------------------------------===//

static void checkDivision(Type type, Value x, Value y, OpEmitter &e) {
  if (!spl::SplDialect::SiteAttrHelper(e.op->getContext()).isAttrPresent(e.op))
    return; // the divisor is a harmless constant
  unsigned width = y.getType().getIntOrFloatBitWidth();
  Value byZero = LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::eq, y, e.integer(width, 0));
  Value failed = byZero;
  if (type.isSignedInteger()) {
    auto is = [&](Value v, int64_t c) -> Value {
      return LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::eq, v, e.integer(width, c));
    };
    Value overflow = LLVM::AndOp::create(
        e.b, e.loc, is(x, APInt::getSignedMinValue(width).getSExtValue()), is(y, -1));
    failed = LLVM::OrOp::create(e.b, e.loc, byZero, overflow);
  }
  e.failIf(failed, [&] {
    Value text = LLVM::SelectOp::create(e.b, e.loc, byZero, e.cString("division by zero"),
                                        e.cString("the quotient is out of range"));
    e.runtime("sl_error", {e.ctx(), text});
  });
}

static Value emitDiv(DivOp op, DivOp::Adaptor in, OpEmitter &e) {
  Value x = in.getLhs(), y = in.getRhs();
  if (isa<FloatType>(op.getType()))
    return LLVM::FDivOp::create(e.b, e.loc, x, y);
  if (!isa<IntegerType>(op.getType()))
    return emitArithmetic(Arithmetic::Div, op.getType(), x, y, e);
  checkDivision(op.getType(), x, y, e);
  if (op.getType().isSignedInteger())
    return LLVM::SDivOp::create(e.b, e.loc, x, y);
  return LLVM::UDivOp::create(e.b, e.loc, x, y);
}

static Value emitRem(RemOp op, RemOp::Adaptor in, OpEmitter &e) {
  Value x = in.getLhs(), y = in.getRhs();
  if (isa<FloatType>(op.getType()))
    return LLVM::FRemOp::create(e.b, e.loc, x, y);
  checkDivision(op.getType(), x, y, e);
  if (op.getType().isSignedInteger())
    return LLVM::SRemOp::create(e.b, e.loc, x, y);
  return LLVM::URemOp::create(e.b, e.loc, x, y);
}

//===--- comparison ---------------------------------------------------------===//

static LLVM::ICmpPredicate integerPredicate(CompareKind kind, bool isSigned) {
  using P = LLVM::ICmpPredicate;
  switch (kind) {
  case CompareKind::eq:
    return P::eq;
  case CompareKind::ne:
    return P::ne;
  case CompareKind::lt:
    return isSigned ? P::slt : P::ult;
  case CompareKind::le:
    return isSigned ? P::sle : P::ule;
  case CompareKind::gt:
    return isSigned ? P::sgt : P::ugt;
  case CompareKind::ge:
    return isSigned ? P::sge : P::uge;
  }
  llvm_unreachable("a comparison");
}

/// NaN is unequal to all and neither before nor behind anything.
static LLVM::FCmpPredicate floatPredicate(CompareKind kind) {
  using P = LLVM::FCmpPredicate;
  switch (kind) {
  case CompareKind::eq:
    return P::oeq;
  case CompareKind::ne:
    return P::une;
  case CompareKind::lt:
    return P::olt;
  case CompareKind::le:
    return P::ole;
  case CompareKind::gt:
    return P::ogt;
  case CompareKind::ge:
    return P::oge;
  }
  llvm_unreachable("a comparison");
}

static Value compareTimestamps(CompareKind kind, Value x, Value y, OpEmitter &e) {
  auto icmp = [&](CompareKind k, bool isSigned, unsigned part) -> Value {
    return LLVM::ICmpOp::create(e.b, e.loc, integerPredicate(k, isSigned), e.extract(x, part),
                                e.extract(y, part));
  };
  Value sameSecond = icmp(CompareKind::eq, true, 0), nanos = icmp(kind, false, 1);
  if (kind == CompareKind::eq)
    return LLVM::AndOp::create(e.b, e.loc, sameSecond, nanos);
  Value seconds = icmp(kind, true, 0);
  if (kind == CompareKind::ne)
    return LLVM::OrOp::create(e.b, e.loc, seconds, nanos);
  return LLVM::SelectOp::create(e.b, e.loc, sameSecond, nanos, seconds);
}

/// The text of a literal that stands inline in its Str.
static std::optional<StringRef> shortLiteral(Value value) {
  auto literal = value.getDefiningOp<ConstOp>();
  auto text = literal ? dyn_cast_or_null<StringAttr>(literal.getValueAttr()) : StringAttr();
  bool isText = text && isa<RStringType>(value.getType()); // not a decimal
  if (!isText || text.getValue().size() > Str::kInline)
    return std::nullopt;
  return text.getValue();
}

/// Two masked words, no branch: what lies behind the end is not defined.
static Value equalsLiteral(Value str, StringRef text, OpEmitter &e) {
  auto matches = [&](Value word, uint64_t bytes, uint64_t wanted) -> Value {
    if (bytes < 8)
      word = LLVM::AndOp::create(e.b, e.loc, word, e.i64((uint64_t(1) << 8 * bytes) - 1));
    return LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::eq, word, e.i64(wanted));
  };
  uint64_t inHead = std::min<uint64_t>(4, text.size()), inTail = text.size() - inHead;
  uint64_t head = text.size() | littleEndian(text.take_front(inHead)) << 32;
  Value equal = matches(e.extract(str, 0), 4 + inHead, head);
  if (inTail)
    equal = LLVM::AndOp::create(
        e.b, e.loc, equal, matches(e.extract(str, 1), inTail, littleEndian(text.drop_front(4))));
  return equal;
}

static Value equal(CompareOp op, CompareOp::Adaptor in, OpEmitter &e) {
  Type type = op.getLhs().getType();
  if (auto text = shortLiteral(op.getRhs()))
    return equalsLiteral(in.getLhs(), *text, e);
  if (auto text = shortLiteral(op.getLhs()))
    return equalsLiteral(in.getRhs(), *text, e);
  return e.isNonZero(e.runtime(
      "sl_equal", {e.typeDesc(type), e.spill(type, in.getLhs()), e.spill(type, in.getRhs())}));
}

/// Strings, collections and tuples: the runtime knows.
static Value compareByDescriptor(CompareOp op, CompareOp::Adaptor in, OpEmitter &e) {
  Type type = op.getLhs().getType();
  CompareKind kind = op.getKind();
  if (kind == CompareKind::eq)
    return equal(op, in, e);
  if (kind == CompareKind::ne)
    return LLVM::XOrOp::create(e.b, e.loc, equal(op, in, e), e.integer(1, -1));
  Value order = e.runtime(
      "sl_compare", {e.typeDesc(type), e.spill(type, in.getLhs()), e.spill(type, in.getRhs())});
  return LLVM::ICmpOp::create(e.b, e.loc, integerPredicate(kind, true), order, e.i32(0));
}

/// The order of decimals, of which NaN has none.
static Value compareDecimals(CompareOp op, CompareOp::Adaptor in, OpEmitter &e) {
  Type type = op.getLhs().getType();
  CompareKind kind = op.getKind();
  if (kind == CompareKind::eq || kind == CompareKind::ne)
    return compareByDescriptor(op, in, e);
  Value x = e.spill(type, in.getLhs()), y = e.spill(type, in.getRhs());
  if (kind == CompareKind::gt || kind == CompareKind::ge)
    std::swap(x, y);
  bool orEqual = kind == CompareKind::le || kind == CompareKind::ge;
  return e.isNonZero(e.runtime("sl_decimal_less", {e.typeDesc(type), x, y, e.i32(orEqual)}));
}

static Value emitCompare(CompareOp op, CompareOp::Adaptor in, OpEmitter &e) {
  Value x = in.getLhs(), y = in.getRhs();
  CompareKind kind = op.getKind();
  switch (Form form = formOf(op.getLhs().getType())) {
  case Form::Unsigned:
  case Form::Signed:
    return LLVM::ICmpOp::create(e.b, e.loc, integerPredicate(kind, form == Form::Signed), x, y);
  case Form::Float:
    return LLVM::FCmpOp::create(e.b, e.loc, floatPredicate(kind), x, y);
  case Form::Decimal:
    return compareDecimals(op, in, e);
  case Form::Timestamp:
    return compareTimestamps(kind, x, y, e);
  case Form::Complex:
  case Form::Text:
  case Form::Aggregate:
    return compareByDescriptor(op, in, e);
  }
  llvm_unreachable("unknown form");
}

void sluice::addScalarPatterns(SplPatterns &p) {
  p.add<ConstOp>(emitConst);
  p.add<UnaryOp>(emitUnary);
  p.add<BinaryOp>(emitBinary);
  p.add<DivOp>(emitDiv);
  p.add<RemOp>(emitRem);
  p.add<CompareOp>(emitCompare);
}
