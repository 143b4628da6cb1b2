//===- SplVerify.cpp - verification of places, elements and calls ---------===//
#include "ir/Kinds.h"
#include "ir/Spl.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;

//===--- elements and their places ----------------------------------------===//

/// What base[index] is, or null if base has no elements.
static mlir::Type indexedType(mlir::Type base) {
  std::optional<Kind> kind = findKind(base);
  if (!kind)
    return {};
  switch (*kind) {
  case Kind::List:
    return elementOf(base);
  case Kind::Map:
    return cast<MapType>(base).getValue();
  case Kind::RString:
  case Kind::UString:
    return base;
  case Kind::Blob:
    return IntegerType::get(base.getContext(), 8, IntegerType::Unsigned);
  case Kind::Boolean:
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
  case Kind::Float32:
  case Kind::Float64:
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
  case Kind::Complex32:
  case Kind::Complex64:
  case Kind::Enum:
  case Kind::Timestamp:
  case Kind::Xml:
  case Kind::Set:
  case Kind::Optional:
  case Kind::Tuple:
    return {};
  }
  llvm_unreachable("unknown kind");
}

static mlir::Type inPlace(Value place) { return cast<RefType>(place.getType()).getElement(); }

static LogicalResult checkElement(Operation *op, mlir::Type element) {
  if (element != op->getResult(0).getType())
    return op->emitOpError("result is not the element's type");
  return success();
}

LogicalResult IndexOp::verify() { return checkElement(*this, indexedType(getBase().getType())); }

LogicalResult NthOp::verify() { return checkElement(*this, elementOf(getCollection().getType())); }

LogicalResult MapValueOp::verify() { return checkElement(*this, getMap().getType().getValue()); }

static LogicalResult checkElementPlace(Operation *op, Value place, bool mapOnly) {
  mlir::Type base = inPlace(place);
  bool indexed = isa<MapType>(base) || (!mapOnly && isa<ListType, BlobType>(base));
  if (!indexed || indexedType(base) != inPlace(op->getResult(0)))
    return op->emitOpError("is not the place of an element of ") << base;
  return success();
}

LogicalResult IndexRefOp::verify() {
  return checkElementPlace(*this, getPlace(), /*mapOnly=*/false);
}
LogicalResult MapSlotOp::verify() { return checkElementPlace(*this, getPlace(), /*mapOnly=*/true); }

LogicalResult NthRefOp::verify() {
  if (isa<BlobType>(inPlace(getPlace())))
    return emitOpError("takes the place of a list or map");
  return checkElementPlace(*this, getPlace(), /*mapOnly=*/false);
}

/// The place of a map, and a key of it.
static LogicalResult checkKey(Operation *op, Value place, Value key) {
  auto map = dyn_cast<MapType>(inPlace(place));
  if (!map || map.getKey() != key.getType())
    return op->emitOpError("takes a key of ")
           << key.getType() << " for a place of " << inPlace(place);
  return success();
}

LogicalResult MapFindOp::verify() { return checkKey(*this, getPlace(), getKey()); }
LogicalResult MapEraseOp::verify() { return checkKey(*this, getPlace(), getKey()); }

static LogicalResult checkMap(Operation *op, Value place) {
  if (!isa<MapType>(inPlace(place)))
    return op->emitOpError("takes the place of a map, not of ") << inPlace(place);
  return success();
}

LogicalResult MapEraseNthOp::verify() { return checkMap(*this, getPlace()); }
LogicalResult MapFetchNthOp::verify() { return checkMap(*this, getPlace()); }

LogicalResult PushOp::verify() {
  auto list = dyn_cast<ListType>(inPlace(getPlace()));
  if (!list || list.getElement() != getValue().getType())
    return emitOpError("appends ") << getValue().getType() << " to " << inPlace(getPlace());
  return success();
}

LogicalResult CheckSizeOp::verify() {
  mlir::Type type = getSize().getType();
  if (!type.isSignedInteger() && !isa<FloatType, DecimalType>(type))
    return emitOpError("takes a number that may be below 0, not ") << type;
  return success();
}

LogicalResult GrowRingOp::verify() {
  if (!isa<ListType>(inPlace(getSlots())) || !inPlace(getHead()).isUnsignedInteger(64) ||
      !inPlace(getCount()).isUnsignedInteger(64))
    return emitOpError("takes the places of a list, of a position and of a number (ui64)");
  return success();
}

