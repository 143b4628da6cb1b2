//===- SplOps.cpp - parsing, verification and folding of spl operations ---===//
#include "ir/Kinds.h"
#include "ir/Spl.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "sluice/decimal.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;

#define GET_OP_CLASSES
#include "ir/SplOps.cpp.inc"

//===--- const ------------------------------------------------------------===//
// spl.const 7 : si32    spl.const "a" : !spl.rstring    spl.const : !spl.list<si32>

ParseResult ConstOp::parse(OpAsmParser &parser, OperationState &result) {
  mlir::Type type;
  Attribute value;
  if (failed(parser.parseOptionalColon())) {
    double real;
    std::string text;
    // The attribute is written without its own type; the result's follows.
    if (succeeded(parser.parseOptionalString(&text))) {
      if (parser.parseColonType(type))
        return failure();
      value = parser.getBuilder().getStringAttr(text);
    } else if (succeeded(parser.parseOptionalKeyword("true")) ||
               succeeded(parser.parseOptionalKeyword("false"))) {
      return parser.emitError(parser.getCurrentLocation(), "write booleans as 0 or 1");
    } else {
      bool negative = succeeded(parser.parseOptionalMinus());
      APInt integer;
      OptionalParseResult asInt = parser.parseOptionalInteger(integer);
      if (asInt.has_value()) {
        if (*asInt || parser.parseColonType(type))
          return failure();
        integer = integer.sextOrTrunc(64);
        value = IntegerAttr::get(IntegerType::get(parser.getContext(), 64),
                                 negative ? -integer : integer);
      } else {
        if (parser.parseFloat(real) || parser.parseColonType(type))
          return failure();
        value = FloatAttr::get(Float64Type::get(parser.getContext()), negative ? -real : real);
      }
    }
    if (isa<FloatType>(type) && isa<IntegerAttr>(value))
      return parser.emitError(parser.getCurrentLocation(), "a float literal needs a point");
    result.addAttribute("value", value);
  } else if (parser.parseType(type)) {
    return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addTypes(type);
  return success();
}

void ConstOp::print(OpAsmPrinter &printer) {
  if (Attribute value = getValueAttr()) {
    printer << " ";
    printer.printAttributeWithoutType(value);
  }
  printer << " : " << getType();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"value"});
}

static bool isDecimalText(Attribute value, unsigned bits) {
  auto text = dyn_cast<StringAttr>(value);
  decimal::Value number;
  return text && !text.empty() &&
         decimal::read(text.getValue().begin(), text.getValue().end(), bits, number) ==
             text.getValue().end();
}

/// Whether the attribute may be a literal of the type; of some there is none but the default.
static bool isLiteralOf(mlir::Type type, Attribute value) {
  std::optional<Kind> kind = findKind(type);
  if (!kind)
    return false;
  switch (*kind) {
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Enum:
    return isa<IntegerAttr>(value);
  case Kind::Float32:
  case Kind::Float64:
    return isa<FloatAttr>(value);
  case Kind::Complex32:
  case Kind::Complex64:
    return isa<FloatAttr>(value);
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return isDecimalText(value, infoOf(*kind).size * 8);
  case Kind::RString:
  case Kind::UString:
  case Kind::Xml:
    return isa<StringAttr>(value);
  case Kind::Blob:
  case Kind::Timestamp:
  case Kind::List:
  case Kind::Set:
  case Kind::Map:
  case Kind::Optional:
  case Kind::Tuple:
    return false;
  }
  llvm_unreachable("unknown kind");
}

LogicalResult ConstOp::verify() {
  Attribute value = getValueAttr();
  mlir::Type type = getType();
  if (!value)
    return success();
  if (!isLiteralOf(type, value))
    return emitOpError() << "value " << value << " does not fit type " << type;
  return success();
}

/// The default value of a type folds to a unit attribute.
OpFoldResult ConstOp::fold(FoldAdaptor) {
  return getValueAttr() ? getValueAttr() : Attribute(UnitAttr::get(getContext()));
}

//===--- operators --------------------------------------------------------===//

LogicalResult UnaryOp::verify() {
  mlir::Type type = getOperand().getType();
  bool ok = getKind() == UnaryKind::neg    ? isIn(type, type_class::Numeric)
            : getKind() == UnaryKind::not_ ? type.isInteger(1)
                                           : isIn(type, type_class::Integral);
  return ok ? success() : emitOpError() << "cannot be applied to " << type;
}

LogicalResult BinaryOp::verify() {
  mlir::Type type = getLhs().getType();
  BinaryKind kind = getKind();
  if (kind == BinaryKind::shl || kind == BinaryKind::shr) {
    if (!isIn(type, type_class::Integral) || !isIn(getRhs().getType(), type_class::Integral))
      return emitOpError("shifts take integers");
    return success();
  }
  if (type != getRhs().getType())
    return emitOpError("operands have different types");
  bool ok = isIn(type, type_class::Numeric);
  if (kind == BinaryKind::add)
    ok |= isIn(type, type_class::String) || isa<TimestampType>(type);
  else if (kind == BinaryKind::sub)
    ok |= isa<TimestampType>(type);
  else if (kind >= BinaryKind::bit_and)
    ok = isIn(type, type_class::Integral) || type.isInteger(1);
  return ok ? success() : emitOpError() << "cannot be applied to " << type;
}

