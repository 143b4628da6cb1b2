//===- Cost.cpp - what a tuple costs, by estimate --------------------------===//
#include "passes/analyze/Cost.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sluice;
using spl::isScalar;

/// Orders of magnitude of one core of 2020: an operation on numbers (vectorised
/// across tuples), one on strings, a look-up or a copy of a collection. In a loop
/// one number waits for the last; where tuples are done side by side none waits, what
/// counts the rounds is done once for all, and nothing goes to memory.
static constexpr double kNumber = 0.05, kString = 5, kCollection = 20, kInLoop = 20,
                        kSideBySide = 0.2;

static double ofValue(mlir::Type type) {
  std::optional<Kind> kind = spl::findKind(type);
  if (!kind)
    return kString; // a place
  switch (storageOf(*kind)) {
  case Storage::Scalar:
    return kNumber;
  case Storage::Plain:
  case Storage::Text:
    return kString;
  case Storage::Sequence:
    return kCollection;
  case Storage::Parts:
    break;
  }
  double sum = 0;
  for (mlir::Type part : spl::partsOf(type))
    sum += isScalar(part) ? 0 : ofValue(part);
  return sum;
}

/// A number, or where one is kept.
static bool isNumberOrPlace(mlir::Type type) {
  auto place = dyn_cast<spl::RefType>(type);
  return isScalar(place ? place.getElement() : type);
}

static std::optional<int64_t> integerOf(Value value);
static Value waitOf(Operation &op);
static double nanosOfWait(Value seconds);

/// A division that is not by zero, whatever the tuple, and does not overflow.
static bool isSureDivision(Operation &op) {
  if (!isa<spl::DivOp, spl::RemOp>(op))
    return false;
  if (!isa<IntegerType>(op.getResult(0).getType()))
    return true;
  std::optional<int64_t> by = integerOf(op.getOperand(1));
  return by && *by != 0 && *by != -1;
}

/// Nothing but numbers is computed, or moved from tuple to tuple, nothing is remembered and nothing
/// fails.
static bool isOfNumbers(Operation &op) {
  if (isa<spl::FieldOp, spl::MakeTupleOp, spl::ArenaCheckpointOp, spl::ReleaseOp, stream::SubmitOp>(
          op))
    return true;
  auto cast = dyn_cast<spl::CastOp>(op);
  auto native = dyn_cast<spl::NativeOp>(op);
  bool fails = op.hasTrait<spl::CanFail>() && !isSureDivision(op) && !(cast && !cast.canFail()) &&
               !(native && native.is(spl::CallTrait::instruction));
  return !fails && !isa<spl::StateOp>(op) && llvm::all_of(op.getOperandTypes(), isNumberOrPlace) &&
         llvm::all_of(op.getResultTypes(), isNumberOrPlace);
}

double CostEstimate::nanosOf(Operation &op) {
  if (isa<spl::NativeOp>(op)) // a function of numbers is a few instructions, others may do anything
    return llvm::all_of(op.getOperandTypes(), isScalar) &&
                   llvm::all_of(op.getResultTypes(), isScalar)
               ? 50 * kNumber
               : kHeavy;
  bool free = isa<spl::FieldOp, spl::ConstOp, spl::StateOp, spl::VarOp, spl::MakeTupleOp,
                  spl::ArenaCheckpointOp, spl::ReleaseOp>(op);
  if (free || isa<stream::SubmitOp, stream::LeftOutOp>(op) || op.hasTrait<OpTrait::IsTerminator>())
    return 0;
  // Variables of numbers become registers.
  if (isa<spl::LoadOp, spl::StoreOp>(op) && isScalar(op.getOperand(0).getType()))
    return 0;
  if (auto load = dyn_cast<spl::LoadOp>(op); load && isScalar(load.getType()))
    return 0;
  double cost = 0;
  for (mlir::Type type : op.getResultTypes())
    cost = std::max(cost, ofValue(type));
  for (mlir::Type type : op.getOperandTypes())
    if (isa<spl::ListType, spl::SetType, spl::MapType>(type))
      cost = std::max(cost, kCollection);
  return std::max(cost, kNumber);
}

