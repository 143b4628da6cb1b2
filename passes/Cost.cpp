//===- Cost.cpp - what a tuple costs, by estimate --------------------------===//
#include "passes/Cost.h"

using namespace mlir;
using namespace sluice;

/// Orders of magnitude of one core of 2020: an operation on numbers (vectorised
/// across tuples), one on strings, a look-up or a copy of a collection.
static constexpr double kNumber = 0.3, kString = 5, kCollection = 20;

static bool isNumber(mlir::Type type) { return isa<IntegerType, FloatType, spl::EnumType>(type); }

static double ofValue(mlir::Type type) {
  if (isNumber(type))
    return kNumber;
  if (isa<spl::ListType, spl::SetType, spl::MapType>(type))
    return kCollection;
  if (auto tuple = dyn_cast<spl::TupleType>(type)) {
    double sum = 0;
    for (mlir::Type part : tuple.getTypes())
      sum += isNumber(part) ? 0 : ofValue(part);
    return sum;
  }
  return kString;
}

double CostEstimate::of(Operation &op) {
  if (auto call = dyn_cast<spl::CallOp>(op)) {
    auto function = module.lookupSymbol<spl::FuncOp>(call.getCallee());
    if (!function)
      return kHeavy;
    auto [known, isNew] = functions.try_emplace(function, kHeavy); // recursive: heavy
    if (!isNew)
      return known->second;
    double cost = of(function.getBody());
    return functions[function] = cost;
  }
  if (isa<spl::NativeOp>(op)) // a function of numbers is a few instructions, others may do anything
    return llvm::all_of(op.getOperandTypes(), isNumber) && llvm::all_of(op.getResultTypes(), isNumber) ? 10 * kNumber
                                                                                                      : kHeavy;
  if (isa<spl::FieldOp, spl::ConstOp, spl::StateOp, spl::MakeTupleOp, spl::MarkOp, spl::ReleaseOp>(op))
    return 0;
  double cost = 0;
  for (mlir::Type type : op.getResultTypes())
    cost = std::max(cost, ofValue(type));
  for (mlir::Type type : op.getOperandTypes())
    if (isa<spl::ListType, spl::SetType, spl::MapType>(type))
      cost = std::max(cost, kCollection);
  return std::max(cost, kNumber);
}

double CostEstimate::of(Region &region) {
  double cost = 0;
  llvm::SmallPtrSet<Block *, 8> seen;
  for (Block &block : region) {
    seen.insert(&block);
    for (Operation &op : block)
      cost += of(op);
    // A way back is a loop: who knows how often it runs.
    if (llvm::any_of(block.getSuccessors(), [&](Block *next) { return seen.contains(next); }))
      cost += kHeavy;
  }
  return cost;
}

double CostEstimate::operator()(stream::OperatorOp op) {
  if (op.getNative())
    return kHeavy;
  double cost = 0;
  for (unsigned port = 0; port < op.inputPorts(); ++port)
    if (Region *body = op.onTuple(port))
      cost = std::max(cost, of(*body));
  return cost;
}
