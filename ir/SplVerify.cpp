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
    return base;
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
  case Kind::Enum:
  case Kind::Timestamp:
  case Kind::Set:
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
  bool indexed = isa<MapType>(base) || (!mapOnly && isa<ListType>(base));
  if (!indexed || indexedType(base) != inPlace(op->getResult(0)))
    return op->emitOpError("is not the place of an element of ") << base;
  return success();
}

LogicalResult IndexRefOp::verify() {
  return checkElementPlace(*this, getPlace(), /*mapOnly=*/false);
}
LogicalResult MapSlotOp::verify() { return checkElementPlace(*this, getPlace(), /*mapOnly=*/true); }

LogicalResult FieldRefOp::verify() {
  auto tuple = dyn_cast<sluice::spl::TupleType>(inPlace(getPlace()));
  if (!tuple || getIndex() >= tuple.getTypes().size() ||
      tuple.getTypes()[getIndex()] != inPlace(getResult()))
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
  if (!isa<RStringType>(inPlace(getPlace())))
    return emitOpError("appends to a place of ") << inPlace(getPlace());
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

/// That `name` is a function with these types; `role` is for the message.
static LogicalResult checkRole(OutputFnOp op, SymbolTableCollection &symbols,
                               FlatSymbolRefAttr name, StringRef role, TypeRange formals,
                               TypeRange results) {
  if (!name)
    return success();
  Operation *callee = symbols.lookupNearestSymbolFrom(op, name);
  if (!callee)
    return op.emitOpError("has unknown function ") << name << " as '" << role << "'";
  auto function = dyn_cast<FuncOp>(callee); // or lowered already
  if (!function || (formals == function.getArgumentTypes() && results == function.getResultTypes()))
    return success();
  InFlightDiagnostic error = op.emitOpError("needs a function of ");
  error << FunctionType::get(op.getContext(), formals, results) << " as '" << role << "'";
  error.attachNote(function.getLoc()) << "declared here";
  return error;
}

LogicalResult OutputFnOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (bool(getAggregate()) + bool(getCounts()) + bool(getFold()) > 1)
    return emitOpError("has more than one of 'aggregate', 'counts' and 'fold'");
  if (!getAggregate())
    return success();
  AggregateAttr by = *getAggregate();
  mlir::Type state = by.getState(), place = RefType::get(getContext(), state);
  SmallVector<mlir::Type> values(getArgs().getTypes()), change(values);
  change.insert(change.begin(), place);
  auto check = [&](FlatSymbolRefAttr name, StringRef role, TypeRange formals, TypeRange results) {
    return succeeded(checkRole(*this, symbols, name, role, formals, results));
  };
  return success(check(by.getLift(), "lift", values, state) &&
                 check(by.getAdd(), "add", change, {}) &&
                 check(by.getMerge(), "merge", {place, state}, {}) &&
                 check(by.getRemove(), "remove", change, {}) &&
                 check(by.getResult(), "result", state, getType()));
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