Cost CostEstimate::ofOperation(Operation &op) {
  if (auto call = dyn_cast<spl::CallOp>(op)) {
    auto function = module.lookupSymbol<spl::FuncOp>(call.getCallee());
    if (!function)
      return {kHeavy, 0, false};
    auto [known, isNew] =
        functions.try_emplace(function, Cost{kHeavy, 0, false}); // recursive: heavy
    if (!isNew)
      return known->second;
    Cost cost = ofRegion(function.getBody());
    return functions[function] = cost;
  }
  Cost cost{nanosOf(op), 0, isOfNumbers(op)};
  if (Value seconds = waitOf(op)) {
    cost.waits = true;
    cost.waited = nanosOfWait(seconds);
  }
  return cost;
}

//===--- control flow ---------------------------------------------------------===//

/// The constant that a value is whatever the tuple, by folding.
static Attribute constantOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(constantOf(operand));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return {};
  if (auto attr = dyn_cast<Attribute>(results[0]))
    return attr;
  return constantOf(cast<Value>(results[0]));
}

static std::optional<int64_t> integerOf(Value value) {
  Attribute attr = constantOf(value);
  if (isa_and_nonnull<UnitAttr>(attr))
    return 0;
  if (auto integer = dyn_cast_if_present<IntegerAttr>(attr))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

/// The seconds that a call makes the thread sleep, or null. stream.wait is none: what a source
/// waits for there is the time of its next tuple.
static Value waitOf(Operation &op) {
  auto native = dyn_cast<spl::NativeOp>(op);
  bool waits = native && native.is(spl::CallTrait::waits) && op.getNumOperands() > 0;
  return waits ? op.getOperand(0) : Value();
}

static double nanosOfWait(Value seconds) {
  auto constant = dyn_cast_if_present<FloatAttr>(constantOf(seconds));
  return constant ? std::max(0.0, 1e9 * constant.getValueAsDouble()) : CostEstimate::kHeavy;
}

/// How often a counted loop with constant bounds runs: `branch` goes back to its
/// header with the next value while that is less than the bound.
static std::optional<double> tripCount(cf::CondBranchOp branch, Block *header) {
  auto compare = branch.getCondition().getDefiningOp<spl::CompareOp>();
  if (branch.getTrueDest() != header || !compare || compare.getKind() != spl::CompareKind::lt ||
      branch.getTrueDestOperands().empty() || compare.getLhs() != branch.getTrueDestOperands()[0])
    return std::nullopt;
  auto bound = integerOf(compare.getRhs());
  for (Block *before : header->getPredecessors()) {
    if (before == branch->getBlock())
      continue;
    auto enter = dyn_cast<BranchOpInterface>(before->getTerminator());
    for (unsigned i = 0; enter && i < before->getNumSuccessors(); ++i)
      if (before->getSuccessor(i) == header)
        if (auto first = integerOf(enter.getSuccessorOperands(i)[0]); first && bound)
          return double(std::max<int64_t>(0, *bound - *first));
  }
  return std::nullopt;
}

static SmallVector<Block *, 2> successorsOf(Block *block) {
  auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator());
  if (branch)
    if (auto condition = integerOf(branch.getCondition()))
      return {*condition ? branch.getTrueDest() : branch.getFalseDest()};
  return {block->getSuccessors().begin(), block->getSuccessors().end()};
}

/// Whether all tuples go the same way.
static bool isStraight(Region &region) {
  return llvm::all_of(region, [](Block &block) {
    auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator());
    return !branch || integerOf(branch.getCondition()) || tripCount(branch, branch.getTrueDest());
  });
}

/// How often each block runs for a tuple. `unknown`: loops of which nobody knows that.
static llvm::DenseMap<Block *, double> timesOf(Region &region, unsigned &unknown) {
  // Blocks stand in the order of the text: those of a loop from its header to the
  // way back.
  llvm::DenseMap<Block *, double> times;
  llvm::SmallPtrSet<Block *, 8> reached{&region.front()};
  SmallVector<Block *> order;
  for (Block &block : region) {
    order.push_back(&block);
    if (!reached.contains(&block))
      continue;
    times[&block] = 1;
    for (Block *next : successorsOf(&block)) {
      auto header = llvm::find(order, next);
      reached.insert(next);
      if (header == order.end())
        continue;
      auto branch = dyn_cast<cf::CondBranchOp>(block.getTerminator());
      std::optional<double> trips = branch ? tripCount(branch, next) : std::nullopt;
      unknown += !trips;
      for (Block *inside : llvm::make_range(header, order.end()))
        times[inside] *= trips.value_or(1);
    }
  }
  return times;
}

