//===- Casts.cpp - conversions between types --------------------===//
#include "codegen/convert/ConvertSpl.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;
using mlir::Type;

/// Whether instructions convert between the type and other such types.
static bool isNumber(Type type) {
  switch (formOf(type)) {
  case Form::Unsigned:
  case Form::Signed:
  case Form::Float:
    return true;
  case Form::Decimal:
  case Form::Complex:
  case Form::Timestamp:
  case Form::Text:
  case Form::Aggregate:
    return false;
  }
  llvm_unreachable("unknown form");
}

/// rstring without a bound: its values are the text forms of all others.
static bool isPlainText(Type type) { return isa<RStringType>(type) && !boundOf(type); }

static Value resize(Value x, Type to, bool isSigned, OpEmitter &e) {
  unsigned has = x.getType().getIntOrFloatBitWidth(), wants = to.getIntOrFloatBitWidth();
  if (has == wants)
    return x;
  if (has > wants)
    return LLVM::TruncOp::create(e.b, e.loc, to, x);
  if (isSigned)
    return LLVM::SExtOp::create(e.b, e.loc, to, x);
  return LLVM::ZExtOp::create(e.b, e.loc, to, x);
}

/// Out of range saturates, NaN gives 0.
static Value floatToInteger(Value x, Type to, bool isSigned, OpEmitter &e) {
  std::string name = std::string("llvm.fpto") + (isSigned ? "si" : "ui") + ".sat.i" +
                     std::to_string(to.getIntOrFloatBitWidth()) + ".f" +
                     std::to_string(x.getType().getIntOrFloatBitWidth());
  return LLVM::CallIntrinsicOp::create(e.b, e.loc, to, e.b.getStringAttr(name), ValueRange{x})
      .getResults();
}

/// Among numbers, and from an enumeration's position. Never fails.
static Value castNumber(Value x, Type from, Type to, OpEmitter &e) {
  Type lowered = layout::loweredType(to);
  if (isa<FloatType>(from)) {
    if (!isa<FloatType>(to))
      return floatToInteger(x, lowered, to.isSignedInteger(), e);
    unsigned has = from.getIntOrFloatBitWidth(), wants = to.getIntOrFloatBitWidth();
    if (has == wants)
      return x;
    if (has < wants)
      return LLVM::FPExtOp::create(e.b, e.loc, lowered, x);
    return LLVM::FPTruncOp::create(e.b, e.loc, lowered, x);
  }
  if (!isa<FloatType>(to))
    return to.isInteger(1) ? e.isNonZero(x) : resize(x, lowered, from.isSignedInteger(), e);
  if (from.isSignedInteger())
    return LLVM::SIToFPOp::create(e.b, e.loc, lowered, x);
  return LLVM::UIToFPOp::create(e.b, e.loc, lowered, x);
}

static Value castToEnum(Value x, Type from, EnumType to, OpEmitter &e) {
  Value position = e.toI64(from, x);
  Value outside = LLVM::ICmpOp::create(e.b, e.loc, LLVM::ICmpPredicate::uge, position,
                                       e.i64(to.getMembers().size()));
  e.failIf(outside, [&] {
    e.runtime("sl_error",
              {e.ctx(), e.cString("the enumeration has no member at position %lld"), position});
  });
  return LLVM::TruncOp::create(e.b, e.loc, e.b.getI32Type(), position);
}

/// Attributes by name; what the source has more is dropped.
static Value castTuple(CastOp op, spl::TupleType from, spl::TupleType to, OpEmitter &e) {
  SmallVector<Value> values;
  for (auto [name, type] : llvm::zip(to.getNames(), to.getTypes())) {
    auto at = llvm::find(from.getNames(), name);
    if (at == from.getNames().end())
      return e.error("the source has no attribute '" + name.getValue() + "'");
    unsigned index = at - from.getNames().begin();
    Value value = FieldOp::create(e.b, e.loc, op.getOperand(), index);
    if (value.getType() != type) {
      auto cast = CastOp::create(e.b, e.loc, type, value, op.getSourceAttr());
      spl::SplDialect::SiteAttrHelper helper(op->getContext());
      if (IntegerAttr site = helper.getAttr(op))
        helper.setAttr(cast, site);
      value = cast;
    }
    values.push_back(value);
  }
  return MakeTupleOp::create(e.b, e.loc, to, values);
}

static Value emitCast(CastOp op, CastOp::Adaptor in, OpEmitter &e) {
  Type from = op.getOperand().getType(), to = op.getType();
  Value x = in.getOperand();
  if (from == to)
    return x;
  auto members = dyn_cast<EnumType>(to);
  if (isNumber(from) && isNumber(to) && !members)
    return castNumber(x, from, to, e);
  if (members && isNumber(from) && !isa<FloatType>(from))
    return castToEnum(x, from, members, e);
  if (isa<spl::TupleType>(from) && isa<spl::TupleType>(to))
    return castTuple(op, cast<spl::TupleType>(from), cast<spl::TupleType>(to), e);

  if (to == unbounded(from) || (isPlainText(to) && isIn(from, type_class::String)))
    return x; // the same bytes
  Value result = e.slot(to), source = e.spill(from, x);
  if (isPlainText(to))
    e.runtime("sl_to_string", {e.ctx(), e.typeDesc(from), result, source});
  else if (isIn(to, type_class::String)) // cannot fail
    e.runtime("sl_cast", {e.ctx(), e.typeDesc(to), result, e.typeDesc(from), source});
  else if (isPlainText(from))
    e.check(e.runtime("sl_parse", {e.ctx(), e.typeDesc(to), result, source}));
  else if (Value status =
               e.runtime("sl_cast", {e.ctx(), e.typeDesc(to), result, e.typeDesc(from), source});
           op.canFail())
    e.check(status);
  return e.load(to, result);
}

void sluice::addCastPatterns(SplPatterns &p) { p.add<CastOp>(emitCast); }
