//===- SplFolds.cpp - folding of spl operations ---------------------------===//
//
// Only what cannot fail is folded, and only what every machine computes alike:
// integers (which wrap), boolean and comparisons. Constants are kept as 64-bit
// attributes, extended as their type says.
//
//===----------------------------------------------------------------------===//
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice::spl;

/// The constant in `attr`, 0 for a default value.
static std::optional<int64_t> integer(Attribute attr) {
  if (isa_and_nonnull<UnitAttr>(attr))
    return 0;
  if (auto value = dyn_cast_if_present<IntegerAttr>(attr))
    return value.getValue().getSExtValue();
  return std::nullopt;
}

/// `value` wrapped to the integer type.
static Attribute wrapped(uint64_t value, mlir::Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  APInt bits = APInt(64, value).trunc(width);
  bits = type.isSignedInteger() ? bits.sext(64) : bits.zext(64);
  return IntegerAttr::get(IntegerType::get(type.getContext(), 64), bits);
}

OpFoldResult UnaryOp::fold(FoldAdaptor adaptor) {
  auto value = integer(adaptor.getOperand());
  if (!value || !isa<IntegerType>(getType()))
    return {};
  switch (getKind()) {
  case UnaryKind::neg:
    return wrapped(0 - uint64_t(*value), getType());
  case UnaryKind::not_:
  case UnaryKind::bitnot:
    return wrapped(~uint64_t(*value), getType());
  }
  return {};
}

OpFoldResult BinaryOp::fold(FoldAdaptor adaptor) {
  auto lhs = integer(adaptor.getLhs()), rhs = integer(adaptor.getRhs());
  if (!lhs || !rhs || !isa<IntegerType>(getType()))
    return {};
  uint64_t a = *lhs, b = *rhs;
  uint64_t count = b & (getType().getIntOrFloatBitWidth() - 1);
  switch (getKind()) {
  case BinaryKind::add:
    return wrapped(a + b, getType());
  case BinaryKind::sub:
    return wrapped(a - b, getType());
  case BinaryKind::mul:
    return wrapped(a * b, getType());
  case BinaryKind::bit_and:
    return wrapped(a & b, getType());
  case BinaryKind::bit_or:
    return wrapped(a | b, getType());
  case BinaryKind::bit_xor:
    return wrapped(a ^ b, getType());
  case BinaryKind::shl:
    return wrapped(a << count, getType());
  case BinaryKind::shr:
    return wrapped(getType().isSignedInteger() ? uint64_t(*lhs >> count) : a >> count, getType());
  }
  return {};
}

/// Both operands constant, and the operation cannot fail.
static bool canDivide(std::optional<int64_t> lhs, std::optional<int64_t> rhs, mlir::Type type) {
  if (!lhs || !rhs || !*rhs || !isa<IntegerType>(type))
    return false;
  unsigned width = type.getIntOrFloatBitWidth();
  return !type.isSignedInteger() || *rhs != -1 ||
         *lhs != APInt::getSignedMinValue(width).getSExtValue();
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  auto lhs = integer(adaptor.getLhs()), rhs = integer(adaptor.getRhs());
  if (!canDivide(lhs, rhs, getType()))
    return {};
  return wrapped(getType().isSignedInteger() ? uint64_t(*lhs / *rhs)
                                             : uint64_t(*lhs) / uint64_t(*rhs),
                 getType());
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  auto lhs = integer(adaptor.getLhs()), rhs = integer(adaptor.getRhs());
  if (!canDivide(lhs, rhs, getType()))
    return {};
  return wrapped(getType().isSignedInteger() ? uint64_t(*lhs % *rhs)
                                             : uint64_t(*lhs) % uint64_t(*rhs),
                 getType());
}

template <typename T> static bool compare(CompareKind kind, T a, T b) {
  switch (kind) {
  case CompareKind::eq:
    return a == b;
  case CompareKind::ne:
    return a != b;
  case CompareKind::lt:
    return a < b;
  case CompareKind::le:
    return a <= b;
  case CompareKind::gt:
    return a > b;
  case CompareKind::ge:
    return a >= b;
  }
  return false;
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  auto lhs = integer(adaptor.getLhs()), rhs = integer(adaptor.getRhs());
  mlir::Type type = getLhs().getType();
  bool isEquality = getKind() == CompareKind::eq || getKind() == CompareKind::ne;
  if (isEquality && getLhs() == getRhs() && equalsItself(type))
    return wrapped(getKind() == CompareKind::eq, getType());
  if (!lhs || !rhs || !isa<IntegerType, EnumType>(type))
    return {};
  bool result = type.isSignedInteger() ? compare(getKind(), *lhs, *rhs)
                                       : compare(getKind(), uint64_t(*lhs), uint64_t(*rhs));
  return wrapped(result, getType());
}

/// make_tuple(t[0], t[1], ...) = t, where t has that very type.
OpFoldResult MakeTupleOp::fold(FoldAdaptor) {
  Value whole;
  for (auto [index, value] : llvm::enumerate(getValues())) {
    auto field = value.getDefiningOp<FieldOp>();
    if (!field || field.getIndex() != index || field.getTuple().getType() != getType() ||
        (whole && field.getTuple() != whole))
      return {};
    whole = field.getTuple();
  }
  return whole;
}