/// Blocks that are part of a loop.
static llvm::SmallPtrSet<Block *, 8> loopsOf(Region &region) {
  llvm::SmallPtrSet<Block *, 8> inside;
  SmallVector<Block *> order;
  for (Block &block : region) {
    order.push_back(&block);
    for (Block *next : successorsOf(&block))
      if (auto header = llvm::find(order, next); header != order.end())
        inside.insert(header, order.end());
  }
  return inside;
}

Cost CostEstimate::ofRegion(Region &region) {
  unsigned unknown = 0;
  llvm::DenseMap<Block *, double> times = timesOf(region, unknown);
  llvm::SmallPtrSet<Block *, 8> loops = loopsOf(region);
  Cost cost{unknown * kHeavy, 0, isStraight(region)};
  double inLoops = 0;
  for (Block &block : region) {
    const double count = times.lookup(&block); // 0: never reached
    for (Operation &op : block) {
      if (!count)
        break;
      Cost one = ofOperation(op);
      (loops.contains(&block) ? inLoops : cost.nanos) += count * one.nanos;
      cost.saved += count * one.saved;
      cost.sideBySide &= one.sideBySide;
      cost.waits |= one.waits;
      cost.waited += count * one.waited;
    }
  }
  if (cost.sideBySide) {
    cost.saved += inLoops * (kInLoop - kSideBySide);
    cost.nanos += inLoops * kSideBySide;
  } else { // nor are the loops of what it calls
    cost.nanos += inLoops * kInLoop + cost.saved;
    cost.saved = 0;
  }
  return cost;
}

Cost CostEstimate::of(stream::OperatorOp op) {
  if (op.getNative())
    return {kHeavy, 0, false};
  Cost cost;
  for (unsigned port = 0; port < op.inputPorts(); ++port) {
    if (Region *body = op.onPunct(port))
      cost.waits |= ofRegion(*body).waits;
    if (Region *body = op.onTuple(port)) {
      Cost one = ofRegion(*body);
      cost = {std::max(cost.nanos, one.nanos), std::max(cost.saved, one.saved),
              cost.sideBySide && one.sideBySide, cost.waits || one.waits,
              std::max(cost.waited, one.waited)};
    }
  }
  return cost;
}

/// The blocks of the innermost loop around a submit; all if there is none.
static ArrayRef<Block *> loopOfSubmit(ArrayRef<Block *> blocks) {
  ArrayRef<Block *> innermost = blocks;
  for (unsigned last = 0; last < blocks.size(); ++last)
    for (Block *next : blocks[last]->getSuccessors()) {
      unsigned first = llvm::find(blocks, next) - blocks.begin();
      if (first > last || last - first + 1 >= innermost.size())
        continue;
      ArrayRef<Block *> loop = blocks.slice(first, last - first + 1);
      if (llvm::any_of(loop,
                       [](Block *block) { return !block->getOps<stream::SubmitOp>().empty(); }))
        innermost = loop;
    }
  return innermost;
}

Cost CostEstimate::ofSource(stream::OperatorOp op) {
  Cost cost{0, 0, false};
  if (op.getNative())
    cost.nanos = kHeavy;
  Region *body = op.onProcess();
  if (op.getNative() || !body)
    return cost;
  SmallVector<Block *> blocks = llvm::to_vector(llvm::make_pointer_range(*body));
  for (Block *block : loopOfSubmit(blocks))
    for (Operation &inside : *block) {
      Cost one = ofOperation(inside);
      cost.nanos += one.nanos;
      cost.waits |= one.waits;
      cost.waited += one.waited;
    }
  return cost;
}

double sluice::bytesOnLink(Type record) {
  constexpr double kPointedTo = 16; // by a text, a list or another value that is no number
  double bytes = spl::bytesOf(record);
  for (Type type : spl::partsOf(record))
    if (!spl::partsOf(type).empty())
      bytes += bytesOnLink(type) - double(spl::bytesOf(type));
    else if (Storage storage = storageOf(spl::kindOf(type));
             storage == Storage::Text || storage == Storage::Sequence)
      bytes += kPointedTo;
  return bytes;
}
