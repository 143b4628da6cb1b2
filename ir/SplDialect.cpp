//===- SplDialect.cpp - registration and types of the spl dialect ---------===//
#include "ir/Spl.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::spl;

#include "ir/SplDialect.cpp.inc"
#include "ir/SplEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/SplAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/SplTypes.cpp.inc"

void SplDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/SplAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/SplTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/SplOps.cpp.inc"
      >();
}

/// Whether an attribute of this name may have this value; the helper declares its type.
template <typename Helper> static bool fits(NamedAttribute attribute, bool (*isOne)(Attribute)) {
  return attribute.getName() != Helper::getNameStr() || isOne(attribute.getValue());
}

template <typename Attr> static bool isOf(Attribute value) { return isa<Attr>(value); }

LogicalResult SplDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (!fits<StateOffsetsAttrHelper>(attribute, isOf<DenseI64ArrayAttr>) ||
      !fits<SiteAttrHelper>(attribute, isOf<IntegerAttr>) ||
      !fits<InScratchAttrHelper>(attribute, isOf<UnitAttr>) ||
      !fits<MemoryAttrHelper>(attribute, isOf<LLVM::TBAATagAttr>))
    return op->emitOpError() << "'" << attribute.getName().getValue() << "' has a wrong type";
  if (attribute.getName() != SiteAttr::kModuleAttr)
    return success();
  auto sites = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!isa<ModuleOp>(op) || !sites || !llvm::all_of(sites, llvm::IsaPred<SiteAttr>))
    return op->emitOpError() << "'" << SiteAttr::kModuleAttr << "' is a module's list of sites";
  return success();
}

/// The counterpart of ConstOp::fold.
Operation *SplDialect::materializeConstant(OpBuilder &builder, Attribute value, mlir::Type type,
                                           Location loc) {
  if (isa<UnitAttr>(value))
    value = {};
  return ConstOp::create(builder, loc, type, value);
}

std::optional<unsigned> sluice::spl::TupleType::indexOf(StringAttr name) {
  const StringAttr *at = llvm::find(getNames(), name);
  if (at == getNames().end())
    return std::nullopt;
  return at - getNames().begin();
}

// tuple<"name": type, ...>
mlir::Type sluice::spl::TupleType::parse(AsmParser &parser) {
  SmallVector<StringAttr> names;
  SmallVector<mlir::Type> types;
  auto one = [&]() -> ParseResult {
    std::string name;
    mlir::Type type;
    if (parser.parseString(&name) || parser.parseColon() || parser.parseType(type))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    types.push_back(type);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, one))
    return {};
  return get(parser.getContext(), names, types);
}

void sluice::spl::TupleType::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(llvm::zip(getNames(), getTypes()), printer.getStream(), [&](auto pair) {
    printer << std::get<0>(pair) << ": " << std::get<1>(pair);
  });
  printer << ">";
}