bool CastOp::canFail() {
  mlir::Type from = getOperand().getType(), to = getType();
  if (isIn(to, type_class::String) || from == to)
    return false;
  auto isNumber = [](mlir::Type type) {
    return isScalar(type) || isIn(type, type_class::Decimal | type_class::Complex);
  };
  return !isNumber(from) || !isNumber(to) || isa<EnumType>(to);
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  return getOperand().getType() == getType() ? OpFoldResult(getOperand()) : OpFoldResult();
}

//===--- aggregates: OP %a, %b : result type ------------------------------===//

static void printElements(OpAsmPrinter &printer, Operation *op) {
  if (op->getNumOperands())
    printer << " ";
  printer.printOperands(op->getOperands());
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getResult(0).getType();
}

/// Operand types follow from the result's type by `elementTypes`.
static ParseResult parseElements(
    OpAsmParser &parser, OperationState &result,
    llvm::function_ref<void(mlir::Type, size_t, SmallVectorImpl<mlir::Type> &)> elementTypes) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<mlir::Type> types;
  mlir::Type type;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  elementTypes(type, operands.size(), types);
  result.addTypes(type);
  return parser.resolveOperands(operands, types, loc, result.operands);
}

ParseResult MakeTupleOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseElements(parser, result,
                       [](mlir::Type type, size_t, SmallVectorImpl<mlir::Type> &types) {
                         llvm::append_range(types, partsOf(type));
                       });
}
void MakeTupleOp::print(OpAsmPrinter &printer) { printElements(printer, *this); }
LogicalResult MakeTupleOp::verify() {
  if (!llvm::equal(getOperandTypes(), partsOf(getType())))
    return emitOpError("values do not match the attributes of ") << getType();
  return success();
}

ParseResult MakeListOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseElements(parser, result,
                       [](mlir::Type type, size_t n, SmallVectorImpl<mlir::Type> &types) {
                         if (auto list = dyn_cast<ListType>(type))
                           types.assign(n, list.getElement());
                       });
}
void MakeListOp::print(OpAsmPrinter &printer) { printElements(printer, *this); }

ParseResult MakeSetOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseElements(parser, result,
                       [](mlir::Type type, size_t n, SmallVectorImpl<mlir::Type> &types) {
                         if (auto set = dyn_cast<SetType>(type))
                           types.assign(n, set.getElement());
                       });
}
void MakeSetOp::print(OpAsmPrinter &printer) { printElements(printer, *this); }

ParseResult MakeMapOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseElements(parser, result,
                       [](mlir::Type type, size_t n, SmallVectorImpl<mlir::Type> &types) {
                         if (auto map = dyn_cast<MapType>(type))
                           for (size_t i = 0; i < n; ++i)
                             types.push_back(i % 2 ? map.getValue() : map.getKey());
                       });
}
void MakeMapOp::print(OpAsmPrinter &printer) { printElements(printer, *this); }

//===--- fields and places ------------------------------------------------===//

void FieldOp::build(OpBuilder &builder, OperationState &state, Value tuple, unsigned index) {
  build(builder, state, partsOf(tuple.getType())[index], tuple, index);
}

LogicalResult FieldOp::verify() {
  SmallVector<mlir::Type> parts = partsOf(getTuple().getType());
  if (getIndex() >= parts.size())
    return emitOpError("index is past the tuple's attributes");
  if (parts[getIndex()] != getType())
    return emitOpError("result is not the attribute's type");
  return success();
}

/// field(make_tuple(a, b), 1) = b
OpFoldResult FieldOp::fold(FoldAdaptor) {
  if (auto make = getTuple().getDefiningOp<MakeTupleOp>())
    return make.getValues()[getIndex()];
  return {};
}

void FieldRefOp::build(OpBuilder &builder, OperationState &state, Value place, unsigned index) {
  mlir::Type part = partsOf(cast<RefType>(place.getType()).getElement())[index];
  build(builder, state, RefType::get(builder.getContext(), part), place, index);
}

void LoadOp::build(OpBuilder &builder, OperationState &state, Value place) {
  build(builder, state, cast<RefType>(place.getType()).getElement(), place);
}

void ArenaCheckpointOp::build(OpBuilder &builder, OperationState &state) {
  build(builder, state, ArenaCheckpointType::get(builder.getContext()));
}

bool NativeOp::mayUseScratch() {
  auto isScalar = [](mlir::Type type) { return isa<IntegerType, FloatType, EnumType>(type); };
  return !is(CallTrait::scratchFree) && !(llvm::all_of((*this)->getOperandTypes(), isScalar) &&
                                          llvm::all_of((*this)->getResultTypes(), isScalar));
}

void OutputFnOp::build(OpBuilder &builder, OperationState &state, mlir::Type type, StringRef name,
                       ValueRange args) {
  state.addOperands(args);
  state.addTypes(type);
  state.getOrAddProperties<Properties>().name = builder.getStringAttr(name);
}

//===--- functions --------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<mlir::Type> args, ArrayRef<mlir::Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(args, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}
