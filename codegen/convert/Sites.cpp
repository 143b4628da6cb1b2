//===- Sites.cpp - places that can fail -------------------------===//
#include "codegen/convert/ConvertSpl.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace sluice;

/// x / y with a constant y that suits every x.
static bool safeDivisor(Value divisor) {
  auto constant = divisor.getDefiningOp<spl::ConstOp>();
  auto value = constant ? dyn_cast_or_null<IntegerAttr>(constant.getValueAttr()) : IntegerAttr();
  if (!value)
    return false;
  APInt y = value.getValue().sextOrTrunc(divisor.getType().getIntOrFloatBitWidth());
  return !y.isZero() && !(y.isAllOnes() && divisor.getType().isSignedInteger());
}

/// Tuples are cast attribute by attribute.
static bool tupleCastCanFail(spl::TupleType from, spl::TupleType to) {
  for (auto [name, type] : llvm::zip(to.getNames(), to.getTypes())) {
    auto at = llvm::find(from.getNames(), name);
    if (at == from.getNames().end() || from.getTypes()[at - from.getNames().begin()] != type)
      return true;
  }
  return false;
}

bool sluice::canFail(Operation *op) {
  if (auto cast = dyn_cast<spl::CastOp>(op)) {
    auto from = dyn_cast<spl::TupleType>(cast.getOperand().getType()),
         to = dyn_cast<spl::TupleType>(cast.getType());
    return from && to ? tupleCastCanFail(from, to) : cast.canFail();
  }
  if (isa<spl::DivOp, spl::RemOp>(op))
    return isa<IntegerType>(op->getResult(0).getType()) && !safeDivisor(op->getOperand(1));
  return op->hasTrait<spl::CanFail>();
}

static spl::SiteAttr describeSite(Operation *op) {
  Builder b(op->getContext());
  StringAttr file = b.getStringAttr(""), text = op->getAttrOfType<StringAttr>("source");
  uint32_t line = 0, column = 0;
  if (auto at = op->getLoc()->findInstanceOf<FileLineColRange>()) {
    file = at.getFilename();
    line = at.getStartLine();
    column = at.getStartColumn();
  }
  return spl::SiteAttr::get(op->getContext(), file, line, column,
                            text ? text : b.getStringAttr(""));
}

void sluice::numberSites(ModuleOp module) {
  Builder b(module.getContext());
  llvm::MapVector<Attribute, int32_t> sites; // and their numbers
  auto numberOf = [&](Attribute site) {
    return sites.try_emplace(site, int32_t(sites.size())).first->second;
  };
  if (auto known = module->getAttrOfType<ArrayAttr>(spl::SiteAttr::kModuleAttr))
    llvm::for_each(known, numberOf);
  module.walk([&](Operation *op) {
    // A function's failure has its site inside the function.
    auto call = dyn_cast<spl::CallOp>(op);
    if (!canFail(op) || (call && !call.getRecursive()))
      return;
    spl::SplDialect::SiteAttrHelper(b.getContext())
        .setAttr(op, b.getI32IntegerAttr(numberOf(describeSite(op))));
  });
  auto all = llvm::map_to_vector(sites, [](auto &entry) { return entry.first; });
  module->setAttr(spl::SiteAttr::kModuleAttr, b.getArrayAttr(all));
}
