//===- Shared.cpp - types of SPL as types of the IR -----------------------===//
#include "frontend/emit/Shared.h"

using namespace sluice;
using namespace sluice::emission;

static mlir::Type makeType(Shared &shared, Type type) {
  mlir::MLIRContext *context = shared.context;
  auto names = [&](auto &&range, auto &&name) {
    llvm::SmallVector<mlir::StringAttr> result;
    for (auto &item : range)
      result.push_back(mlir::StringAttr::get(context, name(item)));
    return result;
  };
  switch (type->kind) {
  case SplType::Boolean:
    return mlir::IntegerType::get(context, 1);
  case SplType::Float32:
    return mlir::Float32Type::get(context);
  case SplType::Float64:
    return mlir::Float64Type::get(context);
  case SplType::RString:
    return spl::RStringType::get(context, type->bound);
  case SplType::UString:
    return spl::UStringType::get(context);
  case SplType::Blob:
    return spl::BlobType::get(context);
  case SplType::Xml:
    return spl::XmlType::get(context);
  case SplType::Timestamp:
    return spl::TimestampType::get(context);
  case SplType::Enum:
    return spl::EnumType::get(context, names(type->members, [](auto &m) { return m; }));
  case SplType::List:
    return spl::ListType::get(context, shared.type(type->args[0]), type->bound);
  case SplType::Set:
    return spl::SetType::get(context, shared.type(type->args[0]), type->bound);
  case SplType::Map:
    return spl::MapType::get(context, shared.type(type->args[0]), shared.type(type->args[1]),
                             type->bound);
  case SplType::Decimal32:
  case SplType::Decimal64:
  case SplType::Decimal128:
    return spl::DecimalType::get(context, type->bits());
  case SplType::Complex32:
    return mlir::ComplexType::get(mlir::Float32Type::get(context));
  case SplType::Complex64:
    return mlir::ComplexType::get(mlir::Float64Type::get(context));
  case SplType::Optional:
    return spl::OptionalType::get(context, shared.type(type->args[0]));
  case SplType::Tuple: {
    llvm::SmallVector<mlir::Type> types;
    for (const SplType::Attribute &attribute : type->attributes)
      types.push_back(shared.type(attribute.second));
    return spl::TupleType::get(context, names(type->attributes, [](auto &a) { return a.first; }),
                               types);
  }
  case SplType::Int8:
  case SplType::Int16:
  case SplType::Int32:
  case SplType::Int64:
    return mlir::IntegerType::get(context, type->bits(), mlir::IntegerType::Signed);
  case SplType::UInt8:
  case SplType::UInt16:
  case SplType::UInt32:
  case SplType::UInt64:
    return mlir::IntegerType::get(context, type->bits(), mlir::IntegerType::Unsigned);
  case SplType::Error:
  case SplType::Void:
  case SplType::Var:
#define SPL_KIND(...)
#define SPL_KIND_LATER(name, ...) case SplType::name:
#include "sluice/Kinds.def"
    break;
  }
  llvm_unreachable("Sema refuses types that cannot run");
}

mlir::Type Shared::type(Type type) {
  auto known = types.find(type);
  if (known != types.end())
    return known->second;
  mlir::Type made = makeType(*this, type);
  types[type] = made;
  return made;
}
