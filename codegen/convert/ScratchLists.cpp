//===- ScratchLists.cpp - the pass spl-build-lists-in-scratch -------------===//
//
// A list that a function builds in a variable and returns would be built in the
// heap, copied into scratch and freed. Built in scratch, it is returned as it is,
// and as nothing else holds its header, that stays in registers.
//
//===----------------------------------------------------------------------===//
#include "codegen/Passes.h"
#include "codegen/convert/ConvertSpl.h"
#include "codegen/segments/Allocation.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace sluice;

namespace sluice {
#define GEN_PASS_DEF_BUILDLISTSINSCRATCH
#include "codegen/Passes.h.inc"
} // namespace sluice

/// Whether `op` appends an element to the list at this place.
static bool isAppend(Operation *op, Value place) {
  auto native = dyn_cast<spl::NativeOp>(op);
  return native && native.is(spl::Intrinsic::append) && native.getArgs()[0] == place;
}

/// Makes of an append the call of a function of the runtime with the same arguments.
static void replaceAppend(Operation *append, StringRef symbol) {
  auto native = cast<spl::NativeOp>(append);
  native.setSymbol(symbol);
  native.removeFactsAttr();
}

/// The return of a variable that ends its life: load, copy, return, and nothing
/// in between that could change it.
static spl::ReturnOp returnOf(spl::LoadOp load) {
  if (!load->hasOneUse())
    return {};
  auto copy = dyn_cast<spl::CopyOp>(*load->user_begin());
  if (!copy || !copy->hasOneUse() || load->getNextNode() != copy)
    return {};
  return dyn_cast_or_null<spl::ReturnOp>(copy->getNextNode());
}

/// A list of plain elements that is assigned, appended to, indexed and read
/// only, and returned at least once.
static bool isBuiltToReturn(spl::VarOp var) {
  auto list = dyn_cast<spl::ListType>(var.getType().getElement());
  if (!list || !layout::isPlain(list.getElement()) || !layout::sizeOf(list.getElement()))
    return false;
  bool returned = false;
  for (Operation *user : var->getUsers()) {
    if (auto load = dyn_cast<spl::LoadOp>(user))
      returned |= bool(returnOf(load));
    else if (!isa<spl::StoreOp, spl::IndexRefOp>(user) && !isAppend(user, var))
      return false;
  }
  return returned;
}

//===--- room for all elements of a counted loop ----------------------------===//

static bool isConst(Value v, int64_t wanted) {
  auto constant = v ? v.getDefiningOp<spl::ConstOp>() : spl::ConstOp();
  auto number = constant ? dyn_cast_or_null<IntegerAttr>(constant.getValueAttr()) : IntegerAttr();
  return number && number.getValue() == wanted;
}

/// Whether a branch is taken to `block` only where 0 is below `bound`.
static bool isGuard(Operation *branch, Block *block, Value bound) {
  auto guard = dyn_cast<cf::CondBranchOp>(branch);
  auto compare = guard ? guard.getCondition().getDefiningOp<spl::CompareOp>() : spl::CompareOp();
  return compare && compare.getKind() == spl::CompareKind::lt && isConst(compare.getLhs(), 0) &&
         compare.getRhs() == bound && guard.getTrueDest() == block && guard.getFalseDest() != block;
}

namespace {
struct CountedLoop {
  Value count;       // null: it is none
  Operation *before; // what branches to it
  Block *test;
};
} // namespace

