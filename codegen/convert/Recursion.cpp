//===- Recursion.cpp - which calls may come back --------------------------===//
#include "codegen/convert/ConvertSpl.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace sluice;

namespace {
using Edges = SmallVector<Operation *>; // one for each call
struct Function {
  SmallVector<spl::CallOp> calls;
  Edges callees, callers;
};
using Functions = llvm::MapVector<Operation *, Function>;
} // namespace

static Functions collect(ModuleOp module) {
  Functions functions;
  for (auto f : module.getOps<spl::FuncOp>())
    functions[f];
  SymbolTable symbols(module);
  for (auto &[f, function] : functions)
    f->walk([&](spl::CallOp call) {
      auto callee = functions.find(symbols.lookup(call.getCallee()));
      if (callee == functions.end())
        return;
      function.calls.push_back(call);
      function.callees.push_back(callee->first);
      callee->second.callers.push_back(f);
    });
  return functions;
}

/// Takes away what has none of its `ends` left, again and again; `starts` are the other ends of the
/// same edges.
static void peel(llvm::DenseSet<Operation *> &left, Functions &functions, Edges Function::*ends,
                 Edges Function::*starts) {
  llvm::DenseMap<Operation *, size_t> open;
  SmallVector<Operation *> work;
  for (Operation *f : left) {
    open[f] =
        llvm::count_if(functions[f].*ends, [&](Operation *end) { return left.contains(end); });
    if (!open[f])
      work.push_back(f);
  }
  while (!work.empty()) {
    Operation *gone = work.pop_back_val();
    left.erase(gone);
    for (Operation *f : functions[gone].*starts)
      if (left.contains(f) && --open[f] == 0)
        work.push_back(f);
  }
}

/// What stays is on a cycle of calls, or on a path from one to another.
void sluice::markRecursion(ModuleOp module) {
  Functions functions = collect(module);
  llvm::DenseSet<Operation *> left;
  for (auto &[f, function] : functions)
    left.insert(f);
  peel(left, functions, &Function::callees, &Function::callers);
  peel(left, functions, &Function::callers, &Function::callees);
  for (Operation *f : left)
    for (auto [call, callee] : llvm::zip(functions[f].calls, functions[f].callees))
      if (left.contains(callee))
        call.setRecursive(true);
}
