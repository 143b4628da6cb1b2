//===- Prepare.cpp - functions take their final shape -----------===//
#include "codegen/Aliasing.h"
#include "codegen/convert/ConvertSpl.h"
#include "ir/Stream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice;
using mlir::Type;

//===--- spl.func: i32 @f(ctx, [result,] arguments...) ----------------------===//

/// Whether the variable has a buffer of its own, which ends with the activation.
static bool ownsBuffer(spl::VarOp var) {
  return !layout::isPlain(var.getType().getElement()) &&
         !spl::SplDialect::InScratchAttrHelper(var.getContext()).isAttrPresent(var);
}

/// Whether what a value points to may lie in a variable: followed through all
/// that may pass on what it is given.
static bool mayLieInVariable(Value value) {
  SmallVector<Value> work{value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (!seen.insert(v).second)
      continue;
    if (isa<spl::RefType>(v.getType())) {
      auto var = v.getDefiningOp<spl::VarOp>();
      if (!var || ownsBuffer(var))
        return true;
      continue;
    }
    if (layout::isPlain(v.getType()) || v.getDefiningOp<spl::CopyOp>())
      continue;
    if (Operation *op = v.getDefiningOp()) {
      llvm::append_range(work, op->getOperands());
      continue;
    }
    Block *block = cast<BlockArgument>(v).getOwner();
    unsigned index = cast<BlockArgument>(v).getArgNumber();
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
      auto branch = cast<BranchOpInterface>((*it)->getTerminator());
      work.push_back(branch.getSuccessorOperands(it.getSuccessorIndex())[index]);
    }
  }
  return false;
}

