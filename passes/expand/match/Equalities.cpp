//===- Equalities.cpp - what an index can answer of a match ---------------===//
#include "passes/expand/match/Equalities.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/expand/OperatorExpansion.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using stream::OperatorOp;

//===--- conditions ---------------------------------------------------------------===//

static bool isZero(Value value) {
  Attribute constant;
  auto number =
      matchPattern(value, m_Constant(&constant)) ? dyn_cast<IntegerAttr>(constant) : IntegerAttr();
  return number && number.getValue().isZero();
}

/// The operands of `lhs && rhs`, as the frontend writes it: a false lhs jumps to where the value
/// is an argument.
static std::pair<Value, Value> operandsOfAnd(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->isEntryBlock())
    return {};
  Block *done = argument.getOwner();
  Value lhs, rhs;
  for (Block *from : done->getPredecessors()) {
    if (auto jump = dyn_cast<cf::BranchOp>(from->getTerminator()); jump && !rhs) {
      rhs = jump.getDestOperands()[argument.getArgNumber()];
      continue;
    }
    auto choice = dyn_cast<cf::CondBranchOp>(from->getTerminator());
    if (!choice || lhs || choice.getFalseDest() != done || choice.getTrueDest() == done)
      return {};
    lhs = choice.getCondition();
    Value passed = choice.getFalseDestOperands()[argument.getArgNumber()];
    if (passed != lhs && !isZero(passed))
      return {};
  }
  return lhs && rhs ? std::pair(lhs, rhs) : std::pair<Value, Value>();
}

/// The parts of a conjunction, in the order in which they are evaluated.
static void partsOf(Value value, SmallVectorImpl<Value> &parts) {
  auto [lhs, rhs] = operandsOfAnd(value);
  if (!lhs) {
    parts.push_back(value);
    return;
  }
  partsOf(lhs, parts);
  partsOf(rhs, parts);
}

namespace {
/// What a value is computed from.
struct Slice {
  llvm::SetVector<Operation *> ops; // in order
  llvm::SmallSet<unsigned, 2> ports;
  bool isTotal = true; // it cannot fail, and touches nothing outside
};
} // namespace

static void addTo(Slice &slice, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner()->isEntryBlock())
      slice.ports.insert(argument.getArgNumber());
    else
      slice.isTotal = false; // control flow is not looked through
    return;
  }
  Operation *op = value.getDefiningOp();
  if (slice.ops.contains(op))
    return;
  auto cast = dyn_cast<spl::CastOp>(op);
  bool fails = op->hasTrait<spl::CanFail>() && !(cast && !cast.canFail());
  slice.isTotal &= !fails && (cast || isMemoryEffectFree(op)) && op->getNumRegions() == 0;
  for (Value operand : op->getOperands())
    addTo(slice, operand);
  slice.ops.insert(op);
}

static Slice sliceOf(Value value) {
  Slice slice;
  addTo(slice, value);
  return slice;
}

//===--- equalities ---------------------------------------------------------------===//

/// The values of the left and of the right side that a condition says are equal; none if it says
/// something else.
static std::array<Value, 2> sidesOf(Value condition) {
  auto compare = condition.getDefiningOp<spl::CompareOp>();
  if (!compare || compare.getKind() != spl::CompareKind::eq)
    return {};
  std::array<Value, 2> sides;
  for (Value operand : compare->getOperands()) {
    Slice slice = sliceOf(operand);
    if (!slice.isTotal || slice.ports.size() != 1)
      return {};
    Value &side = sides[*slice.ports.begin()];
    if (side)
      return {};
    side = operand;
  }
  return sides;
}

/// The parameter's body, which yields nothing yet if there was none.
static Region &bodyOf(OperatorOp op, StringRef name, Region &like) {
  if (Region *body = op.param(name))
    return *body;
  OpBuilder builder(like.getParentOp());
  auto param = stream::ParamOp::create(builder, like.getLoc(), name);
  Block &block = param.getBody().emplaceBlock();
  for (Value argument : like.getArguments())
    block.addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToStart(&block);
  stream::YieldOp::create(builder, like.getLoc(), ValueRange());
  return param.getBody();
}

static void addValue(Region &body, Value value, Region &source) {
  stream::YieldOp yield = yieldOf(body);
  OpBuilder builder(yield);
  IRMapping mapping;
  mapping.map(source.getArguments(), body.getArguments());
  Slice slice = sliceOf(value);
  for (Operation *op : slice.ops)
    builder.clone(*op, mapping);
  yield.getValuesMutable().append(mapping.lookup(value));
}

void match::moveEqualities(OperatorOp op) {
  Region *match = op.param("match");
  if (!match)
    return;
  SmallVector<Value> parts;
  partsOf(yieldOf(*match).getValues()[0], parts);
  for (Value part : parts) {
    std::array<Value, 2> sides = sidesOf(part);
    if (!sides[0]) {
      if (!sliceOf(part).isTotal)
        break; // what stands behind it is not evaluated for all pairs
      continue;
    }
    for (unsigned side : {0, 1})
      addValue(bodyOf(op, kEquality[side], *match), sides[side], *match);
    Operation *compare = part.getDefiningOp();
    OpBuilder builder(compare);
    compare->replaceAllUsesWith(
        spl::ConstOp::create(builder, part.getLoc(), part.getType(), builder.getI64IntegerAttr(1)));
    compare->erase();
  }
  if (yieldOf(*match).getValues()[0].getDefiningOp<spl::ConstOp>())
    match->getParentOp()->erase(); // the constant true
}

//===--- the plan -------------------------------------------------------------------===//

static std::string nameOf(Value value) {
  auto field = value.getDefiningOp<spl::FieldOp>();
  auto tuple = field ? dyn_cast<spl::TupleType>(field.getTuple().getType()) : nullptr;
  return tuple ? tuple.getNames()[field.getIndex()].str() : "an expression";
}

/// Whether the size of a window is count(0).
static bool holdsNothing(stream::WindowOp window) {
  if (window.getWindow().getEvict().getPolicy() != stream::WindowPolicy::Count)
    return false;
  return isZero(yieldOf(window.getSizes()).getValues()[0]);
}

stream::WindowPlanAttr match::planOf(OperatorOp op, unsigned port) {
  auto plan = [&](stream::Store store, const std::string &why) {
    return stream::WindowPlanAttr::get(op.getContext(), store,
                                       StringAttr::get(op.getContext(), why), /*pane=*/1);
  };
  if (holdsNothing(op.window(port)))
    return plan(stream::Store::Nothing, "its size is 0");
  Region *left = op.param(kEquality[0]), *right = op.param(kEquality[1]);
  if (!left)
    return plan(stream::Store::Scan, "there is no equality between both sides");
  std::string why;
  for (auto [a, b] : llvm::zip_equal(yieldOf(*left).getValues(), yieldOf(*right).getValues()))
    why += (why.empty() ? "equality of " : ", ") + nameOf(a) + " and " + nameOf(b);
  return plan(stream::Store::Index, why);
}
