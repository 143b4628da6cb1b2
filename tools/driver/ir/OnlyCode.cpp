//===- OnlyCode.cpp - the code of one operator ----------------------------===//
//
// An operator that is called has no function of its own after inlining. The module before LLVM's
// optimisation says who called it.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/ir/OnlyCode.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tools/driver/ir/Listing.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace sluice;
using llvm::StringRef;

namespace {
class Kept {
public:
  Kept(const llvm::Module &code, mlir::ModuleOp module) : code(code) {
    module.walk([&](mlir::LLVM::LLVMFuncOp function) {
      function.walk([&](mlir::LLVM::CallOp call) {
        if (auto callee = call.getCallee())
          callers[*callee].push_back(function.getName());
      });
    });
  }

  /// Keeps the function, or those that it was inlined into.
  void keep(StringRef name) {
    if (!seen.insert(name).second)
      return;
    const llvm::Function *function = code.getFunction(name);
    if (function && !function->isDeclaration()) {
      names.insert(name);
      return;
    }
    for (StringRef caller : callers.lookup(name))
      keep(caller);
  }
  bool has(StringRef name) const { return names.contains(name); }

private:
  const llvm::Module &code;
  llvm::StringMap<llvm::SmallVector<StringRef>> callers;
  llvm::StringSet<> seen, names;
};
} // namespace

/// Erases what nothing uses any more. Returns whether there was any.
template <class Range> static bool eraseUnused(Range &&values) {
  bool any = false;
  for (auto &value : llvm::make_early_inc_range(values)) {
    value.removeDeadConstantUsers();
    bool isKept = !value.isDeclaration() && llvm::isa<llvm::Function>(value);
    if (value.use_empty() && !isKept) {
      value.eraseFromParent();
      any = true;
    }
  }
  return any;
}

llvm::Error driver::keepOnly(llvm::Module &code, mlir::ModuleOp module,
                             llvm::ArrayRef<std::string> only) {
  auto found = findOperations(module, only);
  if (!found)
    return found.takeError();
  Kept kept(code, module);
  for (mlir::Operation *op : *found)
    kept.keep(mlir::SymbolTable::getSymbolName(op).getValue());
  for (llvm::Function &function : code)
    if (!function.isDeclaration() && !kept.has(function.getName()))
      function.deleteBody();
  for (llvm::GlobalVariable &variable : code.globals())
    if (variable.hasInitializer() && !variable.hasLocalLinkage()) { // the program table
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  while (eraseUnused(code.functions()) | eraseUnused(code.globals()))
    continue;
  return llvm::Error::success();
}