static bool ownsStorage(Operation *function) {
  return function
      ->walk([](spl::VarOp var) {
        return ownsBuffer(var) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static void lowerReturn(spl::ReturnOp op, Value result, bool copyOut) {
  OpBuilder b(op);
  if (Value value = op.getValue()) {
    if (copyOut && mayLieInVariable(value))
      value = spl::CopyOp::create(b, op.getLoc(), value.getType(), value);
    spl::PutOp::create(b, op.getLoc(), value, result);
  }
  Value ok = arith::ConstantIntOp::create(b, op.getLoc(), 0, 32);
  func::ReturnOp::create(b, op.getLoc(), ok);
  op.erase();
}

static void lowerFunction(spl::FuncOp op) {
  OpBuilder b(op);
  Type ptr = LLVM::LLVMPointerType::get(b.getContext());
  FunctionType type = op.getFunctionType();
  SmallVector<Type> inputs(1 + type.getNumResults(), ptr);
  llvm::append_range(inputs, type.getInputs());
  auto f = func::FuncOp::create(b, op.getLoc(), op.getSymName(),
                                b.getFunctionType(inputs, b.getI32Type()));
  f.setPrivate();
  bool owns = ownsStorage(op);
  f.getBody().takeBody(op.getBody());
  if (!f.isExternal()) {
    for (unsigned i = 0; i < 1 + type.getNumResults(); ++i)
      f.getBody().insertArgument(i, ptr, op.getLoc());
    Value result = type.getNumResults() ? f.getArgument(1) : Value();
    for (spl::ReturnOp ret : llvm::to_vector(f.getOps<spl::ReturnOp>()))
      lowerReturn(ret, result, owns);
  }
  op.erase();
}

//===--- every function -----------------------------------------------------===//

namespace {
class FunctionPreparer {
public:
  FunctionPreparer(func::FuncOp f, ModuleOp module, ConstantPool &constants)
      : f(f), b(f.getContext()), e(b, f.getLoc(), &f.getBody(), module, constants) {}

  LogicalResult run();

private:
  LogicalResult check();
  void hoistSlots();
  void tagAccesses();
  LogicalResult lowerStates();
  void lowerVariables();
  void makeExit();
  void replaceByAddress(Operation *op, Value address);

  func::FuncOp f;
  OpBuilder b;
  Emitter e;
  SmallVector<std::pair<Type, Value>> owned; // variables to destroy
  bool fails = false, usesSpl = false;
};
} // namespace

LogicalResult FunctionPreparer::run() {
  IRRewriter rewriter(f.getContext());
  (void)eraseUnreachableBlocks(rewriter, f->getRegions());
  f.walk([&](Operation *op) {
    fails |= canFail(op);
    usesSpl |= isa<spl::SplDialect>(op->getDialect());
  });
  if (failed(check()))
    return failure();
  hoistSlots();
  tagAccesses();
  if (failed(lowerStates()))
    return failure();
  lowerVariables();
  if (fails || !owned.empty())
    makeExit();
  return success();
}

LogicalResult FunctionPreparer::check() {
  if (!usesSpl)
    return success();
  if (f.getNumArguments() == 0 || !isa<LLVM::LLVMPointerType>(f.getArgumentTypes()[0]))
    return f.emitOpError(
        "works on SPL values, so its first argument must be the Ctx, an !llvm.ptr");
  if (fails && (f.getNumResults() != 1 || !f.getResultTypes()[0].isSignlessInteger(32)))
    return f.emitOpError("can fail, so its result must be the status, an i32");
  f.setArgAttr(0, "llvm.noundef", b.getUnitAttr());
  f.setArgAttr(0, "llvm.nonnull", b.getUnitAttr());
  f.setArgAttr(0, "llvm.dereferenceable", b.getI64IntegerAttr(layout::ctxSize));
  return success();
}

/// A slot made in a loop would grow the frame each time.
void FunctionPreparer::hoistSlots() {
  Block *entry = &f.getBody().front();
  f.walk([&](LLVM::AllocaOp slot) {
    auto count = slot.getArraySize().getDefiningOp<arith::ConstantIntOp>();
    if (slot->getBlock() == entry || !count)
      return;
    count->moveBefore(entry, entry->begin());
    slot->moveAfter(count);
  });
}

void FunctionPreparer::replaceByAddress(Operation *op, Value address) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  auto cast = UnrealizedConversionCastOp::create(b, op->getLoc(), op->getResultTypes(), address);
  op->replaceAllUsesWith(cast);
  op->erase();
}

/// What a place in the state of an operator is a part of, or null for any other place.
static LLVM::TBAATagAttr tagOf(Value place) {
  auto elements = [](Value collection) {
    Type type = cast<spl::RefType>(collection.getType()).getElement();
    bool isApart = !isa<spl::BlobType>(type); // a short blob has its bytes in itself
    return isApart && tagOf(collection) ? elementsTag(type) : LLVM::TBAATagAttr();
  };
  Operation *op = place.getDefiningOp();
  if (!op)
    return {};
  return TypeSwitch<Operation *, LLVM::TBAATagAttr>(op)
      .Case([](spl::StateOp op) { return memoryTag(op.getContext(), Memory::State); })
      .Case([](spl::FieldRefOp op) { return tagOf(op.getPlace()); })
      .Case<spl::NthRefOp, spl::IndexRefOp, spl::MapSlotOp>(
          [&](auto op) { return elements(op.getPlace()); })
      .Default([](Operation *) { return LLVM::TBAATagAttr(); });
}

void FunctionPreparer::tagAccesses() {
  f.walk([](Operation *op) {
    auto load = dyn_cast<spl::LoadOp>(op);
    auto store = dyn_cast<spl::StoreOp>(op);
    if (!load && !store)
      return;
    if (LLVM::TBAATagAttr tag = tagOf(load ? load.getPlace() : store.getPlace()))
      setMemory(op, tag);
  });
}

LogicalResult FunctionPreparer::lowerStates() {
  SmallVector<spl::StateOp> states;
  f.walk([&](spl::StateOp op) { states.push_back(op); });
  if (states.empty())
    return success();
  auto offsets = spl::SplDialect::StateOffsetsAttrHelper(f.getContext()).getAttr(f);
  b.setInsertionPointToStart(&f.getBody().front());
  auto base = LLVM::LoadOp::create(b, f.getLoc(), e.ptrType(), e.offset(e.ctx(), layout::ctxState));
  base.setInvariant(true); // set before any generated code runs
  for (spl::StateOp op : states) {
    if (!offsets || op.getIndex() >= uint64_t(offsets.size()))
      return op.emitOpError("has no offset in the function's `spl.state_offsets`");
    b.setInsertionPoint(op);
    replaceByAddress(op, e.offset(base, offsets[op.getIndex()]));
  }
  return success();
}

void FunctionPreparer::lowerVariables() {
  SmallVector<spl::VarOp> variables;
  f.walk([&](spl::VarOp op) { variables.push_back(op); });
  for (spl::VarOp op : llvm::reverse(variables)) {
    Type type = op.getType().getElement();
    b.setInsertionPointToStart(&f.getBody().front());
    Value address = e.slot(type);
    b.setInsertionPointAfterValue(address);
    e.store(type, e.zero(layout::loweredType(type)), address);
    bool owns = ownsBuffer(op);
    replaceByAddress(op, address);
    if (owns)
      owned.emplace_back(type, address);
  }
}

void FunctionPreparer::makeExit() {
  SmallVector<func::ReturnOp> returns;
  if (!owned.empty())
    returns = llvm::to_vector(f.getOps<func::ReturnOp>());
  Block *exit = b.createBlock(&f.getBody(), f.getBody().end(), b.getI32Type(), f.getLoc());
  for (auto [type, address] : owned)
    e.runtime("sl_destroy", {e.ctx(), e.typeDesc(type), address});
  LLVM::ReturnOp::create(b, f.getLoc(), exit->getArgument(0));
  for (func::ReturnOp op : returns) {
    b.setInsertionPoint(op);
    LLVM::BrOp::create(b, op.getLoc(), op.getOperands(), exit);
    op.erase();
  }
}

//===--- module -------------------------------------------------------------===//

/// The program table names the types of all ports, of their columns and of state variables.
static void makeTypeDescs(stream::TableAttr table, ConstantPool &constants) {
  for (stream::TableOperatorAttr op : table.getOperators()) {
    for (stream::TableInputAttr port : op.getInputs())
      constants.typeDesc(port.getType());
    for (stream::TableOutputAttr port : op.getOutputs())
      constants.typeDesc(port.getType());
    for (stream::TableVariableAttr variable : op.getStates())
      constants.typeDesc(variable.getType());
  }
}

LogicalResult sluice::prepareForLLVM(ModuleOp module, ConstantPool &constants) {
  inlineUpdates(module);
  markRecursion(module);
  numberSites(module);
  for (spl::FuncOp op : llvm::to_vector(module.getOps<spl::FuncOp>()))
    lowerFunction(op);
  for (func::FuncOp f : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (!f.isExternal() && failed(FunctionPreparer(f, module, constants).run()))
      return failure();
  if (auto table = module->getAttrOfType<stream::TableAttr>(stream::TableAttr::kModuleAttr))
    makeTypeDescs(table, constants);
  return success();
}
