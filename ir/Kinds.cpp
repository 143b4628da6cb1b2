//===- Kinds.cpp - the kinds of MLIR's types of values --------------------===//
#include "ir/Kinds.h"
#include "sluice/enums.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;

static std::optional<Kind> decimalKind(DecimalType type) {
  switch (type.getWidth()) {
  case 32:
    return Kind::Decimal32;
  case 64:
    return Kind::Decimal64;
  case 128:
    return Kind::Decimal128;
  }
  return std::nullopt;
}

static std::optional<Kind> integerKind(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return Kind::Boolean;
  case 8:
    return isUnsigned ? Kind::UInt8 : Kind::Int8;
  case 16:
    return isUnsigned ? Kind::UInt16 : Kind::Int16;
  case 32:
    return isUnsigned ? Kind::UInt32 : Kind::Int32;
  case 64:
    return isUnsigned ? Kind::UInt64 : Kind::Int64;
  }
  return std::nullopt;
}

std::optional<Kind> spl::findKind(mlir::Type type) {
  using Found = std::optional<Kind>;
  return llvm::TypeSwitch<mlir::Type, Found>(type)
      .Case([](IntegerType t) { return integerKind(t); })
      .Case([](Float32Type) -> Found { return Kind::Float32; })
      .Case([](Float64Type) -> Found { return Kind::Float64; })
      .Case([](EnumType) -> Found { return Kind::Enum; })
      .Case([](DecimalType t) { return decimalKind(t); })
      .Case([](mlir::ComplexType t) -> Found {
        return t.getElementType().isF32() ? Kind::Complex32 : Kind::Complex64;
      })
      .Case([](TimestampType) -> Found { return Kind::Timestamp; })
      .Case([](RStringType) -> Found { return Kind::RString; })
      .Case([](UStringType) -> Found { return Kind::UString; })
      .Case([](BlobType) -> Found { return Kind::Blob; })
      .Case([](XmlType) -> Found { return Kind::Xml; })
      .Case([](ListType) -> Found { return Kind::List; })
      .Case([](SetType) -> Found { return Kind::Set; })
      .Case([](MapType) -> Found { return Kind::Map; })
      .Case([](OptionalType) -> Found { return Kind::Optional; })
      .Case([](spl::TupleType) -> Found { return Kind::Tuple; })
      .Default([](mlir::Type) -> Found { return std::nullopt; });
}

Kind spl::kindOf(mlir::Type type) {
  std::optional<Kind> kind = findKind(type);
  assert(kind && "not a type of values");
  return *kind;
}

bool spl::isIn(mlir::Type type, uint32_t classes) {
  std::optional<Kind> kind = findKind(type);
  return kind && sluice::isIn(*kind, classes);
}

bool spl::isScalar(mlir::Type type) {
  std::optional<Kind> kind = findKind(type);
  return kind && storageOf(*kind) == Storage::Scalar;
}

bool spl::equalsItself(mlir::Type type) {
  return llvm::TypeSwitch<mlir::Type, bool>(type)
      .Case<spl::TupleType, OptionalType>(
          [](auto t) { return llvm::all_of(partsOf(t), equalsItself); })
      .Case([](MapType t) { return equalsItself(t.getKey()) && equalsItself(t.getValue()); })
      .Case<ListType, SetType>([](auto t) { return equalsItself(elementOf(t)); })
      .Default([](mlir::Type t) { return !isa<FloatType, DecimalType, mlir::ComplexType>(t); });
}

llvm::SmallVector<mlir::Type> spl::partsOf(mlir::Type record) {
  if (auto optional = dyn_cast<OptionalType>(record))
    return {IntegerType::get(record.getContext(), 1), optional.getElement()};
  if (auto tuple = dyn_cast<spl::TupleType>(record))
    return llvm::to_vector(tuple.getTypes());
  return {};
}

uint32_t spl::boundOf(mlir::Type type) {
  return llvm::TypeSwitch<mlir::Type, uint32_t>(type)
      .Case<RStringType, ListType, SetType, MapType>([](auto t) { return t.getBound(); })
      .Default(0u);
}

mlir::Type spl::unbounded(mlir::Type type) {
  MLIRContext *context = type.getContext();
  return llvm::TypeSwitch<mlir::Type, mlir::Type>(type)
      .Case([&](RStringType) { return RStringType::get(context); })
      .Case<ListType, SetType>([&](auto t) { return decltype(t)::get(context, t.getElement()); })
      .Case([&](MapType t) { return MapType::get(context, t.getKey(), t.getValue()); })
      .Default(type);
}

std::string spl::sourceText(mlir::Type type) {
  uint32_t most = boundOf(type);
  std::string keyword = infoOf(kindOf(type)).keyword, parts,
              bound = most ? "[" + std::to_string(most) + "]" : "";
  auto add = [&](const std::string &part) { parts += (parts.empty() ? "" : ", ") + part; };
  if (auto tuple = dyn_cast<spl::TupleType>(type)) {
    for (auto [name, part] : llvm::zip_equal(tuple.getNames(), tuple.getTypes()))
      add(sourceText(part) + " " + name.str());
  } else if (auto map = dyn_cast<MapType>(type)) {
    add(sourceText(map.getKey()));
    add(sourceText(map.getValue()));
  } else if (mlir::Type element = elementOf(type)) {
    add(sourceText(element));
  } else if (auto optional = dyn_cast<OptionalType>(type)) {
    add(sourceText(optional.getElement()));
  } else if (auto members = dyn_cast<EnumType>(type)) {
    for (StringAttr member : members.getMembers())
      add(member.str());
    return keyword + "{" + parts + "}";
  } else {
    return keyword + bound;
  }
  return keyword + "<" + parts + ">" + bound;
}

mlir::Type spl::elementOf(mlir::Type collection) {
  return llvm::TypeSwitch<mlir::Type, mlir::Type>(collection)
      .Case([](ListType t) { return t.getElement(); })
      .Case([](SetType t) { return t.getElement(); })
      .Case([](MapType t) { return t.getKey(); })
      .Default(mlir::Type());
}

EnumType spl::markerType(MLIRContext *context) {
  auto members = llvm::map_to_vector(
      kMarkerNames, [&](const char *name) { return StringAttr::get(context, name); });
  return EnumType::get(context, members);
}

static uint64_t alignOf(mlir::Type type) {
  uint64_t most = std::max(infoOf(kindOf(type)).align, 1u);
  for (mlir::Type part : spl::partsOf(type))
    most = std::max(most, alignOf(part));
  return most;
}

uint64_t sluice::spl::bytesOf(mlir::Type type) {
  if (storageOf(kindOf(type)) != Storage::Parts)
    return infoOf(kindOf(type)).size;
  uint64_t bytes = 0;
  for (mlir::Type part : partsOf(type))
    bytes = llvm::alignTo(bytes, alignOf(part)) + bytesOf(part);
  return llvm::alignTo(bytes, alignOf(type));
}
