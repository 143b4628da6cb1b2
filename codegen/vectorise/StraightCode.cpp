//===- StraightCode.cpp - vectors without loops ---------------------------===//
#include "codegen/vectorise/StraightCode.h"
#include "codegen/vectorise/MemoryName.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

using namespace llvm;

namespace sluice {

/// The tags are those of codegen/Aliasing.h: of state, and of elements of collections in state.
static bool isInState(const Instruction &access) {
  StringRef name = memoryName(access);
  return name == "state" || name.starts_with("elements of ");
}

static void setVolatile(Instruction *access, bool isVolatile) {
  if (auto *load = dyn_cast<LoadInst>(access))
    load->setVolatile(isVolatile);
  else
    cast<StoreInst>(access)->setVolatile(isVolatile);
}

/// Whether the vectoriser would take it, though it lies in state.
static bool isToBeLeftOut(const Instruction &i) {
  auto *load = dyn_cast<LoadInst>(&i);
  auto *store = dyn_cast<StoreInst>(&i);
  return ((load && load->isSimple()) || (store && store->isSimple())) && isInState(i);
}

/// What is volatile the vectoriser leaves as it is.
PreservedAnalyses StraightCode::run(Function &f, FunctionAnalysisManager &analyses) {
  SmallVector<Instruction *> leftOut;
  for (Instruction &i : instructions(f))
    if (isToBeLeftOut(i))
      leftOut.push_back(&i);
  for (Instruction *access : leftOut)
    setVolatile(access, true);
  PreservedAnalyses preserved = SLPVectorizerPass().run(f, analyses);
  for (Instruction *access : leftOut)
    setVolatile(access, false);
  return preserved;
}

} // namespace sluice
