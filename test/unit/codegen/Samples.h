//===- Samples.h - a type of each kind, for tests ----------------*- C++ -*-===//
#pragma once
#include "ir/Kinds.h"
#include "mlir/IR/MLIRContext.h"

namespace sluice::test {

inline constexpr Kind kAllKinds[] = {
#define SPL_KIND(name, ...) Kind::name,
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
};

/// A type of the kind.
inline mlir::Type sample(Kind kind, mlir::MLIRContext *context) {
  using mlir::IntegerType;
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics signedness) {
    return IntegerType::get(context, width, signedness);
  };
  mlir::Type element = IntegerType::get(context, 1);
  mlir::StringAttr name = mlir::StringAttr::get(context, "a");
  switch (kind) {
  case Kind::Boolean:
    return element;
  case Kind::Int8:
    return integer(8, IntegerType::Signed);
  case Kind::Int16:
    return integer(16, IntegerType::Signed);
  case Kind::Int32:
    return integer(32, IntegerType::Signed);
  case Kind::Int64:
    return integer(64, IntegerType::Signed);
  case Kind::UInt8:
    return integer(8, IntegerType::Unsigned);
  case Kind::UInt16:
    return integer(16, IntegerType::Unsigned);
  case Kind::UInt32:
    return integer(32, IntegerType::Unsigned);
  case Kind::UInt64:
    return integer(64, IntegerType::Unsigned);
  case Kind::Float32:
    return mlir::Float32Type::get(context);
  case Kind::Float64:
    return mlir::Float64Type::get(context);
  case Kind::Decimal32:
    return spl::DecimalType::get(context, 32);
  case Kind::Decimal64:
    return spl::DecimalType::get(context, 64);
  case Kind::Decimal128:
    return spl::DecimalType::get(context, 128);
  case Kind::Complex32:
    return mlir::ComplexType::get(mlir::Float32Type::get(context));
  case Kind::Complex64:
    return mlir::ComplexType::get(mlir::Float64Type::get(context));
  case Kind::Enum:
    return spl::EnumType::get(context, {name});
  case Kind::Timestamp:
    return spl::TimestampType::get(context);
  case Kind::RString:
    return spl::RStringType::get(context);
  case Kind::UString:
    return spl::UStringType::get(context);
  case Kind::Blob:
    return spl::BlobType::get(context);
  case Kind::Xml:
    return spl::XmlType::get(context);
  case Kind::List:
    return spl::ListType::get(context, element);
  case Kind::Set:
    return spl::SetType::get(context, element);
  case Kind::Map:
    return spl::MapType::get(context, element, element);
  case Kind::Optional:
    return spl::OptionalType::get(context, element);
  case Kind::Tuple:
    return spl::TupleType::get(context, {name}, {element});
  }
  llvm_unreachable("unknown kind");
}

} // namespace sluice::test
