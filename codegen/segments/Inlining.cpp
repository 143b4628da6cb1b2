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

/// Whether a tuple of so many attributes is handed over that LLVM would take time by their square
/// to follow it into the function (IPSCCP, at `insertvalue`).
static bool takesWideTuple(const llvm::Function &f) {
  static constexpr unsigned most = 256;
  return llvm::any_of(f.args(), [](const llvm::Argument &arg) {
    auto *tuple = llvm::dyn_cast<llvm::StructType>(arg.getType());
    return tuple && tuple->getNumElements() > most;
  });
}

/// Whether the function has one call site, but for that in opK.keyedP, and in opK.arriveP if its
/// tuples are wide: both get a copy.
static bool calledOnce(const llvm::Function &f) {
  unsigned calls = 0;
  bool isWide = takesWideTuple(f);
  for (const llvm::User *user : f.users()) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledFunction() != &f || call->getFunction() == &f)
      return false;
    const llvm::Function &caller = *call->getFunction();
    calls += !isHandlerOf(caller, {"keyed"}) && !(isWide && isHandlerOf(caller, {"arrive"}));
  }
  return calls == 1;
}

void sluice::chooseInlining(llvm::Module &module) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration() || !f.hasLocalLinkage())
      continue;
    if (isHandlerOf(f, {"arrive", "outpunct", "punct", "watermark", "final", "params", "param",
                        "state", "end"})) {
      f.addFnAttr(llvm::Attribute::NoInline);
      f.addFnAttr(llvm::Attribute::OptimizeForSize);
    } else if (isHandlerOf(f, {"tuple", "out", "strip", "leave"}) && calledOnce(f)) {
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
