//===- InlineUpdates.cpp - small functions that change a variable ---------===//
#include "codegen/convert/ConvertSpl.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace sluice;

static constexpr unsigned kMostOperations = 32;

static bool isSimple(mlir::Type type) {
  auto ref = dyn_cast<spl::RefType>(type);
  return layout::isPlain(ref ? ref.getElement() : type);
}

/// Loads, stores and arithmetic on numbers, without a call.
static bool isSimple(Operation &op) {
  return !canFail(&op) && !isa<spl::VarOp, spl::CallOp>(op) &&
         isa<spl::SplDialect, cf::ControlFlowDialect, arith::ArithDialect>(op.getDialect()) &&
         llvm::all_of(op.getOperandTypes(), [](mlir::Type t) { return isSimple(t); }) &&
         llvm::all_of(op.getResultTypes(), [](mlir::Type t) { return isSimple(t); });
}

static bool takesReference(spl::FuncOp f) {
  return llvm::any_of(f.getArgumentTypes(), llvm::IsaPred<spl::RefType>);
}

/// Whether the function has only such operations and calls of such functions that compute a value,
/// few together.
static bool isSimple(spl::FuncOp f, const SymbolTable &symbols, unsigned &operations) {
  for (Block &block : f.getBody())
    for (Operation &op : block) {
      if (++operations > kMostOperations)
        return false;
      auto call = dyn_cast<spl::CallOp>(op);
      auto callee = call ? symbols.lookup<spl::FuncOp>(call.getCallee()) : nullptr;
      if (callee ? call.getRecursive() || takesReference(callee) || callee.getBody().empty() ||
                       !isSimple(callee, symbols, operations)
                 : !isSimple(op))
        return false;
    }
  return true;
}

/// Whether the function changes a variable of its caller, and is small and simple.
static bool isUpdate(spl::FuncOp f, const SymbolTable &symbols) {
  unsigned operations = 0;
  return !f.getBody().empty() && takesReference(f) && isSimple(f, symbols, operations);
}

static void inlineCall(spl::CallOp call, spl::FuncOp callee) {
  OpBuilder b(call);
  Block *before = call->getBlock();
  Block *after = before->splitBlock(call);
  IRMapping map;
  map.map(callee.getBody().getArguments(), call.getArgs());
  callee.getBody().cloneInto(before->getParent(), after->getIterator(), map);
  Block *entry = map.lookup(&callee.getBody().front());
  // The entry's arguments are mapped to those of the call.
  before->getOperations().splice(before->end(), entry->getOperations());
  entry->erase();
  if (call.getResult())
    call.getResult().replaceAllUsesWith(
        after->addArgument(call.getResult().getType(), call.getLoc()));
  for (Block &block : callee.getBody())
    if (auto ret = dyn_cast<spl::ReturnOp>(block.getTerminator())) {
      Operation *copy =
          block.isEntryBlock() ? before->getTerminator() : map.lookup(&block)->getTerminator();
      b.setInsertionPoint(copy);
      cf::BranchOp::create(b, call.getLoc(), after, copy->getOperands());
      copy->erase();
    }
  call.erase();
}

void sluice::inlineUpdates(ModuleOp module) {
  SymbolTable symbols(module);
  SmallVector<std::pair<spl::CallOp, spl::FuncOp>> calls;
  llvm::DenseMap<Operation *, bool> known;
  module.walk([&](spl::CallOp call) {
    auto callee = symbols.lookup<spl::FuncOp>(call.getCallee());
    if (!callee)
      return;
    auto [at, isNew] = known.try_emplace(callee, false);
    if (isNew)
      at->second = isUpdate(callee, symbols);
    if (at->second)
      calls.emplace_back(call, callee);
  });
  for (auto [call, callee] : calls)
    inlineCall(call, callee);
}
