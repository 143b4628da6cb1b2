//===- PlanWindows.cpp - what each window keeps ---------------------------===//
#include "ir/Kinds.h"
#include "ir/Stream.h"
#include "passes/Passes.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/match/Equalities.h"
#include "llvm/ADT/SmallSet.h"
#include <numeric>

namespace sluice {
#define GEN_PASS_DEF_STREAMPLANWINDOWS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Whether values of a type have one size, whatever they are.
static bool hasFixedSize(mlir::Type type) {
  if (SmallVector<mlir::Type> parts = spl::partsOf(type); !parts.empty())
    return llvm::all_of(parts, hasFixedSize);
  Storage storage = storageOf(spl::kindOf(type));
  return storage != Storage::Text && storage != Storage::Sequence;
}

namespace {
struct Choice {
  Store store;
  StringRef why;
  int64_t pane = 1;
};
} // namespace

/// The longest pane such that the window consists of whole ones whenever it fires; 1 if that is not
/// known. A window that alone exceeds tupleCount goes between the insertion and the trigger. One
/// that closes fires at the end, wherever that is.
static int64_t longestPane(WindowOp window) {
  WindowAttr attr = window.getWindow();
  auto counts = [](BoundAttr bound) { return bound.getPolicy() == WindowPolicy::Count; };
  if (!attr.isSliding() || !counts(attr.getEvict()) || !counts(attr.getTrigger()) ||
      attr.getLimit() == PartitionLimit::Tuples || window.getCloses())
    return 1;
  int64_t longest = 0;
  for (Value size : yieldOf(window.getSizes()).getValues().take_front(2)) {
    auto constant = size.getDefiningOp<spl::ConstOp>();
    int64_t count =
        constant ? cast<IntegerAttr>(constant.getValueAttr()).getValue().getSExtValue() : 1;
    longest = std::gcd(longest, count ? count : 1);
  }
  return longest;
}

/// Whether a result depends on which tuple of its group is the last: it has more of it than the
/// attributes that are alike in the group.
static bool showsLast(OperatorOp op, Region &groupBy) {
  llvm::SmallSet<unsigned, 4> alike;
  for (Value value : yieldOf(groupBy).getValues())
    if (auto field = value.getDefiningOp<spl::FieldOp>())
      alike.insert(field.getIndex());
  Region *output = op.output(0);
  if (!output)
    return true;
  return output->getNumArguments() &&
         !llvm::all_of(output->getArgument(0).getUsers(), [&](Operation *user) {
           auto field = dyn_cast<spl::FieldOp>(user);
           return field && alike.contains(field.getIndex());
         });
}

/// Whether an operation computes the same of values however they are put together: it moves and
/// compares them, or adds integers, which wrap.
static bool isExact(Operation &op) {
  if (isa<spl::BinaryOp, spl::UnaryOp>(op))
    return isa<IntegerType>(op.getResult(0).getType());
  if (auto cast = dyn_cast<spl::CastOp>(op))
    return !cast.canFail() && isa<IntegerType>(cast.getType()) &&
           isa<IntegerType>(cast.getOperand().getType());
  return isa<spl::CallOp, spl::CompareOp, spl::ConstOp, spl::CopyOp, spl::FieldOp, spl::FieldRefOp,
             spl::LoadOp, spl::MakeTupleOp, spl::ReturnOp, spl::StoreOp, spl::VarOp, cf::BranchOp,
             cf::CondBranchOp>(op) ||
         isa<arith::ArithDialect>(op.getDialect());
}

/// Whether a function of SPL has only such operations, and so have those that it calls. `known`:
/// functions that are looked at already.
static bool isExact(ModuleOp module, FlatSymbolRefAttr callee,
                    llvm::SmallPtrSetImpl<Operation *> &known) {
  auto function = module.lookupSymbol<spl::FuncOp>(callee.getValue());
  if (!function || !known.insert(function).second)
    return bool(function);
  return !function.getBody()
              .walk([&](Operation *op) {
                auto call = dyn_cast<spl::CallOp>(op);
                return isExact(*op) && (!call || isExact(module, call.getCalleeAttr(), known))
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether a summary does not depend on how its tuples were divided: merging never rounds.
static bool mergesExactly(AggregateOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  spl::AggregateAttr algebra = function.getAlgebra();
  llvm::SmallPtrSet<Operation *, 4> known;
  return isExact(module, algebra.getMerge(), known) &&
         (!algebra.getAdd() || isExact(module, algebra.getAdd(), known));
}

/// Which tuples leave a window together, and are likely to be many: floats are seldom equal, and
/// the clock stands still for a batch. Empty: each leaves by itself.
static StringRef whatLeavesTogether(OperatorOp op, WindowOp item) {
  WindowAttr window = item.getWindow();
  if (window.getLimit() == PartitionLimit::Tuples) // it counts tuples one by one
    return "";
  if (window.getEvict().getPolicy() == WindowPolicy::Time)
    return "tuples that came at the same time leave together";
  if (window.getEvict().getPolicy() != WindowPolicy::Delta)
    return "";
  mlir::Type type = op.inputTuple(item.getPort()).getTypes()[window.getEvict().getAttribute()];
  return isa<IntegerType, spl::TimestampType>(type)
             ? "tuples with equal values of its delta attribute leave together"
             : "";
}

static Choice chooseStore(OperatorOp op, WindowOp item) {
  WindowAttr window = item.getWindow();
  if (op.is(OperatorTrait::sorts))
    return window.isTumbling() ? Choice{Store::Rows, "they are sorted when it fires"}
                               : Choice{Store::Heap, "the first in order leaves when one comes"};
  auto body = [&] { return &op.getBody().front(); };
  auto functions = body()->getOps<AggregateOp>();
  if (!body()->getOps<FoldOp>().empty())
    return {Store::Tuples, "a function of the program reads all tuples"};
  if (!window.isSliding())
    return {Store::Running, window.isTumbling() ? "its tuples leave together"
                                                : "the tuples of a pane leave together"};
  int64_t pane = longestPane(item);
  Region *groupBy = op.param("groupBy");
  StringRef whyPanes = "it fires when whole panes are in it";
  bool grows = !llvm::all_of(functions,
                             [](AggregateOp f) { return hasFixedSize(f.getAlgebra().getState()); });
  if (pane > 1 && !grows && !groupBy)
    return {Store::TwoStacks, whyPanes, pane};
  bool leaveInOrder = window.getEvict().getPolicy() != WindowPolicy::Delta;
  StringRef together = whatLeavesTogether(op, item);
  bool byValue = !together.empty() && !grows && llvm::all_of(functions, mergesExactly);
  if (groupBy && !leaveInOrder && showsLast(op, *groupBy))
    return byValue ? Choice{Store::Panes, together, /*pane=*/0}
                   : Choice{Store::Tuples,
                            "the last tuple of a group may be evicted before the others"};
  bool losesGroups = groupBy && !spl::equalsItself(keyType(*groupBy));
  if (!losesGroups &&
      llvm::all_of(functions, [](AggregateOp f) { return bool(f.getAlgebra().getRemove()); }))
    return {Store::Invertible, "its functions can take a tuple back"};
  if (pane > 1)
    return {Store::Panes, whyPanes, pane};
  if (byValue && (groupBy || !leaveInOrder))
    return {Store::Panes, together, /*pane=*/0};
  if (groupBy)
    return {Store::Tuples, losesGroups ? "a group may have a NaN, which is not found again"
                                       : "a function that cannot take a tuple back has groups"};
  if (!leaveInOrder)
    return {Store::Tuples, "a function cannot take a tuple back, and any tuple may be evicted"};
  if (grows)
    return {Store::Tuples, "a result grows with the window"};
  return {Store::TwoStacks, "a function cannot take a tuple back"};
}

namespace {
struct PlanWindows : sluice::impl::StreamPlanWindowsBase<PlanWindows> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](OperatorOp op) {
      if (op.is(OperatorTrait::matches))
        match::moveEqualities(op);
    });
    getOperation().walk([&](WindowOp window) {
      if (closeWindows)
        window.setCloses(true);
      auto op = window->getParentOfType<OperatorOp>();
      if (op.is(OperatorTrait::matches)) {
        window.setPlanAttr(match::planOf(op, window.getPort()));
        return;
      }
      Choice choice = chooseStore(op, window);
      window.setPlanAttr(WindowPlanAttr::get(
          &getContext(), choice.store, StringAttr::get(&getContext(), choice.why), choice.pane));
    });
  }
};
} // namespace