/// The loop that counts from 0 in steps of 1 and does `block` each time, as
/// `for (i in range(n))` and `for (x in list)` do.
static CountedLoop countedLoop(Block *block) {
  // The test is at the end of the block or in a block of its own before it.
  Block *test = block;
  Operation *before = nullptr;
  auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator());
  if (!branch) {
    test = block->getSinglePredecessor();
    auto back = dyn_cast<cf::BranchOp>(block->getTerminator());
    branch = test ? dyn_cast<cf::CondBranchOp>(test->getTerminator()) : cf::CondBranchOp();
    if (!back || back.getDest() != test)
      return {};
  }
  if (!branch || branch.getTrueDest() != block || branch.getFalseDest() == block ||
      test->getNumArguments() != 1)
    return {};
  auto compare = branch.getCondition().getDefiningOp<spl::CompareOp>();
  if (!compare || compare.getKind() != spl::CompareKind::lt)
    return {};
  // One step per turn from 0, and a bound that does not move.
  Value counter = test->getArgument(0), bound = compare.getRhs(), next, first;
  for (auto it = test->pred_begin(); it != test->pred_end(); ++it) {
    Operation *end = (*it)->getTerminator();
    Value passed = cast<BranchOpInterface>(end).getSuccessorOperands(it.getSuccessorIndex())[0];
    Value &known = *it == block ? next : first;
    if (known)
      return {};
    known = passed;
    if (*it != block)
      before = end;
  }
  if (!next || !first)
    return {};
  auto step = next.getDefiningOp<spl::BinaryOp>();
  bool counts = step && step.getKind() == spl::BinaryKind::add && step.getLhs() == counter &&
                isConst(step.getRhs(), 1);
  Block *home = bound.getParentBlock();
  bool tested = compare.getLhs() == (test == block ? next : counter);
  auto type = dyn_cast<IntegerType>(counter.getType());
  bool fits = type && (type.getWidth() < 64 || type.isSigned());
  if (!counts || !fits || !tested || !isConst(first, 0) || home == block || home == test)
    return {};
  if (test == block && !isGuard(before, block, bound))
    return {};
  return {bound, before, test};
}

/// Whether a loop over `block` appends to the variable once each time and does
/// so to the end.
static bool appendsToTheEnd(Block *block, Block *test, spl::VarOp var) {
  unsigned appends = 0;
  auto look = [&](Operation &op) {
    appends += isAppend(&op, var);
    bool ends = (canFail(&op) && !isAppend(&op, var)) || isa<spl::CallOp>(op);
    return !ends && !(isa<spl::StoreOp>(op) && op.getOperand(1) == var);
  };
  return llvm::all_of(*block, look) && (test == block || llvm::all_of(*test, look)) && appends == 1;
}

/// Before each loop that appends once each time: room for all of it, so that the
/// loop need not look.
static void reserve(spl::VarOp var) {
  for (Operation *user : llvm::to_vector(var->getUsers())) {
    auto loop = isAppend(user, var) ? countedLoop(user->getBlock()) : CountedLoop();
    if (!loop.count || !appendsToTheEnd(user->getBlock(), loop.test, var))
      continue;
    OpBuilder b(loop.before);
    auto element = cast<spl::ListType>(var.getType().getElement()).getElement();
    mlir::Type si64 = b.getIntegerType(64, /*isSigned=*/true);
    Value count = loop.count;
    if (count.getType() != si64)
      count = spl::CastOp::create(b, user->getLoc(), si64, count);
    spl::NativeOp::create(b, user->getLoc(), TypeRange(), "sl_scratch_reserve",
                          ValueRange{var, count}, b.getTypeArrayAttr(TypeRange(element)),
                          b.getDenseI32ArrayAttr({}), StringAttr(), spl::CallFactsAttr());
    replaceAppend(user, "sl_scratch_push");
  }
}

//===--- the pass -----------------------------------------------------------===//

static void buildInScratch(spl::VarOp var) {
  OpBuilder b(var);
  spl::SplDialect::InScratchAttrHelper inScratch(b.getContext());
  inScratch.setAttr(var, b.getUnitAttr());
  reserve(var);
  for (Operation *user : llvm::to_vector(var->getUsers())) {
    if (isa<spl::StoreOp>(user))
      inScratch.setAttr(user, b.getUnitAttr());
    else if (isAppend(user, var))
      replaceAppend(user, "sl_scratch_append");
    else if (auto load = dyn_cast<spl::LoadOp>(user))
      if (spl::ReturnOp ret = returnOf(load)) {
        Operation *copy = *load->user_begin();
        ret->setOperand(0, load);
        copy->erase();
      }
  }
}

namespace {
struct BuildListsInScratch : sluice::impl::BuildListsInScratchBase<BuildListsInScratch> {
  void runOnOperation() override {
    Allocation allocation;
    SmallVector<spl::FuncOp> functions(getOperation().getOps<spl::FuncOp>());
    for (spl::FuncOp f : functions)
      dropCheckpoints(f, [&](Operation *op) { return allocation.mayAllocate(op); });
    for (spl::FuncOp f : functions) {
      // What a release takes back may be the list.
      if (f.walk([](spl::ReleaseOp) { return WalkResult::interrupt(); }).wasInterrupted())
        continue;
      f.walk([](spl::VarOp var) {
        if (isBuiltToReturn(var))
          buildInScratch(var);
      });
    }
  }
};
} // namespace
