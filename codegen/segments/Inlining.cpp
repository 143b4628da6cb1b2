//===- Inlining.cpp - which functions LLVM inlines and merges -------------===//
#include "codegen/target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"

using namespace sluice;

/// opK.WHAT[P][.body]: one of the functions of LowerSegments.h.
static bool isHandlerOf(const llvm::Function &f, std::initializer_list<llvm::StringRef> kinds) {
  llvm::StringRef name = f.getName();
  if (!name.consume_front("op"))
    return false;
  llvm::StringRef kind = name.split('.').second.split('.').first.rtrim("0123456789");
  return llvm::is_contained(kinds, kind);
}

/// Whether the function has one call site, but for that in opK.keyedP: both get a copy.
static bool calledOnce(const llvm::Function &f) {
  unsigned calls = 0;
  for (const llvm::User *user : f.users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledFunction() != &f || call->getFunction() == &f)
      return false;
    calls += !isHandlerOf(*call->getFunction(), {"keyed"});
  }
  return calls == 1;
}

void sluice::chooseInlining(llvm::Module &module) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration() || !f.hasLocalLinkage())
      continue;
    if (isHandlerOf(
            f, {"arrive", "outpunct", "punct", "watermark", "final", "params", "param", "state"})) {
      f.addFnAttr(llvm::Attribute::NoInline);
      f.addFnAttr(llvm::Attribute::OptimizeForSize);
    } else if (isHandlerOf(f, {"tuple", "out", "strip"}) && calledOnce(f)) {
      f.addFnAttr(llvm::Attribute::AlwaysInline);
    } else if (isHandlerOf(f, {"rows"})) {
      f.addFnAttr(llvm::Attribute::NoInline);
      for (llvm::User *user : f.users()) // the segment, which runs batches with punctuation
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(user))
          call->getFunction()->addFnAttr(llvm::Attribute::OptimizeForSize);
    }
  }
}

void sluice::mergeRows(llvm::Module &module) {
  std::vector<llvm::Function *> functions;
  for (llvm::Function &f : module) {
    if (f.isDeclaration() || !f.hasLocalLinkage() || !isHandlerOf(f, {"rows"}))
      continue;
    f.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    for (llvm::Instruction &i : llvm::instructions(f)) // tags name ports; they have had their use
      i.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
    functions.push_back(&f);
  }
  llvm::MergeFunctionsPass::runOnFunctions(functions);
}