/// Whether runtime/value/SortKeys.h orders values of the type.
static bool isSortKey(mlir::Type type) {
  return isa<IntegerType, FloatType, DecimalType, EnumType, TimestampType, RStringType, UStringType,
             BlobType>(type);
}

/// `rows` is the place of a list of tuples, which begin with keys.
static LogicalResult checkSorted(Operation *op, Value rows, ArrayRef<bool> keys) {
  auto list = dyn_cast<ListType>(inPlace(rows));
  auto row = list ? dyn_cast<sluice::spl::TupleType>(list.getElement()) : nullptr;
  if (!row || row.getTypes().size() < keys.size() ||
      !llvm::all_of(row.getTypes().take_front(keys.size()), isSortKey))
    return op->emitOpError("takes rows that begin with ")
           << keys.size() << " keys, not " << inPlace(rows);
  return success();
}

LogicalResult SortRowsOp::verify() {
  auto order = dyn_cast<ListType>(getType());
  if (!order || !order.getElement().isUnsignedInteger(32))
    return emitOpError("gives a list of row numbers (ui32)");
  return checkSorted(*this, getRows(), getDescending());
}

static LogicalResult checkHeap(Operation *op, Value heap, Value rows, ArrayRef<bool> keys) {
  auto list = dyn_cast<ListType>(inPlace(heap));
  auto entry = list ? dyn_cast<sluice::spl::TupleType>(list.getElement()) : nullptr;
  if (!entry || entry.getTypes().size() != 2 ||
      !llvm::all_of(entry.getTypes(), [](mlir::Type type) { return type.isUnsignedInteger(64); }))
    return op->emitOpError("takes a list of words and row numbers (ui64), not ") << inPlace(heap);
  return checkSorted(op, rows, keys);
}

LogicalResult HeapPushOp::verify() {
  return checkHeap(*this, getHeap(), getRows(), getDescending());
}
LogicalResult HeapPopOp::verify() {
  return checkHeap(*this, getHeap(), getRows(), getDescending());
}

LogicalResult FieldRefOp::verify() {
  SmallVector<mlir::Type> parts = partsOf(inPlace(getPlace()));
  if (getIndex() >= parts.size() || parts[getIndex()] != inPlace(getResult()))
    return emitOpError("is not the place of an attribute of ") << inPlace(getPlace());
  return success();
}

LogicalResult LoadOp::verify() {
  if (inPlace(getPlace()) != getType())
    return emitOpError("loads ") << getType() << " from a place of " << inPlace(getPlace());
  return success();
}

LogicalResult StoreOp::verify() {
  if (inPlace(getPlace()) != getValue().getType())
    return emitOpError("stores ") << getValue().getType() << " into a place of "
                                  << inPlace(getPlace());
  return success();
}

LogicalResult AppendOp::verify() {
  mlir::Type type = inPlace(getPlace());
  if (type != getValue().getType() || boundOf(type))
    return emitOpError("appends ") << getValue().getType() << " to a place of " << type;
  return success();
}

LogicalResult CutOp::verify() {
  if (!boundOf(inPlace(getPlace())))
    return emitOpError("takes a place with a bound, not one of ") << inPlace(getPlace());
  return success();
}

//===--- functions --------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<mlir::Type> results = function.getResultTypes();
  if (results.size() != getNumOperands())
    return emitOpError("returns ")
           << getNumOperands() << " values from a function of " << results.size();
  if (getValue() && getValue().getType() != results[0])
    return emitOpError("returns ") << getValue().getType() << " from a function of " << results[0];
  return success();
}

LogicalResult OutputFnOp::verify() {
  if (bool(getSummary()) + bool(getCounts()) + bool(getFold()) > 1)
    return emitOpError("has more than one of 'summary', 'counts' and 'fold'");
  if (summarises() && !getArgs().empty())
    return emitOpError("says something about several tuples, so its arguments stand elsewhere");
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("calls unknown function ") << getCalleeAttr();
  auto function = dyn_cast<FuncOp>(callee); // or lowered already
  if (!function)
    return success();
  if (!llvm::equal(getArgs().getTypes(), function.getArgumentTypes()) ||
      !llvm::equal((*this)->getResultTypes(), function.getResultTypes()))
    return (emitOpError("does not match the function").attachNote(function.getLoc())
            << "declared here"),
           failure();
  return success();
}
